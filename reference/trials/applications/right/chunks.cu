/* A thread a chunk, as a program for a few processors would do it: each sums its chunk up, one thread goes over the
 * sums, and each runs the plain loop over its chunk from there. No scan, no barrier between elements.
 *
 * parts: write_lines tree_depths histogram compare_strings linear_recurrence polynomial_value
 * parts: second_order lex */
#include "applications.h"

enum { FEW = 96, MANY = 384, LONG = 8192, WIDTH = 16 }; /* threads; from this length on, many; those of a block */

static __device__ size_t chunk_begin(size_t n, unsigned chunk, unsigned chunks)
{
    return n * chunk / chunks;
}

/* Job: State start() before the first element; State over(begin, end), a chunk summed up; State join(a, b);
 * run(begin, end, state), the loop over a chunk. */
template <class Job> __global__ void sum_chunks(Job job, typename Job::State *sums, size_t n)
{
    unsigned chunk = blockIdx.x * WIDTH + threadIdx.x, chunks = gridDim.x * WIDTH;
    sums[chunk]    = job.over(chunk_begin(n, chunk, chunks), chunk_begin(n, chunk + 1, chunks));
}

template <class Job> __global__ void join_sums(Job job, typename Job::State *sums, unsigned chunks)
{
    typename Job::State state = job.start();
    for (unsigned c = 0; c < chunks; c++) {
        typename Job::State sum = sums[c];
        sums[c]                 = state;
        state                   = job.join(state, sum);
    }
    job.finish(state);
}

template <class Job> __global__ void run_chunks(Job job, const typename Job::State *sums, size_t n)
{
    unsigned chunk = blockIdx.x * WIDTH + threadIdx.x, chunks = gridDim.x * WIDTH;
    job.run(chunk_begin(n, chunk, chunks), chunk_begin(n, chunk + 1, chunks), sums[chunk]);
}

template <class Job> void work(const Job &job, size_t n)
{
    typename Job::State *sums;
    unsigned chunks = n < LONG ? FEW : MANY;
    cudaMalloc((void **)&sums, chunks * sizeof *sums);
    sum_chunks<Job><<<chunks / WIDTH, WIDTH>>>(job, sums, n);
    join_sums<Job><<<1, 1>>>(job, sums, chunks);
    run_chunks<Job><<<chunks / WIDTH, WIDTH>>>(job, sums, n);
    cudaFree(sums);
}

struct Number { /* on the device, for a result */
    unsigned *at;
    Number() { cudaMalloc(&at, sizeof *at); }
    unsigned take()
    {
        unsigned value;
        cudaMemcpy(&value, at, sizeof value, cudaMemcpyDeviceToHost);
        cudaFree(at);
        return value;
    }
};

/* Common to jobs whose state is a sum. */
struct Sum {
    typedef unsigned State;
    unsigned *total;
    __device__ unsigned start() const { return 0; }
    __device__ unsigned join(unsigned a, unsigned b) const { return a + b; }
    __device__ void finish(unsigned state) const
    {
        if (total)
            *total = state;
    }
};

struct LineJob : Sum {
    const unsigned *numbers;
    unsigned char *out;
    __device__ unsigned over(size_t begin, size_t end) const
    {
        unsigned bytes = 0;
        for (size_t i = begin; i < end; i++)
            for (unsigned rest = numbers[i], more = 1; more; rest /= 10) {
                bytes += rest < 10 ? 2 : 1;
                more = rest >= 10;
            }
        return bytes;
    }
    __device__ void run(size_t begin, size_t end, unsigned at) const
    {
        for (size_t i = begin; i < end; i++) {
            char digits[10];
            int count = 0;
            for (unsigned rest = numbers[i]; count == 0 || rest > 0; rest /= 10)
                digits[count++] = (char)('0' + rest % 10);
            while (count > 0)
                out[at++] = (unsigned char)digits[--count];
            out[at++] = '\n';
        }
    }
};

size_t write_lines(const unsigned *numbers, unsigned char *out, size_t n)
{
    Number total;
    work(LineJob{{total.at}, numbers, out}, n);
    return total.take();
}

