/* copy_if in the form of the standard library's: functors with state, composed in templates; a block's scan as a class
 * whose caller provides the storage; memory from a stream. */
#include "predicates.hpp"
#include "copy_if.cuh"
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <vector>

template <int THREADS, class T, class P> static int check(const char *what, const std::vector<T> &in, P keep)
{
    std::vector<T> expected;
    std::copy_if(in.begin(), in.end(), std::back_inserter(expected), keep);
    T *din = nullptr, *dout = nullptr;
    cudaMalloc(&din, std::max<size_t>(in.size(), 1) * sizeof(T));
    cudaMalloc(&dout, std::max<size_t>(in.size(), 1) * sizeof(T));
    cudaMemcpy(din, in.data(), in.size() * sizeof(T), cudaMemcpyHostToDevice);
    T *end = copy_if<THREADS>(din, din + in.size(), dout, keep);
    std::vector<T> got(end - dout);
    cudaMemcpy(got.data(), dout, got.size() * sizeof(T), cudaMemcpyDeviceToHost);
    cudaFree(din), cudaFree(dout);
    const bool same = got.size() == expected.size() && (got.empty() || !memcmp(got.data(), expected.data(), got.size() * sizeof(T)));
    printf("%s, %d threads: %zu of %zu %s\n", what, THREADS, got.size(), in.size(), same ? "ok" : "FAIL");
    return !same;
}

int main()
{
    std::vector<int> numbers(5000);
    std::vector<record> records(777);
    for (size_t i = 0; i < numbers.size(); i++)
        numbers[i] = (int)(i * 2654435761u >> 20);
    for (size_t i = 0; i < records.size(); i++)
        records[i] = {(int)i, i / 3.0f, {"abcd"[i * i % 4], 'x', 'y', 'z'}};
    int failed = check<128>("even", numbers, is_even());
    failed += check<32>("odd and in a range", numbers, both(negated<is_even>(), in_range{100, 3000}));
    failed += check<64>("tagged", records, tagged{'b'});
    failed += check<64>("none", records, tagged{'q'});
    failed += check<256>("of nothing", std::vector<int>(), is_even());
    puts(failed ? "FAIL" : "PASS");
    return failed;
}
