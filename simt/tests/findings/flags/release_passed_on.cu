/* A read-modify-write passes on what the setter of the flag released; a plain store of another thread does not.
 * expect: race on __device__ data
 * also: no fence between the flag and __device__ stage
 * resident: 3 */
#include "pair.h"

__device__ int data;
__device__ int stage;
__device__ volatile int passed;

__global__ void chain(int *out, bool faulty)
{
    volatile int *flag = &stage;
    if (blockIdx.x == 0) {
        data = 42; //! write
        __threadfence();
        atomicExch(&stage, 1);
    } else if (blockIdx.x == 1) {
        while (*flag != 1)
            ;
        if (faulty)
            *flag = 2;
        else
            atomicAdd(&stage, 1);
        passed = 1;
    } else {
        while (passed == 0) /* the stage is read only once, when it is 2 */
            ;
        int last = *flag;
        __threadfence();
        *out = last + data; //! read
    }
}

PAIR(release_passed_on)
{
    chain<<<3, 1>>>(zeros<int>(1), faulty);
}
