/* bug_1.cu: an inclusive scan of one section, in the manner of a printed kernel. What is wrong with it? */
#include "check_scan.h"

enum { SECTION = 128 };

__global__ void scan_section(const int *in, int *out, int n)
{
    __shared__ int section[SECTION];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        section[threadIdx.x] = in[i];

    for (int stride = 1; stride <= threadIdx.x; stride *= 2) {
        __syncthreads();
        int left = section[threadIdx.x - stride];
        __syncthreads();
        section[threadIdx.x] += left;
    }

    if (i < n)
        out[i] = section[threadIdx.x];
}

int main()
{
    return check_scan(scan_section, 1, SECTION, 100, true);
}
