/* warp_sums.cuh: sums over a warp of what the passes over an image add up. All lanes take part. */
#ifndef FAST_WARP_SUMS_CUH
#define FAST_WARP_SUMS_CUH

#include "summed_area_table.h"

#include <cuda_runtime.h>
#include <stdint.h>

enum { WARP = 32 };

static const unsigned ALL = 0xFFFFFFFFu;

/* Of numbers below 2^BITS. */
template <int BITS = 64> static __device__ __forceinline__ uint64_t sum_warp(uint64_t sum)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    enum {
        PART = 27
    }; /* bits, of which 32 have a sum of 32 bits: a few instructions instead of ten shuffles */
    uint64_t all = __reduce_add_sync(ALL, (unsigned)sum % (1u << PART)) +
                   ((uint64_t)__reduce_add_sync(ALL, (unsigned)(sum >> PART) % (1u << PART)) << PART);
    if (BITS > 2 * PART)
        all += (uint64_t)__reduce_add_sync(ALL, (unsigned)(sum >> 2 * PART)) << 2 * PART;
    return all;
#else
#pragma unroll
    for (unsigned by = WARP / 2; by > 0; by /= 2)
        sum = combine(sum, __shfl_xor_sync(ALL, sum, by));
    return sum;
#endif
}

/* Inclusive. */
static __device__ __forceinline__ uint64_t scan_warp(uint64_t sum, unsigned lane)
{
#pragma unroll
    for (unsigned by = 1; by < WARP; by *= 2) {
        const uint64_t left = __shfl_up_sync(ALL, sum, by);
        if (lane >= by)
            sum = combine(left, sum);
    }
    return sum;
}

#endif
