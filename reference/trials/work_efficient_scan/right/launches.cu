/* Every level a launch, in every part: no shared memory, no barrier. Scratch for all levels apart: the tree is
 * an array of arrays, half as long at each level.
 *
 * parts: scan_blelloch scan_brent_kung scan_conflict_free scan_coarsened scan_global_tree */
#include "work_efficient_scan.h"
#include <vector>

__global__ void pairs_kernel(const elem_t *from, size_t count, elem_t *to)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (2 * i + 1 < count)
        to[i] = combine(from[2 * i], from[2 * i + 1]);
    else if (2 * i < count)
        to[i] = from[2 * i];
}

/* before[2i] = above[i]; before[2i + 1] = above[i] + level[2i]. level and before may be the same. */
__global__ void children_kernel(const elem_t *above, const elem_t *level, size_t count, elem_t *before)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (2 * i >= count)
        return;
    elem_t parent = above ? above[i] : IDENTITY, left = level[2 * i];
    before[2 * i] = parent;
    if (2 * i + 1 < count)
        before[2 * i + 1] = above ? combine(parent, left) : left;
}

__global__ void set_kernel(elem_t *out) { *out = IDENTITY; }


static unsigned blocks(size_t threads) { return (unsigned)((threads + 63) / 64); }

static void exclusive(const elem_t *in, elem_t *out, size_t n)
{
    if (n == 0)
        return;
    if (n == 1) {
        set_kernel<<<1, 1>>>(out);
        return;
    }
    std::vector<elem_t *> levels(1, nullptr);
    std::vector<size_t> counts(1, n);
    while (counts.back() > 2) {
        size_t count = (counts.back() + 1) / 2;
        elem_t *level;
        cudaMalloc(&level, count * sizeof(elem_t));
        pairs_kernel<<<blocks(count), 64>>>(levels.back() ? levels.back() : in, counts.back(), level);
        levels.push_back(level);
        counts.push_back(count);
    }
    for (size_t l = levels.size(); l-- > 0;) {
        const elem_t *above = l + 1 < levels.size() ? levels[l + 1] : nullptr;
        children_kernel<<<blocks((counts[l] + 1) / 2), 64>>>(above, l ? levels[l] : in, counts[l], l ? levels[l] : out);
    }
    for (elem_t *level : levels)
        cudaFree(level);
}

void scan_blelloch(const elem_t *in, elem_t *out, size_t n) { exclusive(in, out, n); }
void scan_conflict_free(const elem_t *in, elem_t *out, size_t n) { exclusive(in, out, n); }
void scan_global_tree(const elem_t *in, elem_t *out, size_t n) { exclusive(in, out, n); }

__global__ void up_kernel(elem_t *tree, unsigned n, unsigned stride)
{
    unsigned right = ((threadIdx.x + 1) * stride << 1) - 1;
    if (right < n)
        tree[right] = combine(tree[right - stride], tree[right]);
}

__global__ void down_kernel(elem_t *tree, unsigned n, unsigned stride)
{
    unsigned middle = 2 * stride * (threadIdx.x + 1) + stride - 1;
    if (middle < n)
        tree[middle] = combine(tree[middle - stride], tree[middle]);
}

void scan_brent_kung(const elem_t *in, elem_t *out, size_t n)
{
    unsigned stride = 1;
    if (in != out)
        cudaMemcpy(out, in, n * sizeof(elem_t), cudaMemcpyDefault);
    for (; stride < n; stride *= 2)
        up_kernel<<<1, (unsigned)n / 2>>>(out, (unsigned)n, stride);
    for (; stride > 0; stride /= 2)
        down_kernel<<<1, (unsigned)n / 2>>>(out, (unsigned)n, stride);
}

/* Three launches for the three phases. */
__global__ void phase_1(const elem_t *in, elem_t *out, elem_t *sums, size_t n, size_t each)
{
    size_t begin = threadIdx.x * each, end = begin + each < n ? begin + each : n;
    elem_t sum = IDENTITY;
    for (size_t i = begin; i < end; i++)
        out[i] = sum = i == begin ? in[i] : combine(sum, in[i]);
    sums[threadIdx.x] = sum;
}

__global__ void phase_3(const elem_t *before, elem_t *out, size_t n, size_t each)
{
    size_t begin = threadIdx.x * each, end = begin + each < n ? begin + each : n;
    for (size_t i = begin; threadIdx.x > 0 && i < end; i++)
        out[i] = combine(before[threadIdx.x], out[i]);
}

void scan_coarsened(const elem_t *in, elem_t *out, size_t n)
{
    const unsigned threads = 100;
    size_t each = (n + threads - 1) / threads;
    elem_t *sums;
    cudaMalloc(&sums, threads * sizeof(elem_t));
    phase_1<<<1, threads>>>(in, out, sums, n, each);
    exclusive(sums, sums, threads);
    phase_3<<<1, threads>>>(sums, out, n, each);
    cudaFree(sums);
}
