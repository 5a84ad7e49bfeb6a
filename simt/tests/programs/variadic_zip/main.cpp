// C++17 in kernels: packs of spans, if constexpr, deduction guides, functors shared by a .cpp and static_assert.
#include "functors.hpp"
#include <cstdio>
#include <vector>

std::vector<double> run(unsigned n, double *total);

int main()
{
    int wrong = 0;
    for (unsigned n : {1u, 31u, 1000u}) {
        double total = -1, gold = 0;
        const auto got = run(n, &total);
        for (unsigned i = 0; i < n; i++) {
            wrong += got[i] != expected(i);
            gold += expected(i);
        }
        wrong += total != gold;
        std::printf("%u: total %.1f\n", n, total);
    }
    std::puts(wrong ? "FAIL" : "PASS");
    return wrong != 0;
}
