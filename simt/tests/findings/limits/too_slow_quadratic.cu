/* Each thread adds up everything before it, which is right but makes n * n reads. It would end after a very long time. */
__global__ void prefixes(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
    for (int k = 0; k <= i && i < n; k++) sum += in[k];
    out[i] = sum;
}

int main()
{
    const int n = 1 << 17;
    int *in, *out;
    cudaMalloc(&in, n * sizeof(int));
    cudaMalloc(&out, n * sizeof(int));
    cudaMemset(in, 0, n * sizeof(int));
    prefixes<<<n / 256, 256>>>(in, out, n);
    return cudaDeviceSynchronize() != cudaErrorLaunchTimeout;
}

//= too_slow_quadratic.cu:5  prefixes: prefixes is too slow
//=     after SOME executed instructions (the budget: 10,000,000) SOME of 512 blocks are done
//=     try: count what all threads together read: a few times n, or n times n?
