/* merge-sort.cu: a merge sort made from the parts of lab 5: tiles are sorted, and pairs of tiles are merged until one
 * is left.
 *
 * A figure of handout 5 shows what this program's kernels do (reference/figures.py). It is compiled with -DSIMT_TRACE
 * -DTILE=8, so that the largest merge, of two tiles of 8 keys, fills its block. It prints the sorted keys. */
#include "radix_sort.cu"
#include <stdio.h>

enum {
    ALL   = 16, /* all keys differ, so that a figure can follow each of them */
    FIRST = 4   /* number of keys in a tile for sort_tile */
};

/* From labs/support/stock/stock_cpu.h: sets which stock functions may be called; here all. */
extern "C" void stock_allow(const char *name, unsigned functions);

int main(void)
{
    static const unsigned keys[ALL] = {26, 15, 19, 58, 17, 35, 12, 39, 60, 8, 64, 95, 56, 41, 72, 91};
    unsigned *in, *sorted[3], out[ALL]; /* sorted[l] has tiles of FIRST << l keys */

    stock_allow("merge_sort", ~0u);
    cudaMalloc(&in, sizeof keys);
    cudaMemcpy(in, keys, sizeof keys, cudaMemcpyHostToDevice);
    for (unsigned level = 0; level < 3; level++)
        cudaMalloc(&sorted[level], sizeof keys);

    for (unsigned i = 0; i < ALL; i += FIRST)
        sort_tile(in + i, sorted[0] + i, FIRST);
    for (unsigned level = 0, n = FIRST; n < ALL; level++, n *= 2)
        for (unsigned i = 0; i < ALL; i += 2 * n)
            merge_tiles(sorted[level] + i, n, sorted[level] + i + n, n, sorted[level + 1] + i);

    cudaMemcpy(out, sorted[2], sizeof out, cudaMemcpyDeviceToHost);
    for (unsigned i = 0; i < ALL; i++)
        printf("%u%c", out[i], i == ALL - 1 ? '\n' : ' ');
    return 0;
}
