/* bug_4.cu: an inclusive scan by a tree, in the manner of a printed kernel. What is wrong with it? */
#include "check_scan.h"

enum { SECTION = 128 };

__global__ void scan_section(const int *in, int *out, int n)
{
    __shared__ int tree[SECTION];
    int i = threadIdx.x;
    tree[i] = i < n ? in[i] : 0;

    for (int half = 1; half < blockDim.x; half *= 2) { /* up */
        if ((i + 1) % (half * 2) == 0)
            tree[i] += tree[i - half];
        __syncthreads();
    }
    for (int half = blockDim.x / 4; half >= 1; half /= 2) { /* down */
        if ((i + 1) % (half * 2) == 0 && i + half < blockDim.x)
            tree[i + half] += tree[i];
        __syncthreads();
    }

    if (i < n)
        out[i] = tree[i];
}

int main()
{
    return check_scan(scan_section, 1, SECTION, 100, true);
}
