/* bug_5.cu: an inclusive scan by shuffles, in the manner of a printed kernel. What is wrong with it? */
#include "check_scan.h"

enum { WARP = 32, WARPS = 4 };

__global__ void scan_section(const int *in, int *out, int n)
{
    __shared__ int totals[WARPS];
    int t = threadIdx.x, lane = t % WARP, warp = t / WARP;
    int sum = t < n ? in[t] : 0;

    for (int stride = 1; stride < WARP; stride *= 2)
        if (lane >= stride)
            sum = __shfl_up_sync(0xffffffff, sum, stride) + sum;

    if (lane == WARP - 1)
        totals[warp] = sum;
    __syncthreads();
    for (int w = 0; w < warp; w++) /* the totals of the warps before */
        sum += totals[w];

    if (t < n)
        out[t] = sum;
}

int main()
{
    return check_scan(scan_section, 1, WARPS * WARP, 100, true);
}
