/* bug_2.cu: an inclusive scan with two buffers, in the manner of a printed kernel. What is wrong with it? */
#include "check_scan.h"

enum { SECTION = 128 };

__global__ void scan_section(const int *in, int *out, int n)
{
    __shared__ float first[SECTION], second[SECTION];
    int t = threadIdx.x;
    first[t] = t < n ? in[t] : 0;

    bool swapped = false;
    for (int stride = 1; stride < blockDim.x; stride *= 2) {
        float *source = swapped ? second : first;
        float *target = swapped ? first : second;
        target[t]     = t < stride ? source[t] : source[t] + source[t - stride];
        swapped       = !swapped;
    }

    if (t < n)
        out[t] = swapped ? second[t] : first[t];
}

int main()
{
    return check_scan(scan_section, 1, SECTION, 100, true);
}
