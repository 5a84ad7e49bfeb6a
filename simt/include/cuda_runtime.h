/* cuda_runtime.h: everything that nvcc includes in a .cu file by default, for the CPU device.
 *
 * In C, and in C++ that is not translated CUDA code, it provides the runtime API and qualifiers without effect.
 * Translated code is compiled with -D__SIMT__ -D__CUDACC__, and cudac includes this header first. */
#ifndef SIMT_CUDA_RUNTIME_H
#define SIMT_CUDA_RUNTIME_H
#define __CUDA_RUNTIME_H__ /* other headers test for this name */

#ifdef __CUDA__ /* an editor's clang: see simt_language.h */
#pragma clang force_cuda_host_device begin
#endif

#if defined(__SIMT__) && defined(__cplusplus)
#include "simt_libc.h"

/* <cmath> is read without its special functions (std::beta and others): each compilation would instantiate them all,
 * which takes longer than all the rest of an empty file. Where a source uses one, cudac includes simt_std_special.h. */
#include <bits/c++config.h>
#undef _GLIBCXX_USE_STD_SPEC_FUNCS
#define _GLIBCXX_USE_STD_SPEC_FUNCS 0
#endif

/* nvcc's own headers include these, for INT_MAX and the like, std::min and std::max, and new at an address. */
#include <limits.h>
#ifdef __cplusplus
#include <bits/stl_algobase.h>
#include <cmath>
#include <limits>
#include <new>
#endif

#include "cuda_runtime_api.h"
#include "driver_types.h"
#include "vector_functions.h"
#include "vector_types.h"

#if defined(__SIMT__) && defined(__cplusplus)
#include "simt_math.h"
#include "simt_special.h"
#include "simt_device_api.h"
#include "simt_intrinsics.h"
#include "simt_packed.h"
#include "simt_rounding.h"
#include "simt_atomics.h"
#include "simt_warp.h"
#include "simt_further_api.h"
#include "simt_lacks.h"
#include "simt_volumes.h"
#include "simt_language.h"
#include "simt_templates.h"
#include "simt_launch.h"
#include "simt_launch_api.h"
#include "simt_graph_api.h"
#elif defined(__cplusplus)
#include "simt_typed_memory.h"
#endif

/* Qualifiers that a header may use for its functions when the host's compiler reads it too. */
#ifndef __SIMT__
#define __host__
#define __device__
#define __global__
#define __forceinline__ inline __attribute__((__always_inline__))
#define __launch_bounds__(...)
#define __align__(bytes) __attribute__((__aligned__(bytes)))
#endif
#ifdef SIMT_DEBUG
#include "simt_debug.h"
#endif

#ifdef __CUDA__
#pragma clang force_cuda_host_device end
#endif

#endif
