#include "refused.cuh"

__global__ void kernel()
{
}

int main()
{
    not_a_kernel<<<1, 1>>>();
}
