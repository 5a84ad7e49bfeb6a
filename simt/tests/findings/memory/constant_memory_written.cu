__constant__ float weights[8];

__global__ void spoil(float value)
{
    float *w = const_cast<float *>(weights);
    w[threadIdx.x] = value;
}

int main()
{
    spoil<<<1, 8>>>(1.0f);
    return cudaDeviceSynchronize() != cudaErrorIllegalAddress;
}

//= constant_memory_written.cu:6  spoil: write to constant memory: __constant__ weights[0]
//=     thread 0 of block 0 writes 4 bytes; a kernel may only read it
//=     the kernel ends here
//=     try: fill it from host code with cudaMemcpyToSymbol, or make it a __device__ variable
