/* The stride of the loop is 0 for n = 1. */
__global__ void spin(int *data, int n)
{
    for (int i = 0; i < 10; i += n / 2) data[i] = i;
}

int main()
{
    int *data;
    cudaMalloc(&data, 16 * sizeof(int));
    spin<<<1, 1>>>(data, 1);
    return cudaDeviceSynchronize() != cudaErrorLaunchTimeout;
}

//= endless_loop.cu:4  spin: spin does not end
//=     after SOME executed instructions (the budget: 10,000,000) thread 0 of block 0 is still at work here; no thread has returned in the second half of them
//=     try: check that every loop's condition changes on each pass, and that a stride is never 0
