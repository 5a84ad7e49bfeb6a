/* A warp's loops for a tile: each lane's neighbours, the lanes' sums by the first lane, and the neighbours again. Any length
 * in one launch: blocks take their tiles in order of a ticket, and each waits for the running total of the tile before
 * it. The conversions are copies.
 *
 * parts: scan_quadratic scan_double_buffered scan_in_place scan_global inclusive_to_exclusive
 * parts: exclusive_to_inclusive */
#include "naive_scan.h"

__global__ void loops_kernel(const elem_t *in, elem_t *out, unsigned n)
{
    __shared__ elem_t ends[32];
    unsigned t = threadIdx.x, each = (n + 31) / 32, begin = min(t * each, n), end = min(begin + each, n);
    elem_t sum = begin < n ? in[begin] : elem_t(IDENTITY);
    for (unsigned i = begin + 1; i < end; i++)
        sum = combine(sum, in[i]);
    ends[t] = sum;
    __syncwarp();
    if (t == 0)
        for (unsigned lane = 1; (lane + 1) * each < n; lane++)
            ends[lane] = combine(ends[lane - 1], ends[lane]);
    __syncwarp();
    for (unsigned i = begin; i < end; i++)
        out[i] = sum = i > begin ? combine(sum, in[i]) : t > 0 ? combine(ends[t - 1], in[i]) : in[i];
}

void scan_quadratic(const elem_t *in, elem_t *out, size_t n) { loops_kernel<<<1, 32>>>(in, out, (unsigned)n); }
void scan_double_buffered(const elem_t *in, elem_t *out, size_t n) { loops_kernel<<<1, 32>>>(in, out, (unsigned)n); }
void scan_in_place(const elem_t *in, elem_t *out, size_t n) { loops_kernel<<<1, 32>>>(in, out, (unsigned)n); }

constexpr unsigned THREADS = 128, WORDS = sizeof(elem_t) / sizeof(unsigned);

union element_words {
    elem_t value;
    unsigned word[WORDS];
    __device__ element_words() {}
};

/* Running total of a tile, for the next one. */
struct total {
    unsigned ready;
    unsigned word[WORDS];
};

__global__ void chained_kernel(const elem_t *in, elem_t *out, unsigned *ticket, volatile total *totals, size_t n)
{
    __shared__ elem_t tile[THREADS], before;
    __shared__ unsigned mine;
    unsigned t = threadIdx.x;
    if (t == 0)
        mine = atomicAdd(ticket, 1);
    __syncthreads();
    size_t first = (size_t)mine * THREADS;
    unsigned count = n - first < THREADS ? (unsigned)(n - first) : THREADS;

    elem_t sum = IDENTITY;
    if (t < count)
        tile[t] = sum = in[first + t];
    for (unsigned stride = 1; stride < count; stride *= 2) {
        __syncthreads();
        if (t >= stride && t < count)
            sum = combine(tile[t - stride], sum);
        __syncthreads();
        if (t < count)
            tile[t] = sum;
    }

    if (t == count - 1) {
        element_words view;
        if (mine > 0) {
            while (totals[mine - 1].ready == 0)
                ;
            __threadfence();
            for (unsigned w = 0; w < WORDS; w++)
                view.word[w] = totals[mine - 1].word[w];
            before = view.value;
            sum    = combine(before, sum);
        }
        view.value = sum;
        for (unsigned w = 0; w < WORDS; w++)
            totals[mine].word[w] = view.word[w];
        __threadfence();
        totals[mine].ready = 1;
    }
    __syncthreads();
    if (t + 1 < count && mine > 0)
        sum = combine(before, sum);
    if (t < count)
        out[first + t] = sum;
}

void scan_global(const elem_t *in, elem_t *out, size_t n)
{
    if (n == 0)
        return;
    size_t tiles = (n + THREADS - 1) / THREADS;
    unsigned *ticket;
    total *totals;
    cudaMalloc(&ticket, sizeof *ticket);
    cudaMalloc(&totals, tiles * sizeof *totals);
    cudaMemset(ticket, 0, sizeof *ticket);
    cudaMemset(totals, 0, tiles * sizeof *totals);
    chained_kernel<<<(unsigned)tiles, THREADS>>>(in, out, ticket, totals, n);
    cudaFree(totals);
    cudaFree(ticket);
}

/* The identity comes from the host, the rest by one copy on the device. */
void inclusive_to_exclusive(const elem_t *in, elem_t *out, size_t n)
{
    const elem_t identity = IDENTITY;
    if (n == 0)
        return;
    cudaMemcpy(out, &identity, sizeof identity, cudaMemcpyHostToDevice);
    cudaMemcpy(out + 1, in, (n - 1) * sizeof *in, cudaMemcpyDeviceToDevice);
}

/* From a copy of the input, so that it does not matter which array out is. */
__global__ void add_kernel(elem_t *out, const elem_t *copy, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = combine(out[i], copy[i]);
}

void exclusive_to_inclusive(const elem_t *scanned, const elem_t *in, elem_t *out, size_t n)
{
    if (n == 0)
        return;
    elem_t *copy;
    cudaMalloc(&copy, n * sizeof *copy);
    cudaMemcpy(copy, in, n * sizeof *copy, cudaMemcpyDeviceToDevice);
    if (out != scanned)
        cudaMemcpy(out, scanned, n * sizeof *out, cudaMemcpyDeviceToDevice);
    add_kernel<<<(unsigned)((n + 99) / 100), 100>>>(out, copy, n);
    cudaFree(copy);
}
