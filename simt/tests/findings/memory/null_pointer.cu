__global__ void set(int *data)
{
    data[threadIdx.x] = 1;
}

int main()
{
    set<<<1, 32>>>(NULL);
    return cudaDeviceSynchronize() != cudaErrorIllegalAddress;
}

//= null_pointer.cu:3  set: write through a null pointer
//=     thread 0 of block 0 writes 4 bytes; the address is 0
//=     the kernel ends here
//=     try: is the pointer set? Did cudaMalloc succeed? Of 0 bytes it gives a null pointer: is a count rounded down to 0?
