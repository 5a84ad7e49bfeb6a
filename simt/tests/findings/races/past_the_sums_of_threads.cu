/* A block has more threads than its array of sums has elements. A store past the end through a pointer changes the next
 * array in shared memory, which other threads read at that time: the race is explained by the array that was meant.
 * expect: race on shared tile */
#include "pair.h"

enum { SCANNERS = 32 };

__device__ void publish(int *own, int value)
{
    own[threadIdx.x] = value; //! write
}

__global__ void add_sections(const int *in, int *out)
{
    __shared__ int tile[64];
    __shared__ int sums[SCANNERS];
    unsigned t = threadIdx.x;
    if (t < SCANNERS) {
        tile[2 * t]     = in[2 * t];
        tile[2 * t + 1] = in[2 * t + 1];
    }
    __syncthreads();
    publish(sums, t < SCANNERS ? tile[2 * t] + tile[2 * t + 1] : 0); //! read
    __syncthreads();
    if (t < SCANNERS)
        out[t] = sums[t];
}

PAIR(past_the_sums_of_threads)
{
    add_sections<<<1, faulty ? 2 * SCANNERS : SCANNERS>>>(zeros<int>(64), zeros<int>(SCANNERS));
}

//= past_the_sums_of_threads.cu:23  add_sections: race on shared tile[0]
//=     thread 32 writes it at line 10, thread 0 reads it at line 23, and no barrier stands between
//=     sums[32] is past the end: sums has 32 elements, and tile is the next array in shared memory
//=     try: launch as many threads as the array has elements, guard the access, or make the array longer
