/* As books print these kernels: GPU Gems 3's loops over offset and d, Kirk and Hwu's over stride and index, a macro for
 * offsets without bank conflicts, sections in registers, and a tree in global memory that the host walks.
 *
 * parts: scan_blelloch scan_brent_kung scan_conflict_free scan_coarsened scan_global_tree */
#include "work_efficient_scan.h"

#define LOG_NUM_BANKS           5
#define CONFLICT_FREE_OFFSET(i) ((i) / (32 * 4 / (int)sizeof(elem_t)))

/* GPU Gems 3, chapter 39, listing 39-2. */
__global__ void prescan(elem_t *g_odata, const elem_t *g_idata, int n)
{
    extern __shared__ elem_t temp[];
    int thid   = (int)threadIdx.x;
    int offset = 1;
    temp[2 * thid]     = g_idata[2 * thid];
    temp[2 * thid + 1] = g_idata[2 * thid + 1];
    for (int d = n >> 1; d > 0; d >>= 1) {
        __syncthreads();
        if (thid < d) {
            int ai   = offset * (2 * thid + 1) - 1;
            int bi   = offset * (2 * thid + 2) - 1;
            temp[bi] = combine(temp[ai], temp[bi]);
        }
        offset *= 2;
    }
    if (thid == 0)
        temp[n - 1] = IDENTITY;
    for (int d = 1; d < n; d *= 2) {
        offset >>= 1;
        __syncthreads();
        if (thid < d) {
            int ai   = offset * (2 * thid + 1) - 1;
            int bi   = offset * (2 * thid + 2) - 1;
            elem_t t = temp[ai];
            temp[ai] = temp[bi];
            temp[bi] = combine(temp[bi], t);
        }
    }
    __syncthreads();
    g_odata[2 * thid]     = temp[2 * thid];
    g_odata[2 * thid + 1] = temp[2 * thid + 1];
}

void scan_blelloch(const elem_t *in, elem_t *out, size_t n)
{
    prescan<<<1, (unsigned)n / 2, n * sizeof(elem_t)>>>(out, in, (int)n);
}

/* Kirk and Hwu, chapter 11. */
template <unsigned SECTION_SIZE> __global__ void Brent_Kung_scan_kernel(const elem_t *X, elem_t *Y, unsigned N)
{
    __shared__ elem_t XY[SECTION_SIZE];
    unsigned i = 2 * blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N)
        XY[threadIdx.x] = X[i];
    if (i + blockDim.x < N)
        XY[threadIdx.x + blockDim.x] = X[i + blockDim.x];
    for (unsigned stride = 1; stride <= blockDim.x; stride *= 2) {
        __syncthreads();
        unsigned index = (threadIdx.x + 1) * 2 * stride - 1;
        if (index < N)
            XY[index] = combine(XY[index - stride], XY[index]);
    }
    for (int stride = SECTION_SIZE / 4; stride > 0; stride /= 2) {
        __syncthreads();
        unsigned index = (threadIdx.x + 1) * stride * 2 - 1;
        if (index + stride < N)
            XY[index + stride] = combine(XY[index], XY[index + stride]);
    }
    __syncthreads();
    if (i < N)
        Y[i] = XY[threadIdx.x];
    if (i + blockDim.x < N)
        Y[i + blockDim.x] = XY[threadIdx.x + blockDim.x];
}

void scan_brent_kung(const elem_t *in, elem_t *out, size_t n)
{
    Brent_Kung_scan_kernel<TILE><<<1, (unsigned)n / 2>>>(in, out, (unsigned)n);
}

template <int N_MAX> __global__ void conflict_free_kernel(elem_t *g_odata, const elem_t *g_idata, int n)
{
    __shared__ elem_t temp[N_MAX + CONFLICT_FREE_OFFSET(N_MAX)];
    const int thid = (int)threadIdx.x;
    const int ai = thid, bi = thid + n / 2;
    const int bankOffsetA = CONFLICT_FREE_OFFSET(ai), bankOffsetB = CONFLICT_FREE_OFFSET(bi);
    temp[ai + bankOffsetA] = g_idata[ai];
    temp[bi + bankOffsetB] = g_idata[bi];
    int offset = 1;
    for (int d = n >> 1; d > 0; d >>= 1, offset *= 2) {
        __syncthreads();
        if (thid < d) {
            int left = offset * (2 * thid + 1) - 1, right = offset * (2 * thid + 2) - 1;
            left += CONFLICT_FREE_OFFSET(left);
            right += CONFLICT_FREE_OFFSET(right);
            temp[right] = combine(temp[left], temp[right]);
        }
    }
    if (thid == 0)
        temp[n - 1 + CONFLICT_FREE_OFFSET(n - 1)] = IDENTITY;
    for (int d = 1; d < n; d *= 2) {
        offset >>= 1;
        __syncthreads();
        if (thid < d) {
            int left = offset * (2 * thid + 1) - 1, right = offset * (2 * thid + 2) - 1;
            left += CONFLICT_FREE_OFFSET(left);
            right += CONFLICT_FREE_OFFSET(right);
            const elem_t t = temp[left];
            temp[left]     = temp[right];
            temp[right]    = combine(temp[right], t);
        }
    }
    __syncthreads();
    g_odata[ai] = temp[ai + bankOffsetA];
    g_odata[bi] = temp[bi + bankOffsetB];
}

