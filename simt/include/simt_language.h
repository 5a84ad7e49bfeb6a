/* simt_language.h: CUDA's qualifiers and built-in variables for g++. C++, internal to cuda_runtime.h.
 *
 * One compilation serves both sides, so __host__, __device__ and __global__ say nothing to g++; who may call whom is
 * judged apart, see simt_spaces.h. __CUDA_ARCH__ is 900 in host code too, because
 * programs ask it which atomics and intrinsics there are; what they choose by it works in host code as well. */
#ifndef SIMT_LANGUAGE_H
#define SIMT_LANGUAGE_H

#include "simt_spaces.h"
#include "vector_types.h"

#ifndef __CUDA_ARCH__
#define __CUDA_ARCH__ 900
#endif
#define __CUDACC_VER_MAJOR__ 13
#define __CUDACC_VER_MINOR__ 0

/* ---- functions -------------------------------------------------------------------------------------------- */

/* A call that returns a struct stores it where no hook sees it, unless it is inlined. */
#ifdef SIMT_SPACES
#define __global__ SIMT_SPACE("__global__")
#else
#define __global__ __attribute__((flatten))
#endif
#define __host__        SIMT_SPACE("__host__")
#define __device__      SIMT_SPACE("__device__")
#define __forceinline__ inline __attribute__((always_inline))
#define __inline_hint__
#define __launch_bounds__(...)
#define __maxnreg__(...)
#define __grid_constant__

/* Nothing, because the standard library's headers write it inside __attribute__((...)). */
#define __noinline__

#define __cluster_dims__(...)                                                                                \
    _Pragma("GCC error \"the CPU device has no thread block clusters; DEVICE=cuda has them\"")

/* ---- variables --------------------------------------------------------------------------------------------
 * Each space is an ELF section, by whose bounds the device knows its variables; shared memory is the module's
 * thread-local block, which the scheduler saves and restores when it changes block. cudac writes
 * __simt_variable behind a __device__ that declares a variable.
 *
 * gcc refuses const and other variables in one section. So each gets a section name of its own, with a tail
 * that the assembler takes for a comment: there the names, and the flags, are equal again. Before the comment stands
 * a line that leaves room in front of the variable, so that no index that is a little too large leads to the next one;
 * behind the last one of a file there is room, too, in a subsection, which the assembler puts last. */

#if defined(__aarch64__)
#define SIMT_ASSEMBLER_COMMENT "//"
#else
#define SIMT_ASSEMBLER_COMMENT "#"
#endif
#define SIMT_TEXT_OF(text) #text
#define SIMT_TEXT(text)    SIMT_TEXT_OF(text)
#define SIMT_ROOM          ".zero 1024" /* bytes */
#define SIMT_SECTION(name)                                                                                   \
    __attribute__((                                                                                          \
        section(name ",\"aw\",%progbits\n\t" SIMT_ROOM " " SIMT_ASSEMBLER_COMMENT SIMT_TEXT(__COUNTER__))))
#define SIMT_ROOM_BEHIND(name)                                                                               \
    __asm__(".pushsection " name ", 1, \"aw\", %progbits\n\t" SIMT_ROOM "\n\t.popsection");
SIMT_ROOM_BEHIND("simt_device")
SIMT_ROOM_BEHIND("simt_constant")
SIMT_ROOM_BEHIND("simt_managed")

#define __simt_variable SIMT_SECTION("simt_device")
#define __constant__    SIMT_SECTION("simt_constant")
#define __managed__     SIMT_SECTION("simt_managed")
/* nvcc puts a kernel's array of shared memory where it can be read as float4 or uint4, though its type does not promise
 * it, and code relies on that. An author's own, larger alignment stands beside this one: g++ takes the largest. */
#define __shared__ thread_local __attribute__((aligned(16)))

#define __align__(bytes)         __attribute__((aligned(bytes)))
#define __builtin_align__(bytes) __attribute__((aligned(bytes)))

/* ---- built-in variables: the scheduler rewrites them when it changes thread or block ------------------------ */

/* A dim3 without constructors: what the compiler knows to be constant it reads without asking the device. */
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

/* An editor's clang reads a .cu file as CUDA, launches included; nothing is compiled in this way. What stands in
 * these headers is for host and device alike; a .cu file's own functions say what they are. */
#ifdef __CUDA__
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t bytes = 0, void *stream = 0);
#undef __global__
#undef __device__
#undef __host__
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__   __attribute__((host))
#endif

#endif
