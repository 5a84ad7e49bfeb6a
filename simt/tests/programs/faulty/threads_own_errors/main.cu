#include <atomic>
#include <stdio.h>
#include <thread>

#include "check.h"

static std::atomic<int> step;

static void wait_for(int which)
{
    while (step < which)
        std::this_thread::yield();
}

int main()
{
    int *device;
    cudaMalloc(&device, 8 * sizeof(int));
    std::thread wrong([&] {
        copy_too_much(device);
        step = 1;
        wait_for(2);
        show_last_error("the thread that copies");
        show_last_error("and asked again");
        step = 3;
    });
    std::thread right([] {
        wait_for(1);
        show_last_error("another thread");
        step = 2;
    });
    wait_for(3);
    show_last_error("the main thread");
    wrong.join();
    right.join();
    cudaFree(device);
    return 0;
}
