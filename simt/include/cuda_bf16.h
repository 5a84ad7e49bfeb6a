/* cuda_bf16.h: bfloat16 on the CPU device: storage, conversions, and arithmetic that goes by float. C++.
 *
 * A pair is two numbers; its arithmetic (__hadd2 and its like), and functions such as hexp, are not there. */
#ifndef SIMT_CUDA_BF16_H
#define SIMT_CUDA_BF16_H
#define __CUDA_BF16_H__ /* by which other headers know that this one was read */

#include "cuda_runtime.h"
#include "simt_small_floats.h"

SIMT_SMALL_FLOAT(__nv_bfloat16, __nv_bfloat162, 7)
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

inline __host__ __device__ __nv_bfloat16 __float2bfloat16(float value)
{
    return __nv_bfloat16(value);
}

inline __host__ __device__ __nv_bfloat16 __float2bfloat16_rn(float value)
{
    return __nv_bfloat16(value);
}

inline __host__ __device__ __nv_bfloat16 __double2bfloat16(double value)
{
    return __nv_bfloat16(value);
}

inline __host__ __device__ float __bfloat162float(__nv_bfloat16 value)
{
    return value;
}

inline __host__ __device__ __nv_bfloat162 __floats2bfloat162_rn(float first, float second)
{
    return __nv_bfloat162(__nv_bfloat16(first), __nv_bfloat16(second));
}

inline __host__ __device__ __nv_bfloat162 __float22bfloat162_rn(float2 both)
{
    return __nv_bfloat162(__nv_bfloat16(both.x), __nv_bfloat16(both.y));
}

inline __host__ __device__ float2 __bfloat1622float2(__nv_bfloat162 both)
{
    return float2{both.x, both.y};
}

inline __host__ __device__ __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 first, __nv_bfloat16 second)
{
    return __nv_bfloat162(first, second);
}

inline __host__ __device__ __nv_bfloat16 __low2bfloat16(__nv_bfloat162 both)
{
    return both.x;
}

inline __host__ __device__ __nv_bfloat16 __high2bfloat16(__nv_bfloat162 both)
{
    return both.y;
}

inline __host__ __device__ float __low2float(__nv_bfloat162 both)
{
    return both.x;
}

inline __host__ __device__ float __high2float(__nv_bfloat162 both)
{
    return both.y;
}

inline __host__ __device__ unsigned short __bfloat16_as_ushort(__nv_bfloat16 value)
{
    return value.__x;
}

inline __host__ __device__ __nv_bfloat16 __ushort_as_bfloat16(unsigned short bits)
{
    __nv_bfloat16 value;
    value.__x = bits;
    return value;
}

#endif
