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
typedef __half half;
typedef __half2 half2;

#endif
