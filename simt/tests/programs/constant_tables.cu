// Constants of a kernel that were never allocated: letters of string literals, and tables known at compile time.
#include "program.h"

enum { THREADS = 64, LETTERS = 16 };

__device__ const char *digits_of(bool upper)
{
    return upper ? "0123456789ABCDEF" : "0123456789abcdef";
}

__global__ void in_hexadecimal(const unsigned char *in, char *out, bool upper)
{
    const char *digits = digits_of(upper);
    const unsigned char byte = in[threadIdx.x];
    out[2 * threadIdx.x] = digits[byte / LETTERS];
    out[2 * threadIdx.x + 1] = digits[byte % LETTERS];
}

__global__ void by_tables(const unsigned char *in, int *out)
{
    static const int primes[] = {2, 3, 5, 7, 11, 13, 17, 19};
    constexpr double weights[] = {0.5, 1.5, 2.5, 3.5};
    const char *const names[] = {"one", "three", "seventeen"};
    const unsigned char byte = in[threadIdx.x];
    const char *name = names[byte % 3];
    int length = 0;
    while (name[length] != 0)
        length++;
    out[threadIdx.x] = primes[byte % 8] * length + (int)(2 * weights[byte % 4]);
}

int main()
{
    static const int primes[] = {2, 3, 5, 7, 11, 13, 17, 19}, lengths[] = {3, 5, 9};
    std::vector<unsigned char> bytes(THREADS);
    std::vector<char> lower(2 * THREADS + 1), upper(2 * THREADS + 1);
    std::vector<int> wanted(THREADS);
    uint32_t state = 9;
    for (int i = 0; i < THREADS; i++) {
        bytes[i] = (unsigned char)random_next(&state);
        wanted[i] = primes[bytes[i] % 8] * lengths[bytes[i] % 3] + 1 + 2 * (bytes[i] % 4);
        snprintf(&lower[2 * i], 3, "%02x", bytes[i]);
        snprintf(&upper[2 * i], 3, "%02X", bytes[i]);
    }
    unsigned char *in = to_device(bytes);
    char *letters = device_alloc<char>(2 * THREADS);
    int *numbers = device_alloc<int>(THREADS);
    std::vector<char> got(2 * THREADS);

    in_hexadecimal<<<1, THREADS>>>(in, letters, false);
    CUDA_CHECK(cudaMemcpy(got.data(), letters, got.size(), cudaMemcpyDeviceToHost));
    expect_equal("lower case", got.data(), lower.data(), got.size());
    in_hexadecimal<<<1, THREADS>>>(in, letters, true);
    CUDA_CHECK(cudaMemcpy(got.data(), letters, got.size(), cudaMemcpyDeviceToHost));
    expect_equal("upper case", got.data(), upper.data(), got.size());
    by_tables<<<1, THREADS>>>(in, numbers);
    std::vector<int> sums(THREADS);
    CUDA_CHECK(cudaMemcpy(sums.data(), numbers, sizeof(int) * THREADS, cudaMemcpyDeviceToHost));
    expect_equal("tables", sums, wanted);
    CUDA_CHECK(cudaFree(in));
    CUDA_CHECK(cudaFree(letters));
    CUDA_CHECK(cudaFree(numbers));
    return program_end();
}
