__global__ void spin(int *data, unsigned n)
{
    for (unsigned i = 0; i != 7; i += n) asm volatile("");
    data[0] = 1;
}

int main()
{
    int *data;
    cudaMalloc(&data, 16 * sizeof(int));
    spin<<<1, 1>>>(data, 2);
    return cudaDeviceSynchronize() != cudaErrorLaunchTimeout;
}

//= endless_loop_without_memory.cu:3  spin: spin does not end
//=     after SOME executed instructions (the budget: 10,000,000) thread 0 of block 0 is still at work here; no thread has returned in the second half of them
//=     try: check that every loop's condition changes on each pass, and that a stride is never 0
