/* What begins in one variable and ends behind it: the neighbour's bytes are not meant. */
__device__ int before;
__device__ char letter;
__device__ int behind;

__global__ void count()
{
    atomicAdd((int *)&letter, 1);
}

int main()
{
    count<<<1, 1>>>();
    return cudaDeviceSynchronize() != cudaErrorIllegalAddress;
}
