#pragma once
#include "grid.hpp"

__global__ void fill(Grid grid, float value)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < grid.width && y <= grid.height) // one row too many
        grid.set(x, y, value);
}
