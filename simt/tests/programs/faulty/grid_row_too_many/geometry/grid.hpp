#pragma once
#include <cuda_runtime.h>

struct Grid {
    float *cells;
    int width, height;

    __host__ __device__ int index(int x, int y) const
    {
        return y * width + x;
    }
    __device__ void set(int x, int y, float value)
    {
        cells[index(x, y)] = value;
    }
};
