/* The result that is copied back was never computed.
 * expect: copy to the host of uninitialized */
#include "pair.h"

__global__ void answer(int *out)
{
    *out = 42;
}

PAIR(result_of_no_launch)
{
    int *out, host = 0;
    must(cudaMalloc(&out, sizeof *out));
    if (!faulty)
        answer<<<1, 1>>>(out);
    must(cudaMemcpy(&host, out, sizeof host, cudaMemcpyDeviceToHost)); //! copy
}

//= result_of_no_launch.cu:16  pair_result_of_no_launch: copy to the host of uninitialized out[0]
//=     nothing has written any of the 4 bytes
//=     try: let a kernel write there first: was it launched, and on this array?
