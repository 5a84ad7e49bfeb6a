// A small library of templates that its .cu file instantiates, and a user that sees only the header.
#include "gemm.hpp"
#include <cstdio>
#include <stdexcept>
#include <vector>

using linalg::Matrix;
using linalg::Op;

template <typename T> static bool test(const char *name, int m, int n, int k, T alpha, T beta, Op oa, Op ob)
{
    auto fa = [](int i, int j) { return T((i * 3 + j * 5) % 7 - 3); };
    auto fb = [](int i, int j) { return T((i * 2 + j) % 5 - 1); };
    auto fc = [](int i, int j) { return T(i - j); };
    const bool ta = oa == Op::transposed, tb = ob == Op::transposed;
    auto a = ta ? Matrix<T>::generate(k, m, [&](int i, int j) { return fa(j, i); }) : Matrix<T>::generate(m, k, fa);
    auto b = tb ? Matrix<T>::generate(n, k, [&](int i, int j) { return fb(j, i); }) : Matrix<T>::generate(k, n, fb);
    auto c = Matrix<T>::generate(m, n, fc);
    gemm(a, b, c, alpha, beta, oa, ob);
    std::vector<T> got(m * n);
    c.download(got.data());
    bool right = true;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            T sum = 0;
            for (int x = 0; x < k; x++)
                sum += fa(i, x) * fb(x, j);
            right &= got[i * n + j] == alpha * sum + beta * fc(i, j);
        }
    std::printf("%s %dx%dx%d%s%s %s\n", name, m, n, k, ta ? " A'" : "", tb ? " B'" : "", right ? "ok" : "FAIL");
    return right;
}

int main()
{
    bool ok = test<float>("float", 40, 33, 20, 1, 0, Op::none, Op::none);
    ok &= test<double>("double", 7, 50, 31, 2, 1, Op::transposed, Op::none);
    ok &= test<int>("int", 64, 16, 16, -1, 3, Op::none, Op::transposed);
    ok &= test<int>("int", 1, 1, 1, 1, 1, Op::transposed, Op::transposed);
    try {
        Matrix<float> a(2, 3), b(2, 3), c(2, 3);
        gemm(a, b, c);
        ok = false;
    } catch (const std::invalid_argument &error) {
        std::puts(error.what());
    }
    std::puts(ok ? "PASS" : "FAIL");
    return !ok;
}
