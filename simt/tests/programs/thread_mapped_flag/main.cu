/* A kernel that stays on the device and takes orders from the host: one thread launches it and waits for its end;
 * another writes an order to pinned memory, raises a flag, and reads the answer when the kernel raises the other. */
#include "../program.h"

#include <thread>

static const int ORDERS = 6, N = 64, STOP = -1;

struct mailbox {
    volatile int order;  /* how many the host has written */
    volatile int answer; /* how many the kernel has served */
    volatile int factor;
    volatile int values[N];
};

__global__ void serve(mailbox *box)
{
    __shared__ int factor;
    for (int served = 0;; served++) {
        if (threadIdx.x == 0) {
            while (box->order == served)
                ;
            __threadfence_system();
            factor = box->factor;
        }
        __syncthreads();
        if (factor == STOP)
            break;
        box->values[threadIdx.x] = factor * threadIdx.x;
        __threadfence_system();
        __syncthreads();
        if (threadIdx.x == 0)
            box->answer = served + 1;
    }
}

static void launch(mailbox *box)
{
    serve<<<1, N>>>(box);
    CUDA_CHECK(cudaDeviceSynchronize());
}

static void write(mailbox *box, int factor)
{
    box->factor = factor;
    __sync_synchronize();
    box->order = box->order + 1;
}

int main()
{
    mailbox *box;
    CUDA_CHECK(cudaHostAlloc(&box, sizeof *box, cudaHostAllocMapped));
    box->order = box->answer = 0;
    std::thread launcher(launch, box);
    for (int order = 1; order <= ORDERS; order++) {
        write(box, order * 10);
        while (box->answer < order)
            std::this_thread::yield();
        __sync_synchronize();
        int sum = 0;
        for (int i = 0; i < N; i++)
            sum += box->values[i];
        expect_number("sum", sum, order * 10 * (N * (N - 1) / 2));
    }
    write(box, STOP);
    launcher.join();
    CUDA_CHECK(cudaFreeHost(box));
    return program_end();
}
