// A solver as templates over type and block size with default arguments; buffers that move; a recursion of templates.
#include "matrix.hh"
#include <cmath>
#include <iostream>

template <typename real> LinearSystem<real> LinearSystem<real>::dominant(std::size_t n)
{
    LinearSystem s{n, std::vector<real>(n * n), std::vector<real>(n)};
    for (std::size_t i = 0; i < n; i++) {
        for (std::size_t k = 0; k < n; k++)
            s.A[i * n + k] = i == k ? real(3 * n) : real((i * 5 + k * 3) % 4);
        for (std::size_t k = 0; k < n; k++)
            s.b[i] += s.A[i * n + k] * real(k % 5);
    }
    return s;
}

template <typename real> static bool right(const Solution<real> &s, real bound)
{
    real worst = 0;
    for (std::size_t k = 0; k < s.x.size(); k++)
        worst = std::max(worst, std::abs(s.x[k] - real(k % 5)));
    std::cout << (sizeof(real) == 4 ? "float" : "double") << ": " << (worst < bound ? "solved" : "not solved") << std::endl;
    return worst < bound && s.iterations > 3 && s.iterations < 100;
}

int main()
{
    bool ok = right(jacobi(LinearSystem<float>::dominant(70)), 1e-3f);
    ok &= right(jacobi<double, 32>(LinearSystem<double>::dominant(45), 1e-10), 1e-9);
    std::cout << (ok ? "PASS" : "FAIL") << '\n';
    return !ok;
}
