/* bug_3.cu: an inclusive scan with several numbers a thread, in the manner of a printed kernel. What is wrong? */
#include "check_scan.h"

enum { WORKERS = 32, EACH = 4, SECTION = WORKERS * EACH };

__global__ void scan_section(const int *in, int *out, int n)
{
    __shared__ int section[SECTION], totals[WORKERS];
    int t = threadIdx.x;

    for (int k = 0; k < EACH; k++)
        section[k * WORKERS + t] = in[k * WORKERS + t];
    __syncthreads();

    for (int k = 1; k < EACH; k++) /* each thread scans its own numbers */
        section[t * EACH + k] += section[t * EACH + k - 1];
    totals[t] = section[t * EACH + EACH - 1];
    __syncthreads();

    if (t == 0) /* one thread scans the totals */
        for (int w = 1; w < WORKERS; w++)
            totals[w] += totals[w - 1];
    __syncthreads();

    for (int k = 0; k < EACH - 1; k++) /* each adds to its own numbers; the last is a total */
        section[t * EACH + k] += totals[t];
    section[t * EACH + EACH - 1] = totals[t];
    __syncthreads();

    for (int k = 0; k < EACH; k++)
        out[k * WORKERS + t] = section[k * WORKERS + t];
}

int main()
{
    return check_scan(scan_section, 1, WORKERS, SECTION - 28, true);
}
