/* program.h: shared host code of the programs in this folder: a CUDA error check, a seeded generator, checksums, and
 * the comparison of an array from the device with one from a CPU loop.
 *
 * A program prints one line for each comparison and ends with `return program_end();`, which prints PASS or FAIL.
 * Everything printed is the same on every device and in every run. */
#ifndef PROGRAM_H
#define PROGRAM_H

#include <cuda_runtime.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vector>

#define CUDA_CHECK(call)                                                                                     \
    do {                                                                                                     \
        cudaError_t cuda_check_status = (call);                                                              \
        if (cuda_check_status != cudaSuccess) {                                                              \
            printf("%s:%d: %s: %s\n", "program", __LINE__, #call, cudaGetErrorString(cuda_check_status));    \
            exit(EXIT_FAILURE);                                                                              \
        }                                                                                                    \
    } while (0)

inline int &program_failures()
{
    static int failures = 0;
    return failures;
}

/* Returns the next of a fixed sequence of 32-bit numbers (xorshift); *state must not be 0. */
inline uint32_t random_next(uint32_t *state)
{
    uint32_t x = *state;
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    *state = x;
    return x;
}

/* Returns n numbers in [0, range); range 0 means all 32 bits. */
inline std::vector<uint32_t> random_keys(size_t n, uint32_t range, uint32_t seed)
{
    std::vector<uint32_t> keys(n);
    uint32_t state = seed * 2654435761u + 1u;
    if (state == 0)
        state = 1;
    for (size_t i = 0; i < n; i++) {
        uint32_t key = random_next(&state);
        keys[i] = range != 0 ? (key >> 3) % range : key;
    }
    return keys;
}

/* Returns n ints in [-span, span]. */
inline std::vector<int> random_ints(size_t n, int span, uint32_t seed)
{
    std::vector<uint32_t> keys = random_keys(n, 2u * (uint32_t)span + 1u, seed);
    std::vector<int> ints(n);
    for (size_t i = 0; i < n; i++)
        ints[i] = (int)keys[i] - span;
    return ints;
}

/* Returns n floats in [-1, 1), multiples of 2^-20. */
inline std::vector<float> random_floats(size_t n, uint32_t seed)
{
    std::vector<uint32_t> keys = random_keys(n, 1u << 21, seed);
    std::vector<float> floats(n);
    for (size_t i = 0; i < n; i++)
        floats[i] = (float)((int)keys[i] - (1 << 20)) / (float)(1 << 20);
    return floats;
}

/* Returns FNV-1a of the bytes. T must have no padding. */
template <typename T> unsigned long long checksum(const T *values, size_t n)
{
    unsigned long long hash = 14695981039346656037ull;
    const unsigned char *bytes = (const unsigned char *)values;
    for (size_t i = 0; i < n * sizeof(T); i++)
        hash = (hash ^ bytes[i]) * 1099511628211ull;
    return hash;
}

/* Compares bit for bit and prints one line. */
template <typename T> void expect_equal(const char *what, const T *got, const T *want, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (memcmp(&got[i], &want[i], sizeof(T)) != 0) {
            printf("%s: n=%zu FAIL at %zu\n", what, n, i);
            program_failures()++;
            return;
        }
    }
    printf("%s: n=%zu checksum=%016llx ok\n", what, n, checksum(got, n));
}

template <typename T>
void expect_equal(const char *what, const std::vector<T> &got, const std::vector<T> &want)
{
    if (got.size() != want.size()) {
        printf("%s: %zu elements, expected %zu FAIL\n", what, got.size(), want.size());
        program_failures()++;
        return;
    }
    expect_equal(what, got.data(), want.data(), got.size());
}

/* Prints one whole number. */
inline void expect_number(const char *what, long long got, long long want)
{
    printf("%s: %lld%s\n", what, got, got == want ? " ok" : " FAIL");
    program_failures() += got != want;
}

/* Prints one float exactly, bit for bit. */
inline void expect_float(const char *what, float got, float want)
{
    bool same = memcmp(&got, &want, sizeof got) == 0;
    printf("%s: %a%s\n", what, (double)got, same ? " ok" : " FAIL");
    program_failures() += !same;
}

inline void expect_true(const char *what, bool truth)
{
    printf("%s: %s\n", what, truth ? "ok" : "FAIL");
    program_failures() += !truth;
}

template <typename T> T *device_alloc(size_t n)
{
    T *pointer = NULL;
    CUDA_CHECK(cudaMalloc(&pointer, n * sizeof(T)));
    return pointer;
}

template <typename T> T *to_device(const std::vector<T> &values)
{
    T *pointer = device_alloc<T>(values.size());
    CUDA_CHECK(cudaMemcpy(pointer, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
    return pointer;
}

template <typename T> std::vector<T> from_device(const T *pointer, size_t n)
{
    std::vector<T> values(n);
    CUDA_CHECK(cudaMemcpy(values.data(), pointer, n * sizeof(T), cudaMemcpyDeviceToHost));
    return values;
}

inline unsigned blocks_for(size_t n, unsigned per_block)
{
    return (unsigned)((n + per_block - 1) / per_block);
}

inline int program_end()
{
    puts(program_failures() == 0 ? "PASS" : "FAIL");
    return program_failures() == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

#endif
