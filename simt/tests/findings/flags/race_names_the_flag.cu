/* The finding names not the ticket, which precedes the data in each block, but the flag that is waited for. */
#include <cuda_runtime.h>

struct chain {
    unsigned *ticket;
    volatile unsigned *status;
    int *sum, *prefix;
};

static __device__ unsigned take(struct chain chain)
{
    __shared__ unsigned tile;
    if (threadIdx.x == 0)
        tile = atomicAdd(chain.ticket, 1);
    __syncthreads();
    return tile;
}

__global__ void without_fence(struct chain chain)
{
    const unsigned tile = take(chain);
    if (threadIdx.x == 0) {
        int before = 0;
        if (tile > 0) {
            while (chain.status[tile - 1] == 0)
                ;
            __threadfence();
            before = chain.sum[tile - 1];
        }
        chain.sum[tile] = before + 1;
        chain.status[tile] = 1;
    }
}

__global__ void flag_first(struct chain chain)
{
    const unsigned tile = take(chain);
    if (threadIdx.x == 0) {
        int before = 0;
        if (tile > 0) {
            while (chain.status[tile - 1] == 0)
                ;
            __threadfence();
            before = chain.sum[tile - 1];
        }
        chain.status[tile] = 1;
        __threadfence();
        chain.sum[tile] = before + 1;
    }
}

/* The fence of the first flag does not serve the second. */
__global__ void second_fence(struct chain chain)
{
    const unsigned tile = take(chain);
    if (threadIdx.x == 0) {
        int before = 0;
        chain.sum[tile] = 1;
        __threadfence();
        chain.status[tile] = 1;
        if (tile > 0) {
            while (chain.status[tile - 1] != 2)
                ;
            __threadfence();
            before = chain.prefix[tile - 1];
        }
        chain.prefix[tile] = before + 1;
        chain.status[tile] = 2;
    }
}

/* There is no flag at all, and the ticket does not serve as one. */
__global__ void without_flag(struct chain chain)
{
    const unsigned tile = take(chain);
    if (threadIdx.x == 0) {
        __threadfence();
        chain.sum[tile] = (tile > 0 ? chain.sum[tile - 1] : 0) + 1;
    }
}

int main()
{
    struct chain chain;
    void (*const kernels[])(struct chain) = {without_fence, flag_first, second_fence, without_flag};
    cudaMalloc(&chain.ticket, sizeof(unsigned));
    cudaMalloc(&chain.status, 4 * sizeof(unsigned));
    cudaMalloc(&chain.sum, 4 * sizeof(int));
    cudaMalloc(&chain.prefix, 4 * sizeof(int));
    for (auto kernel : kernels) {
        cudaMemset(chain.ticket, 0, sizeof(unsigned));
        cudaMemset((void *)chain.status, 0, 4 * sizeof(unsigned));
        cudaMemset(chain.sum, 0, 4 * sizeof(int));
        kernel<<<4, 2>>>(chain);
    }
    return cudaDeviceSynchronize() != cudaSuccess;
}

//= race_names_the_flag.cu:30  without_fence: race on chain.sum[0]
//=     thread 0 of block 1 reads it at line 28, thread 0 of block 0 writes it at line 30, and no __threadfence() stands before the flag that line 31 sets
//=     try: write the data, __threadfence(), then set the flag; read the flag, __threadfence(), then the data
//= race_names_the_flag.cu:48  flag_first: race on chain.sum[0]
//=     thread 0 of block 1 reads it at line 44, thread 0 of block 0 writes it at line 48, and the flag that line 46 sets is set before it
//=     try: write the data, __threadfence(), then set the flag
//= race_names_the_flag.cu:67  second_fence: race on chain.prefix[0]
//=     thread 0 of block 1 reads it at line 65, thread 0 of block 0 writes it at line 67, and no __threadfence() stands before the flag that line 68 sets
//=     try: write the data, __threadfence(), then set the flag; read the flag, __threadfence(), then the data
//= race_names_the_flag.cu:78  without_flag: race on chain.sum[0]
//=     thread 0 of block 1 reads it at line 78, thread 0 of block 0 writes it at line 78, and nothing orders blocks of one launch
//=     try: end the kernel between the two: a second launch sees all that the first one wrote
