/* simt_host_arrays.h: lets copies report to the device how long their host arrays are. The compiler knows that for
 * local arrays, and for memory from malloc or new that the same function has allocated. Internal to cuda_runtime.h.
 *
 * The functions are always inlined, like those of a fortified C library, so that the compiler sees what the
 * pointers point to and a finding names the student's line. The C functions that they call are declared here for
 * both sides. */
#ifndef SIMT_HOST_ARRAYS_H
#define SIMT_HOST_ARRAYS_H

#include "cuda_runtime_api.h"

/* The bytes from a pointer to the end of its object; (size_t)-1 if the compiler does not know it. */
#if __has_builtin(__builtin_dynamic_object_size)
#define SIMT_LEFT(pointer) __builtin_dynamic_object_size(pointer, 0)
#else // g++ 11 knows only lengths that are constants
#define SIMT_LEFT(pointer) __builtin_object_size(pointer, 0)
#endif

#ifdef __cplusplus
extern "C" {
#endif
cudaError_t simt_copy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind, size_t __to_left,
                      size_t __from_left);
cudaError_t simt_copy_queued(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
                             cudaStream_t stream, size_t __to_left, size_t __from_left);
cudaError_t simt_copy_2d(void *to, size_t __to_pitch, const void *from, size_t __from_pitch, size_t width,
                         size_t height, enum cudaMemcpyKind kind, size_t __to_left, size_t __from_left);
cudaError_t simt_copy_2d_queued(void *to, size_t __to_pitch, const void *from, size_t __from_pitch,
                                size_t width, size_t height, enum cudaMemcpyKind kind, cudaStream_t stream,
                                size_t __to_left, size_t __from_left);

#if defined(__cplusplus) && defined(__OPTIMIZE__) && !defined(SIMT_SPACES) && !defined(__CUDA__)
#define SIMT_SEES extern inline __attribute__((__gnu_inline__, __always_inline__, __artificial__)) cudaError_t

SIMT_SEES cudaMemcpy(void *dst, const void *src, size_t count, enum cudaMemcpyKind kind)
{
    return simt_copy(dst, src, count, kind, SIMT_LEFT(dst), SIMT_LEFT(src));
}
SIMT_SEES cudaMemcpyAsync(void *dst, const void *src, size_t count, enum cudaMemcpyKind kind,
                          cudaStream_t stream)
{
    return simt_copy_queued(dst, src, count, kind, stream, SIMT_LEFT(dst), SIMT_LEFT(src));
}
SIMT_SEES cudaMemcpy2D(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width, size_t height,
                       enum cudaMemcpyKind kind)
{
    return simt_copy_2d(dst, dpitch, src, spitch, width, height, kind, SIMT_LEFT(dst), SIMT_LEFT(src));
}
SIMT_SEES cudaMemcpy2DAsync(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width,
                            size_t height, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    return simt_copy_2d_queued(dst, dpitch, src, spitch, width, height, kind, stream, SIMT_LEFT(dst),
                               SIMT_LEFT(src));
}
#undef SIMT_SEES
#endif

#ifdef __cplusplus
}
#endif

#endif
