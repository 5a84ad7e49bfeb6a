#pragma once
namespace lib { namespace detail {

template <typename T> __device__ T scan_in_place(T *shared, T value)
{
    const unsigned t = threadIdx.x;
    shared[t] = value;
    __syncthreads();
    for (unsigned d = 1; d < blockDim.x; d *= 2) {
        T left = t >= d ? shared[t - d] : T(0);
        /* a barrier is missing here: a neighbour may not have read yet */
        shared[t] += left;
        __syncthreads();
    }
    return shared[t];
}

}}
