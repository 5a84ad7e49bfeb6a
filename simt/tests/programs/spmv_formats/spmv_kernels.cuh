#pragma once

namespace kernels {

template <typename I, typename V>
__global__ void csr_scalar(const I n, const I *Ap, const I *Aj, const V *Ax, const V *x, V *y)
{
    const I grid_size = gridDim.x * blockDim.x;
    for (I row = blockIdx.x * blockDim.x + threadIdx.x; row < n; row += grid_size) {
        V sum = 0;
        for (I jj = Ap[row]; jj < Ap[row + 1]; jj++)
            sum += Ax[jj] * x[Aj[jj]];
        y[row] = sum;
    }
}

// THREADS_PER_VECTOR of a warp's lanes share a row
template <typename I, typename V, unsigned int VECTORS_PER_BLOCK, unsigned int THREADS_PER_VECTOR>
__launch_bounds__(VECTORS_PER_BLOCK * THREADS_PER_VECTOR, 1)
__global__ void csr_vector(const I n, const I *Ap, const I *Aj, const V *Ax, const V *x, V *y)
{
    __shared__ I ptrs[VECTORS_PER_BLOCK][2];
    const I thread_lane = threadIdx.x & (THREADS_PER_VECTOR - 1);
    const I vector_lane = threadIdx.x / THREADS_PER_VECTOR;
    const I vector_id   = (VECTORS_PER_BLOCK * blockIdx.x) + vector_lane;
    const I num_vectors = VECTORS_PER_BLOCK * gridDim.x;
    const unsigned mask = THREADS_PER_VECTOR == 32 ? 0xffffffffu
        : ((1u << THREADS_PER_VECTOR % 32) - 1) << (threadIdx.x % 32 / THREADS_PER_VECTOR * THREADS_PER_VECTOR);

    for (I row = vector_id; row < n; row += num_vectors) {
        if (thread_lane < 2)
            ptrs[vector_lane][thread_lane] = Ap[row + thread_lane];
        __syncwarp(mask);
        const I row_start = ptrs[vector_lane][0], row_end = ptrs[vector_lane][1];
        V sum = 0;
        for (I jj = row_start + thread_lane; jj < row_end; jj += THREADS_PER_VECTOR)
            sum += Ax[jj] * __ldg(x + Aj[jj]);
#pragma unroll
        for (int offset = THREADS_PER_VECTOR / 2; offset; offset >>= 1)
            sum += __shfl_xor_sync(mask, sum, offset, THREADS_PER_VECTOR);
        if (thread_lane == 0)
            y[row] = sum;
        __syncwarp(mask);
    }
}

template <typename I, typename V>
__global__ void ell(const I n, const I width, const I stride, const I *Aj, const V *Ax, const V *x, V *y)
{
    const I row = blockDim.x * blockIdx.x + threadIdx.x;
    if (row >= n)
        return;
    V sum = 0;
    Aj += row, Ax += row;
    for (I k = 0; k < width; k++, Aj += stride, Ax += stride)
        if (*Aj != I(-1))
            sum += *Ax * x[*Aj];
    y[row] = sum;
}

template <typename I, typename V> __global__ void coo_serial_add(const I nnz, const I *Ai, const I *Aj, const V *Ax, const V *x, V *y)
{
    for (I n = blockIdx.x * blockDim.x + threadIdx.x; n < nnz; n += gridDim.x * blockDim.x)
        atomicAdd(&y[Ai[n]], Ax[n] * x[Aj[n]]);
}

} // namespace kernels
