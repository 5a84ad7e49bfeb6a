/* Loops that g++ reduces to a jump: in a kernel, and on the host. */
extern "C" bool simt_call(void (*body)(void *), void *context);

__global__ void wait(const int *flag)
{
    if (*flag == 0)
        for (;;) {
        }
}

static void wait_on_the_host(void *)
{
    for (bool done = false; !done;) {
    }
}

int main()
{
    int *flag;
    cudaMalloc(&flag, sizeof *flag);
    cudaMemset(flag, 0, sizeof *flag);
    wait<<<1, 32>>>(flag);
    cudaDeviceSynchronize();
    return simt_call(wait_on_the_host, nullptr);
}

//= empty_loop.cu:7  wait: wait does not end
//=     thread 0 of block 0 is in a loop that does nothing, and that nothing can end
//=     try: check that every loop's condition changes on each pass, and that a stride is never 0
//= empty_loop.cu:13  wait_on_the_host: host code does not end
//=     host code is in a loop that does nothing, and that nothing can end
//=     try: check that every loop's condition changes on each pass