struct DepthJob : Sum {
    const int *tour;
    unsigned *depths;
    __device__ unsigned over(size_t begin, size_t end) const
    {
        unsigned up = 0;
        for (size_t i = begin; i < end; i++)
            up += tour[i] >= 0 ? 1 : -1;
        return up;
    }
    __device__ void run(size_t begin, size_t end, unsigned depth) const
    {
        for (size_t i = begin; i < end; i++) {
            if (tour[i] >= 0)
                depths[tour[i]] = depth++;
            else
                depth--;
        }
    }
};

void tree_depths(const int *tour, unsigned *depths, size_t n)
{
    work(DepthJob{{nullptr}, tour, depths}, 2 * n);
}

/* A group belongs to the chunk that it begins in, which counts it to its end. */
struct GroupJob : Sum {
    const unsigned *sorted;
    unsigned *values, *counts;
    size_t n;
    __device__ bool begins(size_t i) const { return i == 0 || sorted[i] != sorted[i - 1]; }
    __device__ unsigned over(size_t begin, size_t end) const
    {
        unsigned groups = 0;
        for (size_t i = begin; i < end; i++)
            groups += begins(i);
        return groups;
    }
    __device__ void run(size_t begin, size_t end, unsigned group) const
    {
        for (size_t i = begin; i < end; i++) {
            if (!begins(i))
                continue;
            size_t behind = i + 1;
            while (behind < n && sorted[behind] == sorted[i])
                behind++;
            values[group]   = sorted[i];
            counts[group++] = (unsigned)(behind - i);
        }
    }
};

size_t histogram(const unsigned *keys, unsigned *values, unsigned *counts, size_t n)
{
    Number groups;
    unsigned *sorted;
    cudaMalloc(&sorted, (n + 1) * sizeof *sorted);
    stock_sort(keys, sorted, n);
    work(GroupJob{{groups.at}, sorted, values, counts, n}, n);
    cudaFree(sorted);
    return groups.take();
}

/* The state is the first place that differs, or n. */
struct PlaceJob : Sum {
    const unsigned char *left, *right;
    unsigned n;
    __device__ unsigned start() const { return n; }
    __device__ unsigned join(unsigned a, unsigned b) const { return a < n ? a : b; }
    __device__ unsigned over(size_t begin, size_t end) const
    {
        for (size_t i = begin; i < end; i++)
            if (left[i] != right[i])
                return (unsigned)i;
        return n;
    }
    __device__ void run(size_t, size_t, unsigned) const {}
};

size_t compare_strings(const unsigned char *left, size_t left_n, const unsigned char *right, size_t right_n, int *order)
{
    Number number;
    size_t n = left_n < right_n ? left_n : right_n;
    work(PlaceJob{{number.at}, left, right, (unsigned)n}, n);
    unsigned place         = number.take();
    unsigned char bytes[2] = {0, 0};
    int result             = left_n < right_n ? -1 : left_n > right_n ? 1 : 0;
    if (place < n) {
        cudaMemcpy(&bytes[0], left + place, 1, cudaMemcpyDeviceToHost);
        cudaMemcpy(&bytes[1], right + place, 1, cudaMemcpyDeviceToHost);
        result = bytes[0] < bytes[1] ? -1 : 1;
    }
    cudaMemcpy(order, &result, sizeof result, cudaMemcpyHostToDevice);
    return place;
}

/* The state is what x is in the end, as a map of what it is before. */
struct RecurrenceJob {
    struct State {
        unsigned factor, summand;
    };
    const unsigned *a, *b;
    unsigned first, *x;
    __device__ State start() const { return {1, 0}; }
    __device__ State join(State f, State g) const { return {f.factor * g.factor, f.summand * g.factor + g.summand}; }
    __device__ void finish(State) const {}
    __device__ State over(size_t begin, size_t end) const
    {
        State state = start();
        for (size_t i = begin; i < end; i++)
            state = join(state, {a[i], b[i]});
        return state;
    }
    __device__ void run(size_t begin, size_t end, State state) const
    {
        unsigned now = state.factor * first + state.summand;
        for (size_t i = begin; i < end; i++)
            x[i] = now = a[i] * now + b[i];
    }
};

void linear_recurrence(const unsigned *a, const unsigned *b, unsigned start, unsigned *x, size_t n)
{
    work(RecurrenceJob{a, b, start, x}, n);
}

