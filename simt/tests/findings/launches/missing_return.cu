/* For t >= 32 the function returns no value, and on the host it returns none for odd n. */
extern "C" bool simt_call(void (*body)(void *), void *context);

#pragma GCC diagnostic ignored "-Wreturn-type"
static __device__ int left_of(const int *data, int t)
{
    if (t < 32)
        return data[t];
}

__global__ void shift(const int *in, int *out)
{
    out[threadIdx.x] = left_of(in, threadIdx.x);
}

static int blocks(int n)
{
    if (n % 2 == 0)
        return n / 2;
}

static void call_blocks(void *n)
{
    *(int *)n = blocks(*(int *)n);
}

int main()
{
    int *data, n = 3;
    cudaMalloc(&data, 64 * sizeof(int));
    cudaMemset(data, 0, 64 * sizeof(int));
    shift<<<1, 64>>>(data, data);
    return cudaDeviceSynchronize() != cudaErrorLaunchFailure || simt_call(call_blocks, &n);
}

//= missing_return.cu:5  left_of: left_of ends without a return
//=     it should return a value, and comes to its closing brace: what its caller gets is anything
//=     try: return a value on every way out of the function
//= missing_return.cu:16  blocks: blocks ends without a return
//=     it should return a value, and comes to its closing brace: what its caller gets is anything
//=     try: return a value on every way out of the function
