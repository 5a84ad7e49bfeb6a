#include <mma.h>
#include <curand_kernel.h>

__global__ void meet(curandState *all)
{
    curand_init(1, 2, 3, all);
}

int main()
{
}
