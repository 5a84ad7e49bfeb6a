/* The data must be written first, and the flag after a fence, not the other way round.
 * expect: race on __device__ data
 * resident: 2 */
#include "pair.h"

__device__ int data;
__device__ volatile int ready;

__global__ void hand_over(int *out, bool faulty)
{
    if (blockIdx.x == 0) {
        for (int step = 0; step < 2; step++) {
            if (step == (faulty ? 1 : 0)) {
                data = 42; //! write
            } else {
                __threadfence();
                ready = 1;
            }
        }
    } else {
        while (ready == 0)
            ;
        __threadfence();
        *out = data; //! read
    }
}

PAIR(flag_before_data)
{
    hand_over<<<2, 1>>>(zeros<int>(1), faulty);
}
