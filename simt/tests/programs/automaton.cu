/* Lexing by scan: each character is a function from state to state, packed four bits a state into 32 bits;
 * composition is associative, so a scan gives every position's state. Finds comments, strings and words in text. */
#include "program.h"

enum State { CODE, SLASH, COMMENT, STAR, STRING, ESCAPE, WORD, STATES };

static __host__ __device__ inline unsigned step(unsigned state, char c)
{
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    switch (state) {
    case COMMENT: return c == '*' ? STAR : COMMENT;
    case STAR: return c == '/' ? CODE : c == '*' ? STAR : COMMENT;
    case STRING: return c == '"' ? CODE : c == '\\' ? ESCAPE : STRING;
    case ESCAPE: return STRING;
    case SLASH:
        if (c == '*')
            return COMMENT;
        /* fall through */
    default: return c == '/' ? SLASH : c == '"' ? STRING : letter ? WORD : CODE;
    }
}

static __device__ unsigned function_of(char c)
{
    unsigned packed = 0;
    for (unsigned state = 0; state < STATES; state++)
        packed |= step(state, c) << (4 * state);
    return packed;
}

/* right after left */
static __device__ unsigned compose(unsigned left, unsigned right)
{
    unsigned both = 0;
#pragma unroll
    for (unsigned state = 0; state < STATES; state++) {
        unsigned middle = left >> (4 * state) & 15u;
        both |= (right >> (4 * middle) & 15u) << (4 * state);
    }
    return both;
}

#define THREADS 128
#define IDENTITY 0x6543210u

/* One block for the whole text; each thread first composes 8 characters. */
__global__ void run_automaton(const char *text, int n, unsigned char *states)
{
    __shared__ unsigned functions[THREADS];
    const int t = threadIdx.x;
    unsigned carry = IDENTITY;

    for (int tile = 0; tile < n; tile += THREADS * 8) {
        const int first = tile + t * 8, last = min(first + 8, n);
        unsigned own = IDENTITY;
        for (int i = first; i < last; i++)
            own = compose(own, function_of(text[i]));
        functions[t] = own;
        for (int stride = 1; stride < THREADS; stride *= 2) {
            __syncthreads();
            unsigned left = t >= stride ? functions[t - stride] : IDENTITY;
            __syncthreads();
            functions[t] = compose(left, functions[t]);
        }
        __syncthreads();
        unsigned before = compose(carry, t > 0 ? functions[t - 1] : IDENTITY);
        unsigned state = before & 15u;                          /* from CODE, state 0 */
        for (int i = first; i < last; i++) {
            state = step(state, text[i]);
            states[i] = (unsigned char)state;
        }
        carry = compose(carry, functions[THREADS - 1]);
        __syncthreads();
    }
}

/* Words begin where the state becomes WORD; they are counted with votes. */
__global__ void count_words(const unsigned char *states, int n, unsigned *count)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    bool begins = i < n && states[i] == WORD && (i == 0 || states[i - 1] != WORD);
    int in_block = __syncthreads_count(begins);
    if (threadIdx.x == 0)
        atomicAdd(count, (unsigned)in_block);
}

int main()
{
    static const char sample[] = "int main(void) /* the * entry \"not a string\" */\n{\n    puts(\"a /* string */ \\\" with\");\n"
                                 "    return total / count; /** done **/\n}\n";
    for (int copies : {1, 7, 60}) {
        std::vector<char> text;
        for (int k = 0; k < copies; k++)
            text.insert(text.end(), sample, sample + sizeof sample - 1 - (k % 5 == 4 ? 3 : 0));
        const int n = (int)text.size();
        std::vector<unsigned char> want(n);
        unsigned state = CODE, words = 0;
        for (int i = 0; i < n; i++) {
            unsigned next = step(state, text[i]);
            words += next == WORD && state != WORD;
            want[i] = (unsigned char)(state = next);
        }
        char *in = to_device(text);
        unsigned char *states = device_alloc<unsigned char>(n);
        unsigned *count = device_alloc<unsigned>(1);
        CUDA_CHECK(cudaMemset(count, 0, sizeof *count));
        run_automaton<<<1, THREADS>>>(in, n, states);
        count_words<<<blocks_for(n, 256), 256>>>(states, n, count);
        CUDA_CHECK(cudaGetLastError());
        expect_equal("states", from_device(states, n), want);
        expect_number("words", from_device(count, 1)[0], words);
        if (copies == 1) {
            for (int i = 0; i < n; i++)
                putchar(text[i] == '\n' ? '\n' : "cs**\"\"w"[want[i]]);
        }
        CUDA_CHECK(cudaFree(in));
        CUDA_CHECK(cudaFree(states));
        CUDA_CHECK(cudaFree(count));
    }
    return program_end();
}
