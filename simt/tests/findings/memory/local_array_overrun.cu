__global__ void histogram(const int *in, int *out)
{
    int counts[4] = {0};
    for (int i = 0; i < 8; i++)
        counts[in[i]]++;
    out[threadIdx.x] = counts[threadIdx.x];
}

int main()
{
    int values[8] = {0, 1, 2, 3, 4, 0, 1, 2}, *in, *out;
    cudaMalloc(&in, sizeof values);
    cudaMalloc(&out, 4 * sizeof(int));
    cudaMemcpy(in, values, sizeof values, cudaMemcpyHostToDevice);
    histogram<<<1, 4>>>(in, out);
    return cudaDeviceSynchronize() != cudaErrorIllegalAddress;
}

//= local_array_overrun.cu:5  histogram: index out of bounds: counts[4]
//=     thread 0 of block 0; the array is int [4]
//=     the kernel ends here
//=     try: guard the access, or make the array as long as the largest index needs