/* From the first coefficient on: the power that comes next, and the sum so far. */
struct PolynomialJob {
    struct State {
        unsigned power, sum;
    };
    const unsigned *c;
    unsigned x, *value;
    __device__ State start() const { return {1, 0}; }
    __device__ State join(State low, State high) const
    {
        return {low.power * high.power, low.sum + low.power * high.sum};
    }
    __device__ void finish(State state) const { *value = state.sum; }
    __device__ State over(size_t begin, size_t end) const
    {
        State state = start();
        for (size_t i = begin; i < end; i++, state.power *= x)
            state.sum += c[i] * state.power;
        return state;
    }
    __device__ void run(size_t, size_t, State) const {}
};

unsigned polynomial_value(const unsigned *c, size_t n, unsigned x)
{
    Number value;
    work(PolynomialJob{c, x, value.at}, n);
    return value.take();
}

/* Two runs of the recurrence, from (1, 0) and from (0, 1), are the columns of the matrix. */
struct SecondJob {
    struct State {
        unsigned last[2], before[2];
    };
    const unsigned *a, *b;
    unsigned last, before, *x;
    __device__ State start() const { return {{1, 0}, {0, 1}}; }
    __device__ State join(State f, State g) const
    {
        State both = {};
        for (int c = 0; c < 2; c++) {
            both.last[c]   = g.last[0] * f.last[c] + g.last[1] * f.before[c];
            both.before[c] = g.before[0] * f.last[c] + g.before[1] * f.before[c];
        }
        return both;
    }
    __device__ void finish(State) const {}
    __device__ State over(size_t begin, size_t end) const
    {
        State state = start();
        for (size_t i = begin; i < end; i++)
            for (int c = 0; c < 2; c++) {
                unsigned next   = a[i] * state.last[c] + b[i] * state.before[c];
                state.before[c] = state.last[c];
                state.last[c]   = next;
            }
        return state;
    }
    __device__ void run(size_t begin, size_t end, State state) const
    {
        unsigned one = state.last[0] * last + state.last[1] * before;
        unsigned two = state.before[0] * last + state.before[1] * before;
        for (size_t i = begin; i < end; i++) {
            unsigned next = a[i] * one + b[i] * two;
            two           = one;
            x[i] = one = next;
        }
    }
};

void second_order(const unsigned *a, const unsigned *b, unsigned last, unsigned last_but_one, unsigned *x, size_t n)
{
    work(SecondJob{a, b, last, last_but_one, x}, n);
}

/* For every state that a chunk may be entered in: the one in which it is left, and the tokens that begin in it. */
struct LexJob {
    struct State {
        unsigned state[LEX_STATES], tokens[LEX_STATES];
    };
    const unsigned char *text;
    unsigned char *states;
    unsigned *begins, *total;
    __device__ State start() const
    {
        State all = {};
        for (unsigned s = 0; s < LEX_STATES; s++)
            all.state[s] = s;
        return all;
    }
    __device__ State join(const State &f, const State &g) const
    {
        State all = {};
        for (unsigned s = 0; s < LEX_STATES; s++) {
            all.state[s]  = g.state[f.state[s]];
            all.tokens[s] = f.tokens[s] + g.tokens[f.state[s]];
        }
        return all;
    }
    __device__ void finish(const State &all) const { *total = all.tokens[LEX_START]; }
    __device__ State over(size_t begin, size_t end) const
    {
        State all = start();
        for (size_t i = begin; i < end; i++)
            for (unsigned s = 0; s < LEX_STATES; s++) {
                unsigned next = lex_next(all.state[s], text[i]);
                all.tokens[s] += lex_begins(all.state[s], next);
                all.state[s] = next;
            }
        return all;
    }
    __device__ void run(size_t begin, size_t end, const State &before) const
    {
        unsigned state = before.state[LEX_START], token = before.tokens[LEX_START];
        for (size_t i = begin; i < end; i++) {
            unsigned next = lex_next(state, text[i]);
            if (lex_begins(state, next))
                begins[token++] = (unsigned)i;
            states[i] = (unsigned char)next;
            state     = next;
        }
    }
};

size_t lex(const unsigned char *text, unsigned char *states, unsigned *begins, size_t n)
{
    Number total;
    work(LexJob{text, states, begins, total.at}, n);
    return total.take();
}
