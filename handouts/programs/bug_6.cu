/* bug_6.cu: an inclusive scan in which each block waits for the block before, in the manner of a printed kernel. What is
 * wrong with it? */
#include "check_scan.h"

enum { SECTION = 32, BLOCKS = 4 };

__device__ int prefixes[BLOCKS], ready[BLOCKS]; /* both begin as 0 */

__global__ void scan_chained(const int *in, int *out, int n)
{
    __shared__ int section[SECTION], before;
    int t = threadIdx.x, b = blockIdx.x, i = b * SECTION + t;
    section[t] = i < n ? in[i] : 0;
    __syncthreads();

    for (int stride = 1; stride < SECTION; stride *= 2) {
        int left = t < stride ? 0 : section[t - stride];
        __syncthreads();
        section[t] = left + section[t];
        __syncthreads();
    }

    if (t == 0) {
        while (b > 0 && ready[b - 1] == 0) /* wait for the block before */
            ;
        before      = b > 0 ? prefixes[b - 1] : 0;
        prefixes[b] = before + section[SECTION - 1];
        ready[b]    = 1;
    }
    __syncthreads();

    if (i < n)
        out[i] = before + section[t];
}

int main()
{
    return check_scan(scan_chained, BLOCKS, SECTION, 100, true);
}
