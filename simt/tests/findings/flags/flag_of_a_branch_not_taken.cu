/* One warp waits for a flag that the other sets only for long inputs.
 * expect: deadlock in wait */
#include "pair.h"

__global__ void wait(volatile int *flag, int *out, int n, bool faulty)
{
    if (threadIdx.x == 0) {
        while (*flag == 0) //! spins
            ;
        *out = 1;
    }
    if (threadIdx.x == 32 && (!faulty || n > 1000))
        *flag = 1;
}

PAIR(flag_of_a_branch_not_taken)
{
    wait<<<1, 64>>>(zeros<int>(1), zeros<int>(1), 10, faulty);
}
