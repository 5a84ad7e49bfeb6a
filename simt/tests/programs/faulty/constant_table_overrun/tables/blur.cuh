#pragma once
#include "weights.h"

template <int R> __device__ float weight(int k)
{
    return weights[k + R];
}

__global__ void blur(const float *in, float *out, int n)
{
    int i = threadIdx.x;
    float sum = 0;
    for (int k = -RADIUS; k <= RADIUS; k++)
        if (i + k >= 0 && i + k < n)
            sum += weight<RADIUS + 1>(k) * in[i + k];
    out[i] = sum;
}
