/* Memory is freed before the kernel that uses it.
 * expect: read of freed memory */
#include "pair.h"

__global__ void copy(const int *from, int *to)
{
    to[threadIdx.x] = from[threadIdx.x]; //! read
}

PAIR(use_after_free)
{
    int *from = zeros<int>(32), *to = zeros<int>(32);
    if (faulty)
        must(cudaFree(from));
    copy<<<1, 32>>>(from, to);
    if (!faulty)
        must(cudaFree(from));
}
