/* Host code with kernels, statics that have constructors, std::atomic, lambdas, vectors and smart pointers. */
#include "counter.hpp"
#include "square.cuh"
#include <cuda_runtime.h>
#include <functional>
#include <iostream>
#include <memory>
#include <numeric>
#include <vector>

template <typename T> std::shared_ptr<T> device_array(size_t n)
{
    T *raw = nullptr;
    cudaMalloc(&raw, n * sizeof(T));
    Counters::get().add("arrays", 1);
    return std::shared_ptr<T>(raw, [](T *p) {
        cudaFree(p);
        Counters::get().add("freed", 1);
    });
}

template <typename T> std::vector<T> squares(int n, T bias)
{
    static const std::string name = std::string("squares of ") + std::to_string(sizeof(T)) + " bytes";
    static std::atomic<long long> calls{0};
    std::vector<T> host(n);
    std::iota(host.begin(), host.end(), T(1));
    auto device = device_array<T>(n);
    cudaMemcpy(device.get(), host.data(), n * sizeof(T), cudaMemcpyHostToDevice);
    square_kernel<<<2, {32, 1, 1}>>>(device.get(), n, bias);
    cudaMemcpy(host.data(), device.get(), n * sizeof(T), cudaMemcpyDeviceToHost);
    Counters::get().add(name, (int)++calls);
    return host;
}

int main()
{
    std::function<bool(int)> right = [](int n) {
        std::vector<int> i = squares<int>(n, 1);
        std::vector<double> d = squares<double>(n, 0.5);
        bool ok = true;
        for (int k = 0; k < n; k++)
            ok = ok && i[k] == (k + 1) * (k + 1) + 1 && d[k] == (k + 1.0) * (k + 1.0) + 0.5;
        return ok;
    };
    bool ok = true;
    for (int n : {1, 63, 64, 65, 200})
        ok = right(n) && ok;
    Counters &counters = Counters::get();
    std::cout << counters.of("arrays") << " arrays, " << counters.of("freed") << " freed, "
              << counters.of("squares of 8 bytes") << " of 8 bytes, " << counters.all() << " in all\n"
              << (ok ? "PASS" : "FAIL") << std::endl;
    return ok ? 0 : 1;
}
