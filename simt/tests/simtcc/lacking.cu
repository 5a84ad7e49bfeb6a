#include <mma.h>
#include <cub/cub.cuh>

__global__ void meet(cub::KeyValuePair<int, int> *all)
{
    all->key = 1;
}

int main()
{
}
