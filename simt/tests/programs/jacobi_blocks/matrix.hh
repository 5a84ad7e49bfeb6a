#ifndef JACOBI_MATRIX_HH
#define JACOBI_MATRIX_HH
#include <cstddef>
#include <vector>

template <typename real> struct LinearSystem {
  std::size_t n;
  std::vector<real> A, b;
  static LinearSystem dominant(std::size_t n);
};

template <typename real> struct Solution {
  std::vector<real> x;
  int iterations;
  real residual;
};

template <typename real, int BLOCK = 64>
Solution<real> jacobi(const LinearSystem<real> &system, real tolerance = real(1e-4), int limit = 100);

#endif
