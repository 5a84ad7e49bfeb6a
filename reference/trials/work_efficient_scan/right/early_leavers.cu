/* All blocks have as many threads as the largest tile needs; those without work leave before the barriers. A warp is the
 * unit of the coarsened scan: rows of 32 loaded side by side and scanned by shuffles. Any length: nine
 * levels of the tree a launch, in tiles.
 *
 * parts: scan_blelloch scan_brent_kung scan_conflict_free scan_coarsened scan_global_tree */
#include "work_efficient_scan.h"

constexpr unsigned FULL = 0xffffffffu;

/* The exclusive scan of n = 2 * (threads that stay) elements. */
template <unsigned GAP> __global__ void leaving_kernel(const elem_t *in, elem_t *out, unsigned n)
{
    extern __shared__ elem_t tree[];
    unsigned t = threadIdx.x;
    if (t >= n / 2)
        return;
    auto at = [](unsigned i) { return i + i / GAP; };
    for (unsigned i = t; i < n; i += n / 2)
        tree[at(i)] = in[i];
    unsigned stride = 1;
    for (unsigned pairs = n / 2; pairs > 0; pairs /= 2, stride *= 2) {
        __syncthreads();
        if (t < pairs)
            tree[at((2 * t + 2) * stride - 1)] =
                combine(tree[at((2 * t + 1) * stride - 1)], tree[at((2 * t + 2) * stride - 1)]);
    }
    if (t == 0)
        tree[at(n - 1)] = IDENTITY;
    for (unsigned pairs = 1; pairs < n; pairs *= 2) {
        stride /= 2;
        __syncthreads();
        if (t < pairs) {
            elem_t left = tree[at((2 * t + 1) * stride - 1)], before = tree[at((2 * t + 2) * stride - 1)];
            tree[at((2 * t + 1) * stride - 1)] = before;
            tree[at((2 * t + 2) * stride - 1)] = combine(before, left);
        }
    }
    __syncthreads();
    for (unsigned i = t; i < n; i += n / 2)
        out[i] = tree[at(i)];
}

static void leaving(const elem_t *in, elem_t *out, size_t n)
{
    constexpr unsigned GAP = 128 / sizeof(elem_t);
    leaving_kernel<GAP><<<1, TILE / 2, (n + n / GAP) * sizeof(elem_t)>>>(in, out, (unsigned)n);
}

void scan_blelloch(const elem_t *in, elem_t *out, size_t n)
{
    leaving(in, out, n);
}

void scan_conflict_free(const elem_t *in, elem_t *out, size_t n)
{
    leaving(in, out, n);
}

/* Inclusive, by Brent and Kung, threads that own one element each. */
__global__ void own_element_kernel(const elem_t *in, elem_t *out, unsigned n)
{
    __shared__ elem_t tree[TILE];
    unsigned t = threadIdx.x;
    if (t >= n)
        return;
    tree[t] = in[t];
    for (unsigned stride = 1; stride < n; stride *= 2) {
        __syncthreads();
        if ((t + 1) % (2 * stride) == 0)
            tree[t] = combine(tree[t - stride], tree[t]);
    }
    for (unsigned stride = n / 4; stride > 0; stride /= 2) {
        __syncthreads();
        if (t >= 2 * stride && (t + 1) % (2 * stride) == stride)
            tree[t] = combine(tree[t - stride], tree[t]);
    }
    out[t] = tree[t];
}

void scan_brent_kung(const elem_t *in, elem_t *out, size_t n)
{
    own_element_kernel<<<1, TILE>>>(in, out, (unsigned)n);
}

__device__ elem_t left_lane(elem_t mine, unsigned delta)
{
    union {
        elem_t value;
        unsigned word[sizeof(elem_t) / 4];
    } is = {mine};
    for (unsigned &word : is.word)
        word = __shfl_up_sync(FULL, word, delta);
    return is.value;
}

/* Each warp has a stretch of rows of 32 elements: it adds them up, waits for the sums of the others, and goes through
 * the stretch once more with a running sum. */
