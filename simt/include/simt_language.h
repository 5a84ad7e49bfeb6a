/* simt_language.h: CUDA's qualifiers and built-in variables for g++. C++, internal to cuda_runtime.h.
 *
 * One compilation serves host and device, so __host__, __device__ and __global__ have no meaning for g++; a
 * separate check, described in simt_spaces.h, decides which functions may call each other. __CUDA_ARCH__ is 900 in
 * host code too, because programs use it to ask which atomics and intrinsics exist, and the code that they choose
 * works in host code as well. Within functions for both, cudac writes SIMT_IF_DEVICE for #ifdef __CUDA_ARCH__. */
#ifndef SIMT_LANGUAGE_H
#define SIMT_LANGUAGE_H

#include "cuda_runtime_api.h"
#include "simt_spaces.h"
#include "vector_types.h"

#ifndef __CUDA_ARCH__
#define __CUDA_ARCH__ 900
#endif
#define __CUDACC_VER_MAJOR__ (CUDART_VERSION / 1000)
#define __CUDACC_VER_MINOR__ 0

/* ---- functions -------------------------------------------------------------------------------------------- */

/* A call that returns a struct would store it where no hook sees it; inlining every call prevents that. */
#ifdef SIMT_SPACES
#define __global__ SIMT_SPACE("__global__")
#else
#define __global__ __attribute__((__flatten__))
#endif
#define __host__        SIMT_SPACE("__host__")
#define __device__      SIMT_SPACE("__device__")
#define __forceinline__ inline __attribute__((__always_inline__))
#define __inline_hint__
#define __launch_bounds__(...)
#define __maxnreg__(...)
#define __grid_constant__

/* Empty, because the standard library's headers write this name inside __attribute__((...)). */
#define __noinline__

#define __cluster_dims__(...)                                                                                \
    _Pragma("GCC error \"the CPU device has no thread block clusters; DEVICE=cuda has them\"")

#ifdef SIMT_SPACES /* only the device's branch is checked, as nvcc does */
#define SIMT_IF_DEVICE if constexpr (true)
#define SIMT_IF_HOST   if constexpr (false)
#else
#define SIMT_IF_DEVICE if (!__builtin_is_constant_evaluated() && simt_in_kernel())
#define SIMT_IF_HOST   if (__builtin_is_constant_evaluated() || !simt_in_kernel())
#endif

/* ---- variables --------------------------------------------------------------------------------------------
 * Each memory space is an ELF section, whose bounds tell the device where its variables are. Shared memory is the
 * module's thread-local block, which the scheduler saves and restores when it switches blocks. cudac adds
 * __simt_variable after a __device__ that declares a variable.
 *
 * gcc refuses const and other variables in one section. So each variable gets a section name of its own, whose end
 * the assembler takes for a comment, which makes the names and the flags equal again. A line before that comment
 * leaves room in front of the variable, so that an index slightly out of range does not reach the next variable. A
 * subsection that the assembler puts last leaves the same room after the last variable of a file. */

#if defined(__aarch64__)
#define SIMT_ASSEMBLER_COMMENT "//"
#else
#define SIMT_ASSEMBLER_COMMENT "#"
#endif
#define SIMT_TEXT_OF(__text) #__text
#define SIMT_TEXT(__text)    SIMT_TEXT_OF(__text)
#define SIMT_ROOM            ".zero 1024" /* in bytes */
#define SIMT_SECTION_NAME(name)                                                                              \
    name ",\"aw\",%progbits\n\t" SIMT_ROOM " " SIMT_ASSEMBLER_COMMENT SIMT_TEXT(__COUNTER__)
#define SIMT_SECTION(name) __attribute__((__section__(SIMT_SECTION_NAME(name))))
#define SIMT_ROOM_BEHIND(name)                                                                               \
    __asm__(".pushsection " name ", 1, \"aw\", %progbits\n\t" SIMT_ROOM "\n\t.popsection");
SIMT_ROOM_BEHIND("simt_device")
SIMT_ROOM_BEHIND("simt_constant")
SIMT_ROOM_BEHIND("simt_managed")

#define __simt_variable SIMT_SECTION("simt_device")
#define __constant__    SIMT_SECTION("simt_constant")
#define __managed__     SIMT_SECTION("simt_managed")

/* The same for a variable of a template: cudac writes these with a number that depends on its parameters. */
#define SIMT_SECTION_OF(number, name)      SIMT_SECTION_IF(number, SIMT_SECTION_NAME(name))
#define SIMT_SECTION_IF(number, full_name) __attribute__((__section__(((number) ? full_name : full_name))))
#define __simt_variable_of(number)         SIMT_SECTION_OF(number, "simt_device")
#define __simt_constant_of(number)         SIMT_SECTION_OF(number, "simt_constant")
#define __simt_managed_of(number)          SIMT_SECTION_OF(number, "simt_managed")
namespace simt
{
template <class __T> struct __dependent;
template <auto __v> struct __dependent_value;
} // namespace simt

/* nvcc aligns a kernel's shared array so that it can be read as float4 or uint4, although its type does not promise
 * that, and programs rely on it. If the program asks for a larger alignment, g++ takes the larger one. */
#define __shared__ thread_local __attribute__((__aligned__(16)))

#define __align__(bytes)         __attribute__((__aligned__(bytes)))
#define __builtin_align__(bytes) __attribute__((__aligned__(bytes)))

/* ---- built-in variables: the scheduler rewrites them when it switches threads or blocks --------------------- */

/* A dim3 without constructors, so that the compiler reads constant components without asking the device. */
struct simt_dim3 {
    unsigned int x, y, z;
    operator uint3() const
    {
        return uint3{x, y, z};
    }
};

inline dim3::dim3(const simt_dim3 &extent) : x(extent.x), y(extent.y), z(extent.z)
{
}

extern const uint3 threadIdx __asm__("simt_thread_index");
extern const uint3 blockIdx __asm__("simt_block_index");
extern const simt_dim3 blockDim __asm__("simt_block_dim");
extern const simt_dim3 gridDim __asm__("simt_grid_dim");
static const int warpSize = 32;

/* An editor's clang reads a .cu file as CUDA, including its launches, but nothing is compiled that way. The
 * functions of these headers are for host and device alike; the functions of a .cu file have qualifiers of their
 * own. */
#ifdef __CUDA__
unsigned __cudaPushCallConfiguration(dim3 __grid, dim3 __of_block, size_t bytes = 0, void *stream = 0);
#undef __global__
#undef __device__
#undef __host__
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__   __attribute__((host))
#endif

#endif
