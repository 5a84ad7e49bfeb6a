#include "matrix.hh"
#include <utility>

#define DEVICE_INLINE __device__ __forceinline__

namespace
{
  // a reduction in which each level is an instance of a template
  template <int N> struct Fold
  {
    template <typename T> static DEVICE_INLINE void sum(T *s, unsigned t)
    {
      if (t < N) s[t] += s[t + N];
      __syncthreads();
      Fold<N / 2>::sum(s, t);
    }
    template <typename T> static DEVICE_INLINE void max(T *s, unsigned t)
    {
      if (t < N) s[t] = s[t] > s[t + N] ? s[t] : s[t + N];
      __syncthreads();
      Fold<N / 2>::max(s, t);
    }
  };
  template <> struct Fold<0>
  {
    template <typename T> static DEVICE_INLINE void sum(T *, unsigned) {}
    template <typename T> static DEVICE_INLINE void max(T *, unsigned) {}
  };

  template <typename real, int BLOCK>
  __global__ void sweep(const real *A, const real *b, const real *x, real *y, real *change, int n)
  {
    __shared__ real partial[BLOCK];
    const int row = blockIdx.x;
    real sum = 0;
    for (int k = threadIdx.x; k < n; k += BLOCK)
      if (k != row) sum += A[row * n + k] * x[k];
    partial[threadIdx.x] = sum;
    __syncthreads();
    Fold<BLOCK / 2>::sum(partial, threadIdx.x);
    if (threadIdx.x == 0)
    {
      y[row]      = (b[row] - partial[0]) / A[row * n + row];
      change[row] = fabs(y[row] - x[row]);
    }
  }

  template <typename real, int BLOCK> __global__ void largest(const real *values, int n, real *result)
  {
    __shared__ real partial[BLOCK];
    real mine = 0;
    for (int k = threadIdx.x; k < n; k += BLOCK)
      mine = fmax(mine, values[k]);
    partial[threadIdx.x] = mine;
    __syncthreads();
    Fold<BLOCK / 2>::max(partial, threadIdx.x);
    if (!threadIdx.x) *result = partial[0];
  }

  template <typename T> class Buffer
  {
    T *p;
    std::size_t n;

  public:
    explicit Buffer(std::size_t n) : p(0), n(n) { cudaMalloc(&p, n * sizeof(T)); }
    explicit Buffer(const std::vector<T> &v) : Buffer(v.size()) { cudaMemcpy(p, v.data(), n * sizeof(T), cudaMemcpyHostToDevice); }
    Buffer(Buffer &&other) : p(std::exchange(other.p, nullptr)), n(other.n) {}
    Buffer &operator=(Buffer &&other)
    {
      std::swap(p, other.p);
      std::swap(n, other.n);
      return *this;
    }
    ~Buffer() { cudaFree(p); }
    operator T *() { return p; }
    std::vector<T> host() const
    {
      std::vector<T> v(n);
      cudaMemcpy(v.data(), p, n * sizeof(T), cudaMemcpyDeviceToHost);
      return v;
    }
  };
}

template <typename real, int BLOCK>
Solution<real> jacobi(const LinearSystem<real> &system, real tolerance, int limit)
{
  const int n = (int)system.n;
  Buffer<real> A(system.A), b(system.b), x(std::vector<real>(n, real(0))), y(n), change(n), residual(1);
  Solution<real> s;
  s.iterations = 0;
  do
  {
    sweep<real, BLOCK> << <n, BLOCK >> >(A, b, x, y, change, n);
    largest<real, BLOCK> << <1, BLOCK>> > (change, n, residual);
    std::swap(x, y);
    s.residual = residual.host().front();
  } while (s.residual > tolerance && ++s.iterations < limit);
  s.x = x.host();
  return s;
}

template Solution<float> jacobi<float>(const LinearSystem<float> &, float, int);
template Solution<double> jacobi<double, 32>(const LinearSystem<double> &, double, int);
