#include "functors.hpp"
#include "zip.cuh"
#include <vector>

std::vector<double> run(unsigned n, double *total)
{
    zip::array<int> x(n), lo(n), hi(n), index(n);
    const auto fill = [](zip::array<int> &to, iota_fn f) { zip::transform<<<2, 64>>>(f, zip::span<int>(to)); };
    fill(x, {-50, 3}), fill(lo, {0, 0}), fill(hi, {100, -1}), fill(index, {});
    auto result = zip::map(axpby_fn{2.0, 0.5}, zip::map(clamp_fn{}, x, lo, hi), index);
    static_assert(std::is_same_v<decltype(result), zip::array<double>>);
    zip::array<double> sum(1);
    zip::fold<<<1, 32>>>(plus_fn{}, zip::span<const double>(result), sum.p);
    std::vector<double> host(n);
    cudaMemcpy(host.data(), result.p, n * sizeof(double), cudaMemcpyDeviceToHost);
    cudaMemcpy(total, sum.p, sizeof *total, cudaMemcpyDeviceToHost);
    return host;
}
