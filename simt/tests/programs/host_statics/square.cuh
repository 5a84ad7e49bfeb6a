#pragma once
template <typename T> __global__ void square_kernel(T *data, int n, T bias = T())
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        data[i] = data[i] * data[i] + bias;
}
