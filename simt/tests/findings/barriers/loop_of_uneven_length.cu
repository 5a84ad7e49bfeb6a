/* Each thread repeats the loop once for each of its elements, with a barrier in each iteration.
 * expect: threads of one block wait at different barriers */
#include "pair.h"

__global__ void rounds(int *data, int n, bool faulty)
{
    int t = (int)threadIdx.x, last = faulty ? n - t : n;
    for (int i = 0; i < last; i += 32) {
        if (i + t < n)
            data[i + t] += 1;
        __syncthreads(); //! in the loop
    }
    __syncthreads(); //! behind it
    if (t == 0)
        data[0] += data[n - 1];
}

PAIR(loop_of_uneven_length)
{
    rounds<<<1, 32>>>(zeros<int>(80), 80, faulty);
}

//= loop_of_uneven_length.cu:11  rounds: threads of one block wait at different barriers
//=     threads 0-15 of block 0 wait at the block's barrier at line 11
//=     threads 16-31 of block 0 wait at the block's barrier at line 13
//=     try: move the barrier out of the branch or loop that only some threads take
