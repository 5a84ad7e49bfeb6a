/* A stride of 0 makes loops endless that do not wait for another thread. */
__global__ void one_counter(int *out)
{
    for (int i = 0; i < 10; i += out[1]) atomicAdd(out, 1);
}

__global__ void many_places(int *out)
{
    for (long i = 0; i < 10; i += out[1]) atomicMax(out + 2, atomicAdd(out, 1));
}

int main()
{
    void (*const kernels[])(int *) = {one_counter, many_places};
    int *out, wrong = 0;
    for (auto kernel : kernels) {
        cudaMalloc(&out, 3 * sizeof(int));
        cudaMemset(out, 0, 3 * sizeof(int));
        kernel<<<1, 1>>>(out);
        wrong += cudaDeviceSynchronize() != cudaErrorLaunchTimeout;
        cudaDeviceReset();
    }
    return wrong;
}

//= endless_loop_of_atomics.cu:4  one_counter: one_counter does not end
//=     after SOME executed instructions (the budget: 10,000,000) thread 0 of block 0 is still at work here; no thread has returned in the second half of them
//=     try: check that every loop's condition changes on each pass, and that a stride is never 0
//= endless_loop_of_atomics.cu:9  many_places: many_places does not end
//=     after SOME executed instructions (the budget: 10,000,000) thread 0 of block 0 is still at work here; no thread has returned in the second half of them
//=     try: check that every loop's condition changes on each pass, and that a stride is never 0
