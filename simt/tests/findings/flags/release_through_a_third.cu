/* Data passes from block 0 to 1 to 2: each step needs its fences, or the last block may not see the first one's writes.
 * expect: race on __device__ data
 * resident: 3 */
#include "pair.h"

__device__ int data;
__device__ volatile int first, second;

__global__ void chain(int *out, bool faulty)
{
    if (blockIdx.x == 0) {
        data = 42; //! write
        __threadfence();
        first = 1;
    } else if (blockIdx.x == 1) {
        while (first == 0)
            ;
        if (!faulty)
            __threadfence();
        second = 1;
    } else {
        while (second == 0)
            ;
        __threadfence();
        *out = data; //! read
    }
}

PAIR(release_through_a_third)
{
    chain<<<3, 1>>>(zeros<int>(1), faulty);
}