void scan_conflict_free(const elem_t *in, elem_t *out, size_t n)
{
    conflict_free_kernel<TILE><<<1, (unsigned)n / 2>>>(out, in, (int)n);
}

/* A section of neighbours in each thread's registers, as block-wide primitives take it. */
template <unsigned ITEMS> __device__ void load_direct(const elem_t *in, unsigned n, elem_t (&items)[ITEMS], unsigned &valid)
{
    valid = 0;
#pragma unroll
    for (unsigned k = 0; k < ITEMS; k++) {
        const unsigned i = threadIdx.x * ITEMS + k;
        items[k]         = IDENTITY;
        if (i < n) {
            items[k] = in[i];
            valid++;
        }
    }
}

template <unsigned THREADS, unsigned ITEMS> __global__ void sections_kernel(const elem_t *in, elem_t *out, unsigned n)
{
    __shared__ elem_t sums[2][THREADS];
    elem_t items[ITEMS];
    unsigned valid;
    load_direct(in, n, items, valid);
    for (unsigned k = 1; k < valid; k++)
        items[k] = combine(items[k - 1], items[k]);
    elem_t *read = sums[0], *write = sums[1];
    elem_t sum = valid > 0 ? items[valid - 1] : IDENTITY;
    read[threadIdx.x] = sum;
    for (unsigned stride = 1; stride < THREADS; stride <<= 1) {
        __syncthreads();
        sum = threadIdx.x >= stride ? combine(read[threadIdx.x - stride], sum) : sum;
        write[threadIdx.x] = sum;
        elem_t *const last = read;
        read               = write;
        write              = last;
    }
    __syncthreads();
    for (unsigned k = 0; k < valid; k++)
        out[threadIdx.x * ITEMS + k] = threadIdx.x > 0 ? combine(read[threadIdx.x - 1], items[k]) : items[k];
}

void scan_coarsened(const elem_t *in, elem_t *out, size_t n)
{
    sections_kernel<TILE / 4, 16><<<1, TILE / 4>>>(in, out, (unsigned)n);
}

__global__ void fill_kernel(elem_t *tree, size_t n, size_t P)
{
    for (size_t i = n + (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < P; i += (size_t)gridDim.x * blockDim.x)
        tree[i] = IDENTITY;
}

enum class Way { up, down };

template <Way way> __global__ void level_kernel(elem_t *tree, size_t P, size_t stride)
{
    for (size_t k = (size_t)blockIdx.x * blockDim.x + threadIdx.x; k < P / (2 * stride);
         k += (size_t)gridDim.x * blockDim.x) {
        elem_t &left = tree[2 * stride * k + stride - 1], &right = tree[2 * stride * (k + 1) - 1];
        if (way == Way::up) {
            right = combine(left, right);
        } else {
            const elem_t before = stride == P / 2 ? IDENTITY : right;
            const elem_t sum    = left;
            left                = before;
            right               = stride == P / 2 ? sum : combine(before, sum);
        }
    }
}

__global__ void one_kernel(elem_t *out) { *out = IDENTITY; }

void scan_global_tree(const elem_t *in, elem_t *out, size_t n)
{
    if (n <= 1) {
        if (n == 1)
            one_kernel<<<1, 1>>>(out);
        return;
    }
    size_t P = 1;
    while (P < n)
        P *= 2;
    const auto blocks = [](size_t threads) { return (unsigned)(threads / 256 + 1 < 4096 ? threads / 256 + 1 : 4096); };
    elem_t *tree;
    cudaMalloc((void **)&tree, P * sizeof(elem_t));
    cudaMemcpy(tree, in, n * sizeof(elem_t), cudaMemcpyDeviceToDevice);
    if (P > n)
        fill_kernel<<<blocks(P - n), 256>>>(tree, n, P);
    size_t stride = 1;
    for (; stride < P; stride *= 2)
        level_kernel<Way::up><<<blocks(P / 2 / stride), 256>>>(tree, P, stride);
    while (stride /= 2)
        level_kernel<Way::down><<<blocks(P / 2 / stride), 256>>>(tree, P, stride);
    cudaMemcpy(out, tree, n * sizeof(elem_t), cudaMemcpyDeviceToDevice);
    cudaFree(tree);
}
