/* Every level a launch: no shared memory, no barrier. Scratch for all levels apart: the tree is
 * an array of arrays, half as long at each level.
 *
 * parts: scan_global_tree */
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

void scan_global_tree(const elem_t *in, elem_t *out, size_t n)
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
