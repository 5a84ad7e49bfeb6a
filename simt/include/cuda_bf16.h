/* cuda_bf16.h: bfloat16 on the CPU device: storage, conversions, and arithmetic that is computed in float. C++. */
#ifndef SIMT_CUDA_BF16_H
#define SIMT_CUDA_BF16_H
#define __CUDA_BF16_H__ /* other headers test for this name */

#include "cuda_runtime.h"
#include "simt_small_float_atomics.h"
#include "simt_small_float_math.h"
#include "simt_small_float_more.h"
#include "simt_small_floats.h"

SIMT_SMALL_FLOAT(__nv_bfloat16, __nv_bfloat162, 7, bfloat16)
SIMT_SMALL_FLOAT_MATH(__nv_bfloat16, __nv_bfloat162, bfloat16)
SIMT_SMALL_FLOAT_MORE(__nv_bfloat16, __nv_bfloat162, bfloat16)
SIMT_SMALL_FLOAT_ATOMICS(__nv_bfloat16)
SIMT_SMALL_FLOAT_ATOMICS(__nv_bfloat162)
SIMT_SHUFFLES(__nv_bfloat16)
SIMT_SHUFFLES(__nv_bfloat162)
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

#define CUDART_INF_BF16        __ushort_as_bfloat16((unsigned short)0x7f80)
#define CUDART_NAN_BF16        __ushort_as_bfloat16((unsigned short)0x7fff)
#define CUDART_MIN_DENORM_BF16 __ushort_as_bfloat16((unsigned short)0x0001)
#define CUDART_MAX_NORMAL_BF16 __ushort_as_bfloat16((unsigned short)0x7f7f)
#define CUDART_NEG_ZERO_BF16   __ushort_as_bfloat16((unsigned short)0x8000)
#define CUDART_ZERO_BF16       __ushort_as_bfloat16((unsigned short)0x0000)
#define CUDART_ONE_BF16        __ushort_as_bfloat16((unsigned short)0x3f80)

#endif
