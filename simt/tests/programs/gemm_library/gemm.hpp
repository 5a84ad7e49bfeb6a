#pragma once
#include <cstddef>
#include <memory>
#include <utility>

namespace linalg {

enum class Op { none, transposed };

template <typename T> class Matrix {
public:
    Matrix(int rows, int cols);
    Matrix(Matrix &&) noexcept = default;
    Matrix &operator=(Matrix &&) noexcept = default;
    int rows() const { return rows_; }
    int cols() const { return cols_; }
    T *data() const { return device_.get(); }
    template <typename F> static Matrix generate(int rows, int cols, F f)
    {
        std::unique_ptr<T[]> host(new T[(std::size_t)rows * cols]);
        for (int i = 0; i < rows; ++i)
            for (int j = 0; j < cols; ++j)
                host[i * cols + j] = f(i, j);
        Matrix m(rows, cols);
        m.upload(host.get());
        return m;
    }
    void upload(const T *host);
    void download(T *host) const;

private:
    struct Free {
        void operator()(T *p) const;
    };
    int rows_, cols_;
    std::unique_ptr<T, Free> device_;
};

/* c = alpha op(a) op(b) + beta c */
template <typename T> void gemm(const Matrix<T> &a, const Matrix<T> &b, Matrix<T> &c, T alpha = T(1), T beta = T(0), Op op_a = Op::none, Op op_b = Op::none);

} // namespace linalg
