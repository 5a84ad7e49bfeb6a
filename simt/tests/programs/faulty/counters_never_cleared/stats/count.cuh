#pragma once
#include <cstdint>

namespace stats {

struct Tally {
    uint32_t *bins;
    __device__ void add(uint32_t value) const { atomicAdd(bins + value % 8, 1u); }
};

template <class T> __global__ void tally(const T *values, int n, Tally to)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        to.add((uint32_t)values[i]);
}

}
