/* Every thread that finds something writes the same value to a flag: a warning. One thread per block is enough.
 * expect: warning: the same value is written several times */
#include "pair.h"

__global__ void any_zero(const int *in, int *found, bool faulty)
{
    bool mine = in[threadIdx.x] == 0;
    if (faulty) {
        if (mine)
            *found = 1; //! write
    } else {
        int any = __syncthreads_or(mine);
        if (threadIdx.x == 0 && any)
            *found = 1;
    }
}

PAIR(same_value)
{
    any_zero<<<1, 64>>>(zeros<int>(64), zeros<int>(1), faulty);
}

//= same_value.cu:10  any_zero: warning: the same value is written several times to byte 0 of an allocation
//=     thread 0 writes it at line 10, thread 1 writes it at line 10, the same value, and nothing orders them
//=     try: let one thread write it; then it does not matter whether all threads have the same value
