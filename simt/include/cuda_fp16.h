/* cuda_fp16.h: half precision on the CPU device: storage, conversions, and arithmetic that is computed in float.
 * C++. */
#ifndef SIMT_CUDA_FP16_H
#define SIMT_CUDA_FP16_H
#define __CUDA_FP16_H__ /* other headers test for this name */

#include "cuda_runtime.h"
#include "simt_small_float_atomics.h"
#include "simt_small_float_math.h"
#include "simt_small_float_more.h"
#include "simt_small_floats.h"

SIMT_SMALL_FLOAT(__half, __half2, 10, half)
SIMT_SMALL_FLOAT_MATH(__half, __half2, half)
SIMT_SMALL_FLOAT_MORE(__half, __half2, half)
SIMT_SMALL_FLOAT_ATOMICS(__half)
SIMT_SMALL_FLOAT_ATOMICS(__half2)
SIMT_SHUFFLES(__half)
SIMT_SHUFFLES(__half2)
typedef __half half;
typedef __half2 half2;

#define CUDART_INF_FP16        __ushort_as_half((unsigned short)0x7c00)
#define CUDART_NAN_FP16        __ushort_as_half((unsigned short)0x7fff)
#define CUDART_MIN_DENORM_FP16 __ushort_as_half((unsigned short)0x0001)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half((unsigned short)0x7bff)
#define CUDART_NEG_ZERO_FP16   __ushort_as_half((unsigned short)0x8000)
#define CUDART_ZERO_FP16       __ushort_as_half((unsigned short)0x0000)
#define CUDART_ONE_FP16        __ushort_as_half((unsigned short)0x3c00)

#endif
