/* Few threads, each with a section of its own: a loop over the section, a scan of the sections' sums by one thread,
 * and the same loop again. Any length: blocks reduce, one thread a level scans, blocks scan.
 *
 * parts: scan_quadratic scan_double_buffered scan_in_place scan_global inclusive_to_exclusive
 * parts: exclusive_to_inclusive */
#include "naive_scan.h"

constexpr unsigned THREADS = 64, SECTION = 32;

__global__ void sections_kernel(const elem_t *in, elem_t *out, unsigned n)
{
    __shared__ elem_t ends[THREADS];
    unsigned t = threadIdx.x, each = (n + blockDim.x - 1) / blockDim.x;
    unsigned begin = t * each < n ? t * each : n, end = begin + each < n ? begin + each : n;

    elem_t sum = IDENTITY;
    for (unsigned i = begin; i < end; i++)
        sum = i > begin ? combine(sum, in[i]) : in[i];
    ends[t] = sum;
    __syncthreads();
    if (t == 0)
        for (unsigned s = 1; s * each < n; s++)
            ends[s] = combine(ends[s - 1], ends[s]);
    __syncthreads();
    for (unsigned i = begin; i < end; i++)
        out[i] = sum = i > begin ? combine(sum, in[i]) : t > 0 ? combine(ends[t - 1], in[i]) : in[i];
}

void scan_double_buffered(const elem_t *in, elem_t *out, size_t n)
{
    sections_kernel<<<1, ((unsigned)n + 31) / 32>>>(in, out, (unsigned)n);
}
void scan_in_place(const elem_t *in, elem_t *out, size_t n)
{
    sections_kernel<<<1, ((unsigned)n + 23) / 24>>>(in, out, (unsigned)n);
}

/* A thread takes one place from the front and one from the back: all have n - 1 additions to make. */
__global__ void pairs_kernel(const elem_t *in, elem_t *out, unsigned n)
{
    unsigned near = threadIdx.x, far = n - 1 - near;
    elem_t sum = in[0];
    for (unsigned i = 1; i <= near; i++)
        sum = combine(sum, in[i]);
    out[near] = sum;
    if (far == near)
        return;
    for (unsigned i = near + 1; i <= far; i++)
        sum = combine(sum, in[i]);
    out[far] = sum;
}

void scan_quadratic(const elem_t *in, elem_t *out, size_t n) { pairs_kernel<<<1, (unsigned)(n + 1) / 2>>>(in, out, (unsigned)n); }

__global__ void reduce_kernel(const elem_t *in, elem_t *sums, size_t n, size_t sections)
{
    size_t s = (size_t)blockIdx.x * THREADS + threadIdx.x;
    if (s >= sections)
        return;
    elem_t sum = in[s * SECTION];
    for (size_t i = s * SECTION + 1; i < (s + 1) * SECTION && i < n; i++)
        sum = combine(sum, in[i]);
    sums[s] = sum;
}

__global__ void scan_kernel(const elem_t *in, const elem_t *scanned, elem_t *out, size_t n)
{
    size_t s     = (size_t)blockIdx.x * THREADS + threadIdx.x;
    bool nothing = s == 0; /* before the section */
    elem_t sum   = IDENTITY;
    if (!nothing && s * SECTION < n)
        sum = scanned[s - 1];
    for (size_t i = s * SECTION; i < (s + 1) * SECTION && i < n; i++) {
        sum     = nothing ? in[i] : combine(sum, in[i]);
        out[i]  = sum;
        nothing = false;
    }
}

/* The last section's sum is not needed. */
void scan_global(const elem_t *in, elem_t *out, size_t n)
{
    if (n == 0)
        return;
    size_t before   = (n - 1) / SECTION;
    elem_t *scratch = nullptr;
    if (before > 0) {
        cudaMalloc(&scratch, 2 * before * sizeof(elem_t));
        reduce_kernel<<<(unsigned)((before + THREADS - 1) / THREADS), THREADS>>>(in, scratch, n, before);
        scan_global(scratch, scratch + before, before);
    }
    scan_kernel<<<(unsigned)(before / THREADS + 1), THREADS>>>(in, scratch + before, out, n);
    cudaFree(scratch);
}

/* Four neighbours a thread, from the last to the first. */
__global__ void shift_kernel(const elem_t *in, elem_t *out, size_t n)
{
    size_t first = ((size_t)blockIdx.x * THREADS + threadIdx.x) * 4;
    for (size_t i = first + 4; i-- > first;)
        if (i < n)
            out[i] = i > 0 ? in[i - 1] : elem_t(IDENTITY);
}

void inclusive_to_exclusive(const elem_t *in, elem_t *out, size_t n)
{
    if (n > 0)
        shift_kernel<<<(unsigned)(n / (4 * THREADS) + 1), THREADS>>>(in, out, n);
}

__global__ void own_kernel(const elem_t *scanned, const elem_t *in, elem_t *out, size_t n)
{
    size_t first = ((size_t)blockIdx.x * THREADS + threadIdx.x) * 4;
    for (size_t i = first; i < first + 4 && i < n; i++)
        out[i] = combine(scanned[i], in[i]);
}

void exclusive_to_inclusive(const elem_t *scanned, const elem_t *in, elem_t *out, size_t n)
{
    if (n > 0)
        own_kernel<<<(unsigned)(n / (4 * THREADS) + 1), THREADS>>>(scanned, in, out, n);
}
