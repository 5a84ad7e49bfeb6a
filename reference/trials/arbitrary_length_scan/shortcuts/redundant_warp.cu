/* redundant_warp: every lane of a few warps combines the whole input in registers, by shuffles and the operator that no
 * meter counts. Each then writes elements of its own, with one counted combine.
 *
 * parts: scan_inclusive scan_exclusive scan_single_pass
 * says: instructions */
#include "arbitrary_length_scan.h"

__device__ elem_t shuffled(elem_t value, unsigned lane)
{
    unsigned words[sizeof(elem_t) / 4];
    memcpy(words, &value, sizeof value);
    for (unsigned &word : words)
        word = __shfl_sync(0xffffffffu, word, lane);
    memcpy(&value, words, sizeof value);
    return value;
}

/* Each block repeats the loop, and writes what is its own. An exclusive slot holds what comes before the element before, and
 * that element. */
__global__ void scan_kernel(const elem_t *in, elem_t *out, size_t n, bool exclusive)
{
    elem_t sum = IDENTITY, older = IDENTITY, last = IDENTITY;
    for (size_t base = 0; base < n; base += 32) {
        const size_t i = base + threadIdx.x;
        elem_t own = i < n ? in[i] : IDENTITY, before = IDENTITY, added = own;
        for (unsigned lane = 0; lane < 32; lane++) {
            if (lane == threadIdx.x) {
                before = exclusive ? older : sum;
                added  = exclusive ? last : own;
            }
            older = sum;
            last  = shuffled(own, lane);
            sum   = MONOID_COMBINE(sum, last);
        }
        if (i < n && base / 32 % gridDim.x == blockIdx.x)
            out[i] = exclusive && i == 0 ? IDENTITY : combine(before, added);
    }
}

static void scan(const elem_t *in, elem_t *out, size_t n, bool exclusive)
{
    if (n > 0)
        scan_kernel<<<n < 40000 ? 1 : 2, 32>>>(in, out, n, exclusive);
}

void scan_inclusive(const elem_t *in, elem_t *out, size_t n)
{
    scan(in, out, n, false);
}

void scan_exclusive(const elem_t *in, elem_t *out, size_t n)
{
    scan(in, out, n, true);
}

void scan_single_pass(const elem_t *in, elem_t *out, size_t n)
{
    scan(in, out, n, false);
}
