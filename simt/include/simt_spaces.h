/* simt_spaces.h: the execution spaces of functions. C++, internal to cuda_runtime.h.
 *
 * __host__, __device__ and __global__ mean nothing to the code that runs. So the source is first compiled once with
 * -DSIMT_SPACES. Then each function carries its spaces, and where they are written, as the argument of an attribute
 * that g++ keeps and prints, and simt/spaces/ checks which functions call each other, as nvcc does. */
#ifndef SIMT_SPACES_H
#define SIMT_SPACES_H

#ifdef SIMT_SPACES
#define SIMT_SPACE_TEXT_OF(line) #line
#define SIMT_SPACE_TEXT(line)    SIMT_SPACE_TEXT_OF(line)
#define SIMT_SPACE(__space)                                                                                  \
    __attribute__((__deprecated__(__space " " __FILE__ ":" SIMT_SPACE_TEXT(__LINE__))))
#else
#define SIMT_SPACE(__space)
#endif

/* For functions of these headers that CUDA has in device code only. */
#define SIMT_DEVICE        SIMT_SPACE("__device__")
#define SIMT_DEVICE_INLINE SIMT_DEVICE SIMT_INLINE

#endif
