#include <cuda/barrier>
#include <cuda/pipeline>

__global__ void meet(cuda::barrier<cuda::thread_scope_block> *all)
{
    all->arrive_and_wait();
}

int main()
{
}
