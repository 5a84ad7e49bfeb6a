#include <mma.h>
#include <thrust/sort.h>

__global__ void meet(thrust::pair<int, int> *all)
{
    all->first = 1;
}

int main()
{
}
