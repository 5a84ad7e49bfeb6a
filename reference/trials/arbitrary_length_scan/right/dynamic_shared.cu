/* Tiles of its own choosing wherever the contract leaves the choice: 2048 elements in dynamic shared memory, scanned
 * in sections of odd length; the part's inputs copied first when a scan is in place.
 *
 * parts: scan_tiles add_block_sums scan_inclusive scan_exclusive scan_single_pass */
#include "arbitrary_length_scan.h"

template <unsigned WIDTH, unsigned THREADS>
__device__ elem_t *scan_shared(elem_t *tile, unsigned count)
{
    const unsigned each = (WIDTH + THREADS - 1) / THREADS | 1; /* odd: lanes reach different banks */
    elem_t *sums        = tile + WIDTH;
    unsigned t = threadIdx.x, begin = t * each < count ? t * each : count;
    unsigned end = begin + each < count ? begin + each : count;
    __syncthreads();
    for (unsigned i = begin; i + 1 < end; i++)
        tile[i + 1] = combine(tile[i], tile[i + 1]);
    if (begin < end)
        sums[t] = tile[end - 1];
    unsigned sections = (count + each - 1) / each;
    for (unsigned stride = 1; stride < sections; stride *= 2) {
        elem_t left = IDENTITY;
        __syncthreads();
        if (t >= stride && t < sections)
            left = sums[t - stride];
        __syncthreads();
        if (t >= stride && t < sections)
            sums[t] = combine(left, sums[t]);
    }
    __syncthreads();
    for (unsigned i = begin; t > 0 && i < end; i++)
        tile[i] = combine(sums[t - 1], tile[i]);
    __syncthreads();
    return tile;
}

template <unsigned WIDTH, unsigned THREADS>
__global__ void __launch_bounds__(THREADS)
tiles_kernel(const elem_t *in, elem_t *out, elem_t *sums, size_t n, int exclusive)
{
    extern __shared__ elem_t tile[];
    size_t first   = (size_t)blockIdx.x * WIDTH;
    unsigned count = n - first < WIDTH ? (unsigned)(n - first) : WIDTH;
    for (unsigned i = threadIdx.x; i < count; i += THREADS)
        tile[i] = in[first + i];
    scan_shared<WIDTH, THREADS>(tile, count);
    for (unsigned i = threadIdx.x; i < count; i += THREADS)
        out[first + i] = !exclusive ? tile[i] : i ? tile[i - 1] : elem_t(IDENTITY);
    if (threadIdx.x == THREADS - 1 && sums)
        sums[blockIdx.x] = tile[count - 1];
}

template <unsigned WIDTH>
__global__ void add_kernel(const elem_t *sums, const elem_t *in, elem_t *out, size_t n)
{
    size_t first = (size_t)blockIdx.x * WIDTH;
    for (size_t i = first + threadIdx.x; i < first + WIDTH && i < n; i += blockDim.x)
        out[i] = first ? combine(sums[blockIdx.x - 1], in[i]) : in[i];
}

void scan_tiles(const elem_t *in, elem_t *out, elem_t *sums, size_t n)
{
    if (n > 0)
        tiles_kernel<TILE, 96><<<(unsigned)((n + TILE - 1) / TILE), 96, (TILE + 96) * sizeof(elem_t)>>>(in, out, sums, n, 0);
}

void add_block_sums(const elem_t *sums, const elem_t *in, elem_t *out, size_t n)
{
    if (n > 0)
        add_kernel<TILE><<<(unsigned)((n + TILE - 1) / TILE), 160>>>(sums, in, out, n);
}

enum { WIDE = 1024, MANY = 64 };

static void scan(const elem_t *in, elem_t *out, size_t n, int exclusive)
{
    if (n == 0)
        return;
    size_t tiles = (n + WIDE - 1) / WIDE;
    elem_t *sums, *copy;
    cudaMalloc(&copy, n * sizeof(elem_t));
    cudaMalloc(&sums, tiles * sizeof(elem_t));
    cudaMemcpyAsync(copy, in, n * sizeof(elem_t), cudaMemcpyDeviceToDevice, cudaStreamPerThread);
    cudaStreamSynchronize(cudaStreamPerThread);
    tiles_kernel<WIDE, MANY><<<(unsigned)tiles, MANY, (WIDE + MANY) * sizeof(elem_t)>>>(copy, out, sums, n, exclusive);
    if (tiles > 1) {
        scan(sums, sums, tiles, 0);
        add_kernel<WIDE><<<(unsigned)tiles, 256>>>(sums, out, out, n);
    }
    cudaFree(sums);
    cudaFree(copy);
}

void scan_inclusive(const elem_t *in, elem_t *out, size_t n) { scan(in, out, n, 0); }
void scan_exclusive(const elem_t *in, elem_t *out, size_t n) { scan(in, out, n, 1); }

__device__ unsigned next_tile; /* ticket of the running launch */

/* Words of an element, written and read one by one through volatile. */
__device__ void put(volatile unsigned *to, elem_t value)
{
    const unsigned *words = reinterpret_cast<const unsigned *>(&value);
    for (unsigned w = 0; w < sizeof value / 4; w++)
        to[w] = words[w];
}

__device__ elem_t get(const volatile unsigned *from)
{
    elem_t value;
    unsigned *words = reinterpret_cast<unsigned *>(&value);
    for (unsigned w = 0; w < sizeof value / 4; w++)
        words[w] = from[w];
    return value;
}

/* A tile's record: status, sum, prefix, as words. */
__global__ void single_pass_kernel(const elem_t *in, elem_t *out, size_t n, volatile unsigned (*records)[5])
{
    extern __shared__ elem_t tile[];
    __shared__ unsigned b;
    if (threadIdx.x == 0)
        b = atomicInc(&next_tile, 0xFFFFFFFFu);
    __syncthreads();
    size_t first   = (size_t)b * WIDE;
    unsigned count = n - first < WIDE ? (unsigned)(n - first) : WIDE;
    for (unsigned i = threadIdx.x; i < count; i += MANY)
        tile[i] = in[first + i];
    scan_shared<WIDE, MANY>(tile, count);

    elem_t *before = tile + WIDE; /* nobody needs the sections' sums now */
    if (threadIdx.x == 0) {
        elem_t prefix = tile[count - 1];
        if (b > 0) {
            put(&records[b][1], prefix);
            __threadfence();
            records[b][0] = 1;
            elem_t sum    = IDENTITY;
            unsigned p = b, status;
            do {
                p--;
                while (!(status = records[p][0]))
                    ;
                __threadfence();
                sum = combine(get(&records[p][status == 2 ? 3 : 1]), sum);
            } while (status != 2);
            *before = sum;
            prefix  = combine(sum, prefix);
        }
        put(&records[b][3], prefix);
        __threadfence();
        records[b][0] = 2;
    }
    __syncthreads();
    for (unsigned i = threadIdx.x; i < count; i += MANY)
        out[first + i] = b ? combine(*before, tile[i]) : tile[i];
}

void scan_single_pass(const elem_t *in, elem_t *out, size_t n)
{
    if (n == 0)
        return;
    const unsigned zero = 0;
    size_t tiles = (n + WIDE - 1) / WIDE;
    unsigned (*records)[5];
    cudaMalloc((void **)&records, tiles * sizeof *records);
    cudaMemset(records, 0, tiles * sizeof *records);
    cudaMemcpyToSymbol(next_tile, &zero, sizeof zero);
    single_pass_kernel<<<(unsigned)tiles, MANY, (WIDE + MANY) * sizeof(elem_t)>>>(in, out, n, records);
    cudaFree(records);
}
