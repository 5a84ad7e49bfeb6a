#pragma once
#include <cuda_runtime.h>
#include <memory>
#include <numeric>
#include <vector>

struct CudaDeleter {
    void operator()(void *p) const { cudaFree(p); }
};
template <class T> using device_ptr = std::unique_ptr<T[], CudaDeleter>;

template <class T> device_ptr<T> upload(const std::vector<T> &host)
{
    T *raw = nullptr;
    if (cudaMalloc(&raw, host.size() * sizeof(T)) != cudaSuccess)
        throw std::bad_alloc();
    cudaMemcpy(raw, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice);
    return device_ptr<T>(raw);
}

template <typename IndexType, typename ValueType> struct coo_matrix {
    IndexType num_rows, num_cols;
    std::vector<IndexType> I, J;
    std::vector<ValueType> V;
};

template <typename IndexType, typename ValueType> struct csr_matrix {
    typedef IndexType index_type;
    typedef ValueType value_type;
    index_type num_rows, num_cols, num_nonzeros;
    std::vector<index_type> Ap, Aj;
    std::vector<value_type> Ax;

    explicit csr_matrix(const coo_matrix<IndexType, ValueType> &coo)
        : num_rows(coo.num_rows), num_cols(coo.num_cols), num_nonzeros(coo.V.size()), Ap(coo.num_rows + 1)
    {
        for (index_type row : coo.I)
            Ap[row + 1]++;
        std::partial_sum(Ap.begin(), Ap.end(), Ap.begin());
        Aj.resize(num_nonzeros), Ax.resize(num_nonzeros);
        std::vector<index_type> next(Ap.begin(), Ap.end() - 1);
        for (index_type n = 0; n < num_nonzeros; n++) {
            index_type to = next[coo.I[n]]++;
            Aj[to] = coo.J[n], Ax[to] = coo.V[n];
        }
    }
};

/* Columns of equal length, column by column; -1 where there is nothing. */
template <typename IndexType, typename ValueType> struct ell_matrix {
    IndexType num_rows, width = 0, stride;
    std::vector<IndexType> Aj;
    std::vector<ValueType> Ax;

    explicit ell_matrix(const csr_matrix<IndexType, ValueType> &csr, IndexType alignment = 32)
        : num_rows(csr.num_rows), stride((csr.num_rows + alignment - 1) / alignment * alignment)
    {
        for (IndexType i = 0; i < num_rows; i++)
            width = std::max(width, csr.Ap[i + 1] - csr.Ap[i]);
        Aj.assign(width * stride, -1), Ax.assign(width * stride, 0);
        for (IndexType i = 0; i < num_rows; i++)
            for (IndexType jj = csr.Ap[i], n = 0; jj < csr.Ap[i + 1]; jj++, n++)
                Aj[n * stride + i] = csr.Aj[jj], Ax[n * stride + i] = csr.Ax[jj];
    }
};
