/* The last of a thread's own items are set only if there is input for them. */
template <int EACH> __global__ void sums(const int *in, int *out, int n)
{
    int item[EACH], first = threadIdx.x * EACH;
    for (int i = 0; i < EACH; i++)
        if (first + i < n)
            item[i] = in[first + i];
    int sum = 0;
    for (int i = 0; i < EACH; i++)
        sum += item[i];
    out[threadIdx.x] = sum;
}

int main()
{
    int *in, *out;
    cudaMalloc(&in, 126 * sizeof *in);
    cudaMalloc(&out, 32 * sizeof *out);
    cudaMemset(in, 0, 126 * sizeof *in);
    sums<4><<<1, 32>>>(in, out, 126);
    cudaError_t error = cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
    return error != cudaSuccess;
}

//= uninitialized_local_array.cu:10  sums<4>: read of uninitialized local item[2]
//=     thread 31 of block 0 reads 4 bytes that nothing has written since the array was declared
//=     written so far: elements 0-1 of the 4 of item
//=     try: each thread has a local array of its own: if the block is to share it, declare it __shared__; else write all that is read, or give it an initializer, as in `int item[4] = {};`
