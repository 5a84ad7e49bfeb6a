/* Accesses that begin in one variable and end after it: the neighbour's bytes are not part of it. */
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

//= device_variables_one_by_one.cu:8  count: atomic operation out of bounds: __device__ letter
//=     thread 0 of block 0 writes 4 bytes; it reaches 3 bytes over the end of a variable of 1 byte
//=     the kernel ends here
//=     try: check the index against the length of the variable, and the type against its own
