#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

struct sum {
    int operator()(int a, int b) const { return a + b; }
};

__global__ void reduce(int *p)
{
    auto tile = cooperative_groups::tiled_partition<32>(cooperative_groups::this_thread_block());
    p[0] = cooperative_groups::reduce(tile, p[0], sum());
}

int main()
{
}