__global__ void stretches_kernel(const elem_t *in, elem_t *out, unsigned n)
{
    enum { MOST_WARPS = 4, ROW = 32 };
    __shared__ elem_t sums[MOST_WARPS];
    unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
    unsigned rows = (n + ROW - 1) / ROW, begin = rows * warp / warps, end = rows * (warp + 1) / warps;

    /* a lane adds up neighbours of its own: as many as there are rows */
    unsigned own = (end - begin) * ROW / 32, from = begin * ROW + lane * own, to = from + own < n ? from + own : n;
    elem_t sum = from < to ? in[from] : IDENTITY;
    for (unsigned i = from + 1; i < to; i++)
        sum = combine(sum, in[i]);
    elem_t before = sum;
    for (unsigned stride = 1; stride < 32; stride *= 2) {
        elem_t left = left_lane(before, stride);
        if (lane >= stride)
            before = combine(left, before);
    }
    if (lane == 31)
        sums[warp] = before;
    before = left_lane(before, 1);
    __syncthreads();
    elem_t ahead = IDENTITY;
    for (unsigned w = 0; w < warp; w++)
        ahead = w > 0 ? combine(ahead, sums[w]) : sums[w];
    if (lane == 0)
        before = ahead;
    else if (warp > 0)
        before = combine(ahead, before);
    bool nothing = lane == 0 && warp == 0;
    for (unsigned i = from; i < to; i++) {
        before  = nothing ? in[i] : combine(before, in[i]);
        out[i]  = before;
        nothing = false;
    }
}

void scan_coarsened(const elem_t *in, elem_t *out, size_t n)
{
    stretches_kernel<<<1, n <= 256 ? 32 : n <= 512 ? 64 : 128>>>(in, out, (unsigned)n);
}

/* ---- any length: nine levels of the tree a launch, in tiles ---------------------------------------------- */

constexpr unsigned SHARE = 512;

/* A power of two that holds the elements of a block, 2 to SHARE. */
__device__ unsigned share_size(size_t left)
{
    unsigned m = 2;
    while (m < SHARE && m < left)
        m *= 2;
    return m;
}

/* The levels of a share: the tree takes the elements' places, sums[b] its root. */
__global__ void shares_up_kernel(const elem_t *in, elem_t *tree, elem_t *sums, size_t n)
{
    __shared__ elem_t here[SHARE];
    size_t first = (size_t)blockIdx.x * SHARE;
    unsigned t = threadIdx.x, m = share_size(n - first);
    if (t >= m / 2)
        return;
    for (unsigned i = t; i < m; i += m / 2)
        here[i] = first + i < n ? in[first + i] : IDENTITY;
    for (unsigned stride = 1; stride < m; stride *= 2) {
        __syncthreads();
        unsigned right = (t + 1) * 2 * stride - 1;
        if (right < m)
            here[right] = combine(here[right - stride], here[right]);
    }
    __syncthreads();
    for (unsigned i = t; i < m; i += m / 2)
        tree[first + i] = here[i];
    if (t == 0)
        sums[blockIdx.x] = here[m - 1];
}

/* And down again, from the sum before each share. */
__global__ void shares_down_kernel(const elem_t *tree, const elem_t *before, elem_t *out, size_t n)
{
    __shared__ elem_t here[SHARE];
    size_t first = (size_t)blockIdx.x * SHARE;
    unsigned t = threadIdx.x, m = share_size(n - first);
    if (t >= m / 2)
        return;
    for (unsigned i = t; i < m; i += m / 2)
        here[i] = tree[first + i];
    __syncthreads();
    if (t == 0)
        here[m - 1] = before ? before[blockIdx.x] : IDENTITY;
    for (unsigned stride = m / 2; stride > 0; stride /= 2) {
        __syncthreads();
        unsigned right = (t + 1) * 2 * stride - 1;
        if (right < m) {
            elem_t left          = here[right - stride];
            here[right - stride] = here[right];
            here[right]          = combine(here[right], left);
        }
    }
    __syncthreads();
    for (unsigned i = t; i < m && first + i < n; i += m / 2)
        out[first + i] = here[i];
}

void scan_global_tree(const elem_t *in, elem_t *out, size_t n)
{
    if (n == 0)
        return;
    size_t shares = (n + SHARE - 1) / SHARE;
    elem_t *memory;
    cudaMalloc(&memory, (shares * SHARE + shares) * sizeof *memory);
    elem_t *sums = memory + shares * SHARE;
    shares_up_kernel<<<(unsigned)shares, SHARE / 2>>>(in, memory, sums, n);
    if (shares > 1)
        scan_global_tree(sums, sums, shares);
    shares_down_kernel<<<(unsigned)shares, SHARE / 2>>>(memory, shares > 1 ? sums : nullptr, out, n);
    cudaFree(memory);
}
