/* Sparse formats as templates over index and value, unique_ptr over cudaFree, std::function over kernels. */
#include <algorithm>
#include <cstdio>
#include <functional>
#include <new>
#include <string>
#include "formats.hpp"
#include "spmv_kernels.cuh"

template <typename I, typename V> static int check_all(const char *type)
{
    coo_matrix<I, V> coo{203, 150, {}, {}, {}};
    for (I i = 0; i < coo.num_rows; i++)
        for (I k = 0; k < i % 7 + (i == 50 ? 90 : 0); k++)
            coo.I.push_back(i), coo.J.push_back((i * 31 + k * 17) % coo.num_cols), coo.V.push_back(V((i + 3 * k) % 11 - 4));
    const csr_matrix<I, V> csr(coo);
    const ell_matrix<I, V> ell(csr);
    std::vector<V> x(coo.num_cols), expected(coo.num_rows), got(coo.num_rows);
    std::iota(x.begin(), x.end(), V(-20));
    for (size_t n = 0; n < coo.V.size(); n++)
        expected[coo.I[n]] += coo.V[n] * x[coo.J[n]];

    auto dx = upload(x), dy = upload(got), Ax = upload(csr.Ax), Ex = upload(ell.Ax), Cx = upload(coo.V);
    auto Ap = upload(csr.Ap), Aj = upload(csr.Aj), Ej = upload(ell.Aj), Ci = upload(coo.I), Cj = upload(coo.J);
    const I n = coo.num_rows, nnz = csr.num_nonzeros;
    const std::pair<std::string, std::function<void()>> ways[] = {
        {"csr scalar", [&] { kernels::csr_scalar<I, V><<<2, 64>>>(n, Ap.get(), Aj.get(), Ax.get(), dx.get(), dy.get()); }},
        {"csr vector 32", [&] { kernels::csr_vector<I, V, 2, 32><<<20, 64>>>(n, Ap.get(), Aj.get(), Ax.get(), dx.get(), dy.get()); }},
        {"csr vector 4", [&] { kernels::csr_vector<I, V, 16, 4><<<5, 64>>>(n, Ap.get(), Aj.get(), Ax.get(), dx.get(), dy.get()); }},
        {"ell", [&] { kernels::ell<<<(n + 63) / 64, 64>>>(n, ell.width, ell.stride, Ej.get(), Ex.get(), dx.get(), dy.get()); }},
        {"coo", [&] { kernels::coo_serial_add<<<3, 64>>>(nnz, Ci.get(), Cj.get(), Cx.get(), dx.get(), dy.get()); }},
    };
    int failed = 0;
    for (auto &[name, run] : ways) {
        cudaMemset(dy.get(), 0, got.size() * sizeof(V));
        run();
        cudaMemcpy(got.data(), dy.get(), got.size() * sizeof(V), cudaMemcpyDeviceToHost);
        const bool right = got == expected && cudaGetLastError() == cudaSuccess;
        std::printf("%s %s: y[50] %.0f %s\n", type, name.c_str(), (double)got[50], right ? "ok" : "FAIL");
        failed += !right;
    }
    return failed;
}

int main()
{
    const int failed = check_all<int, float>("float") + check_all<int, double>("double");
    std::puts(failed ? "FAIL" : "PASS");
    return failed;
}
