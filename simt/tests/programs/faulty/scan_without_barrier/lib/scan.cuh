#pragma once
#include "detail/block_scan.cuh"

namespace lib {

template <int N, typename T> __global__ void scan(T *data)
{
    __shared__ T buffer[N];
    data[threadIdx.x] = detail::scan_in_place(buffer, data[threadIdx.x]);
}

}
