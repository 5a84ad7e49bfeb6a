/* cuda_fp16.h: half precision on the CPU device: storage, conversions, and arithmetic that goes by float. C++.
 *
 * A pair is two numbers; its arithmetic (__hadd2 and its like), and functions such as hexp, are not there. */
#ifndef SIMT_CUDA_FP16_H
#define SIMT_CUDA_FP16_H
#define __CUDA_FP16_H__ /* by which other headers know that this one was read */

#include "cuda_runtime.h"
#include "simt_small_floats.h"

SIMT_SMALL_FLOAT(__half, __half2, 10)
typedef __half half;
typedef __half2 half2;

inline __host__ __device__ __half __float2half(float value)
{
    return __half(value);
}

inline __host__ __device__ __half __float2half_rn(float value)
{
    return __half(value);
}

inline __host__ __device__ __half __double2half(double value)
{
    return __half(value);
}

inline __host__ __device__ float __half2float(__half value)
{
    return value;
}

inline __host__ __device__ __half2 __floats2half2_rn(float first, float second)
{
    return __half2(__half(first), __half(second));
}

inline __host__ __device__ __half2 __float22half2_rn(float2 both)
{
    return __half2(__half(both.x), __half(both.y));
}

inline __host__ __device__ float2 __half22float2(__half2 both)
{
    return float2{both.x, both.y};
}

inline __host__ __device__ __half2 __halves2half2(__half first, __half second)
{
    return __half2(first, second);
}

inline __host__ __device__ __half __low2half(__half2 both)
{
    return both.x;
}

inline __host__ __device__ __half __high2half(__half2 both)
{
    return both.y;
}

inline __host__ __device__ float __low2float(__half2 both)
{
    return both.x;
}

inline __host__ __device__ float __high2float(__half2 both)
{
    return both.y;
}

inline __host__ __device__ unsigned short __half_as_ushort(__half value)
{
    return value.__x;
}

inline __host__ __device__ __half __ushort_as_half(unsigned short bits)
{
    __half value;
    value.__x = bits;
    return value;
}

#endif
