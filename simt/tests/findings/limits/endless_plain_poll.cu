/* A flag that is not volatile is read for ever, and no other thread can run. */
__device__ int flag;

__global__ void wait(int *out, unsigned signaller)
{
    if (threadIdx.x == signaller)
        flag = 1;
    while (flag == 0) {
    }
    *out = flag;
}

int main()
{
    int *out;
    cudaMalloc(&out, sizeof *out);
    wait<<<1, 1>>>(out, 1);
    return cudaDeviceSynchronize() != cudaErrorLaunchTimeout;
}

//= endless_plain_poll.cu:8  wait: wait does not end
//=     after SOME executed instructions (the budget: 10,000,000) thread 0 of block 0 is still at work here; no thread has returned in the second half of them
//=     try: check that every loop's condition changes on each pass, and that a stride is never 0
