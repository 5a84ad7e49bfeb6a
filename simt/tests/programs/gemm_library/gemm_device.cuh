#pragma once

namespace linalg { namespace device {

template <typename T, bool Transposed> struct View {
    const T *p;
    int rows, cols; // of the visible part
    __device__ T operator()(int i, int j) const
    {
        if (i >= rows || j >= cols)
            return T(0);
        return Transposed ? p[j * rows + i] : p[i * cols + j];
    }
};

// A block computes BM x BN elements, and a thread TM x TN of them in registers
template <typename T, int BM, int BN, int BK, int TM, int TN, class A, class B>
__global__ __launch_bounds__(BM / TM * BN / TN) void gemm(const A a, const B b, T *__restrict__ c, const T alpha, const T beta)
{
    constexpr int threads = BM / TM * BN / TN;
    __shared__ T as[2][BK][BM + 1], bs[2][BK][BN + 1]; // used in turns: one barrier for each step
    T sums[TM][TN] = {}, left[TM], right[TN];
    const int row0 = blockIdx.y * BM, col0 = blockIdx.x * BN;
    const int tr = threadIdx.x / (BN / TN) * TM, tc = threadIdx.x % (BN / TN) * TN;

    for (int k0 = 0, turn = 0; k0 < a.cols; k0 += BK, turn ^= 1) {
        for (int i = threadIdx.x; i < BM * BK; i += threads)
            as[turn][i % BK][i / BK] = a(row0 + i / BK, k0 + i % BK);
        for (int i = threadIdx.x; i < BN * BK; i += threads)
            bs[turn][i / BN][i % BN] = b(k0 + i / BN, col0 + i % BN);
        __syncthreads();
#pragma unroll
        for (int k = 0; k < BK; ++k) {
#pragma unroll
            for (int m = 0; m < TM; ++m)
                left[m] = as[turn][k][tr + m];
#pragma unroll
            for (int n = 0; n < TN; ++n)
                right[n] = bs[turn][k][tc + n];
#pragma unroll
            for (int m = 0; m < TM; ++m)
#pragma unroll
                for (int n = 0; n < TN; ++n)
                    sums[m][n] += left[m] * right[n];
        }
    }
    for (int m = 0; m < TM; ++m)
        for (int n = 0; n < TN; ++n) {
            const int i = row0 + tr + m, j = col0 + tc + n;
            if (i < a.rows && j < b.cols)
                c[i * b.cols + j] = alpha * sums[m][n] + (beta != T(0) ? beta * c[i * b.cols + j] : T(0));
        }
}

}} // namespace linalg::device
