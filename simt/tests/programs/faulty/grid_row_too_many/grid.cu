#include "geometry/fill.cuh"

void run(int width, int height)
{
    Grid grid = {NULL, width, height};
    cudaMalloc((void **)&grid.cells, sizeof(float) * width * height);
    fill<<<dim3(2, 2), dim3(8, 8)>>>(grid, 1.0f);
    cudaDeviceSynchronize();
    cudaFree(grid.cells);
}
