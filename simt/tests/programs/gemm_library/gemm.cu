#include "gemm.hpp"
#include "gemm_device.cuh"
#include <stdexcept>
#include <string>

#define LINALG_CHECK(expr) ::linalg::check((expr), #expr)

namespace linalg {

inline void check(cudaError_t e, const char *what)
{
    if (e != cudaSuccess)
        throw std::runtime_error(std::string(what) + " failed: " + cudaGetErrorName(e));
}

template <typename T> void Matrix<T>::Free::operator()(T *p) const
{
    cudaFree(p);
}

template <typename T> Matrix<T>::Matrix(int rows, int cols) : rows_(rows), cols_(cols)
{
    T *p;
    LINALG_CHECK(cudaMalloc(&p, sizeof(T) * rows * cols));
    device_.reset(p);
}

template <typename T> void Matrix<T>::upload(const T *host)
{
    LINALG_CHECK(cudaMemcpy(data(), host, sizeof(T) * rows_ * cols_, cudaMemcpyDefault));
}

template <typename T> void Matrix<T>::download(T *host) const
{
    LINALG_CHECK(cudaMemcpy(host, data(), sizeof(T) * rows_ * cols_, cudaMemcpyDefault));
}

template <typename T, bool TA, bool TB> static void run(const Matrix<T> &a, const Matrix<T> &b, Matrix<T> &c, T alpha, T beta)
{
    constexpr int BM = 32, BN = 16, BK = 8, TM = 4, TN = 2;
    const device::View<T, TA> va{a.data(), TA ? a.cols() : a.rows(), TA ? a.rows() : a.cols()};
    const device::View<T, TB> vb{b.data(), TB ? b.cols() : b.rows(), TB ? b.rows() : b.cols()};
    if (va.cols != vb.rows || va.rows != c.rows() || vb.cols != c.cols())
        throw std::invalid_argument("gemm: shapes");
    const dim3 grid{(c.cols() + BN - 1u) / BN, (c.rows() + BM - 1u) / BM};
    device::gemm<T, BM, BN, BK, TM, TN><<<grid, (BM / TM) * (BN / TN)>>>(va, vb, c.data(), alpha, beta);
    LINALG_CHECK(cudaPeekAtLastError());
}

template <typename T> void gemm(const Matrix<T> &a, const Matrix<T> &b, Matrix<T> &c, T alpha, T beta, Op op_a, Op op_b)
{
    constexpr decltype(&run<T, false, false>) table[2][2] = {{run<T, false, false>, run<T, false, true>}, {run<T, true, false>, run<T, true, true>}};
    table[op_a == Op::transposed][op_b == Op::transposed](a, b, c, alpha, beta);
}

#define INSTANTIATE(T)      \
    template class Matrix<T>; \
    template void gemm<T>(const Matrix<T> &, const Matrix<T> &, Matrix<T> &, T, T, Op, Op)

INSTANTIATE(float);
INSTANTIATE(double);
INSTANTIATE(int);

} // namespace linalg
