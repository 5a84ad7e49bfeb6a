/* Run-length encoding and decoding: heads of runs, a scan that numbers them, a compaction of starts, lengths as
 * differences; back again by scattering heads and scanning with max. */
#include "program.h"

static const int BLOCK = 128;

struct PlusOp {
    static __device__ int identity() { return 0; }
    static __device__ int apply(int a, int b) { return a + b; }
};

struct MaxOp {
    static __device__ int identity() { return -1; }
    static __device__ int apply(int a, int b) { return max(a, b); }
};

/* Scans any length in one block, in place; *last gets the total. */
template <class Op> __global__ void scan_in_place(int *data, int n, int *last)
{
    __shared__ int tile[BLOCK + 1];
    const int t = threadIdx.x;

    if (t == 0)
        tile[BLOCK] = Op::identity();
    for (int first = 0; first < n; first += BLOCK) {
        int x = first + t < n ? data[first + t] : Op::identity();
        tile[t] = x;
        for (int stride = 1; stride < BLOCK; stride *= 2) {
            __syncthreads();
            if (t >= stride)
                x = Op::apply(tile[t - stride], x);
            __syncthreads();
            tile[t] = x;
        }
        __syncthreads();
        x = Op::apply(tile[BLOCK], x);
        if (first + t < n)
            data[first + t] = x;
        __syncthreads();
        if (t == BLOCK - 1)
            tile[BLOCK] = x;
        __syncthreads();
    }
    if (t == 0)
        *last = tile[BLOCK];
}

__global__ void mark_heads(const char *text, int *heads, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        heads[i] = i == 0 || text[i] != text[i - 1];
}

__global__ void collect_runs(const char *text, const int *numbers, int n, char *symbols, int *starts)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    if (i == 0 || numbers[i] != numbers[i - 1]) {
        symbols[numbers[i] - 1] = text[i];
        starts[numbers[i] - 1] = i;
    }
}

__global__ void lengths_from_starts(const int *starts, int runs, int n, int *lengths)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r < runs)
        lengths[r] = (r + 1 < runs ? starts[r + 1] : n) - starts[r];
}

/* owner[start of run r] = r, elsewhere -1; a max scan copies it to the rest of the run. */
__global__ void place_owners(const int *ends, const int *lengths, int runs, int *owner)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r < runs)
        owner[ends[r] - lengths[r]] = r;
}

__global__ void write_text(const int *owner, const char *symbols, int n, char *text)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        text[i] = symbols[owner[i]];
}

int main()
{
    for (int n : {1, 100, 128, 5000}) {
        std::vector<unsigned> dice = random_keys(n, 12, n);
        std::vector<char> text(n);
        char now = 'a';
        for (int i = 0; i < n; i++) {
            if (dice[i] < 4)
                now = (char)('a' + dice[i]);
            text[i] = now;
        }
        std::vector<char> want_symbols;
        std::vector<int> want_lengths;
        for (int i = 0; i < n; i++) {
            if (i == 0 || text[i] != text[i - 1]) {
                want_symbols.push_back(text[i]);
                want_lengths.push_back(0);
            }
            want_lengths.back()++;
        }

        char *in = to_device(text), *symbols = device_alloc<char>(n);
        int *numbers = device_alloc<int>(n), *starts = device_alloc<int>(n), *lengths = device_alloc<int>(n), *last = device_alloc<int>(1);
        const int blocks = (n + BLOCK - 1) / BLOCK;
        mark_heads<<<blocks, BLOCK>>>(in, numbers, n);
        scan_in_place<PlusOp><<<1, BLOCK>>>(numbers, n, last);
        CUDA_CHECK(cudaGetLastError());
        const int runs = from_device(last, 1)[0];
        expect_number("runs", runs, (long long)want_symbols.size());
        collect_runs<<<blocks, BLOCK>>>(in, numbers, n, symbols, starts);
        lengths_from_starts<<<blocks, BLOCK>>>(starts, runs, n, lengths);
        CUDA_CHECK(cudaGetLastError());
        expect_equal("symbols", from_device(symbols, runs), want_symbols);
        expect_equal("lengths", from_device(lengths, runs), want_lengths);
        std::vector<int> first_lengths = from_device(lengths, runs < 8 ? runs : 8);
        for (size_t r = 0; r < first_lengths.size(); r++)
            printf("%c%d%s", want_symbols[r], first_lengths[r], r + 1 == first_lengths.size() ? "\n" : " ");

        CUDA_CHECK(cudaMemset(numbers, 0xff, n * sizeof(int)));         /* -1 everywhere */
        CUDA_CHECK(cudaMemset(in, 0, n));
        CUDA_CHECK(cudaMemcpy(starts, lengths, runs * sizeof(int), cudaMemcpyDeviceToDevice));
        scan_in_place<PlusOp><<<1, BLOCK>>>(starts, runs, last);
        expect_number("decoded length", from_device(last, 1)[0], n);
        place_owners<<<blocks, BLOCK>>>(starts, lengths, runs, numbers);
        scan_in_place<MaxOp><<<1, BLOCK>>>(numbers, n, last);
        write_text<<<blocks, BLOCK>>>(numbers, symbols, n, in);
        CUDA_CHECK(cudaGetLastError());
        expect_equal("decoded", from_device(in, n), text);
        cudaFree(in);
        cudaFree(symbols);
        cudaFree(numbers);
        cudaFree(starts);
        cudaFree(lengths);
        cudaFree(last);
    }
    return program_end();
}
