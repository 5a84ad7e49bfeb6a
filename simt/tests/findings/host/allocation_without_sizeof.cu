/* As many bytes as there are threads, instead of elements; a size that is not a multiple of an element's size; and one
 * byte for one element. The last is right except for the kernel's guard. */
__global__ void fill(int *data, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        data[i] = i;
}

__global__ void fill_more(int *data, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        data[i] = i;
}

__global__ void fill_one(int *data)
{
    data[0] = 1;
}

__global__ void fill_unguarded(double *data)
{
    data[threadIdx.x] = threadIdx.x;
}

int main()
{
    int *ints, host[64];
    double *doubles;
    cudaMalloc(&ints, 64);
    if (cudaMemcpy(ints, host, 64 * sizeof(int), cudaMemcpyHostToDevice) != cudaErrorInvalidValue)
        return 1;
    fill<<<2, 32>>>(ints, 64);
    if (cudaDeviceSynchronize() != cudaErrorIllegalAddress || cudaDeviceReset() != cudaSuccess)
        return 1;
    cudaMalloc(&ints, 30);
    fill_more<<<2, 32>>>(ints, 30);
    if (cudaDeviceReset() != cudaSuccess)
        return 1;
    cudaMalloc(&ints, 1);
    fill_one<<<1, 1>>>(ints);
    if (cudaDeviceReset() != cudaSuccess)
        return 1;
    cudaMalloc(&doubles, 40 * sizeof(double));
    fill_unguarded<<<1, 64>>>(doubles);
    return cudaDeviceReset() != cudaSuccess;
}

//= allocation_without_sizeof.cu:32  main: cudaMemcpy: dst has 64 bytes left, and 256 are asked for
//=     dst points into the allocation made at allocation_without_sizeof.cu:31
//=     it returns cudaErrorInvalidValue (1) and does nothing
//=     try: did you forget `* sizeof` where it is allocated? Both sizes are in bytes: the count times sizeof(type)
//= allocation_without_sizeof.cu:7  fill: write out of bounds: ints[16]
//=     thread 16 of block 0 writes 4 bytes; ints has 64 bytes, for 16 elements, made at allocation_without_sizeof.cu:31
//=     the kernel ends here
//=     try: did you forget `* sizeof`? An allocation's size is in bytes: the count times sizeof(type)
//= allocation_without_sizeof.cu:14  fill_more: write out of bounds: byte 28 of an allocation
//=     thread 7 of block 0 writes 4 bytes; the allocation has 30 bytes, made at allocation_without_sizeof.cu:37
//=     the kernel ends here
//=     try: did you forget `* sizeof`? An allocation's size is in bytes: the count times sizeof(type)
//= allocation_without_sizeof.cu:19  fill_one: write out of bounds: byte 0 of an allocation
//=     thread 0 of block 0 writes 4 bytes; the allocation has 1 byte, made at allocation_without_sizeof.cu:41
//=     the kernel ends here
//=     try: did you forget `* sizeof`? An allocation's size is in bytes: the count times sizeof(type)
//= allocation_without_sizeof.cu:24  fill_unguarded: write out of bounds: doubles[40]
//=     thread 40 of block 0 writes 8 bytes; doubles has 320 bytes, for 40 elements, made at allocation_without_sizeof.cu:45
//=     the kernel ends here
//=     try: guard the access: threads whose index is not below n must not touch memory; or is the allocation too small? Its size is in bytes
