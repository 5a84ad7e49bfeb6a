/* simt_launch_api.h: cudaLaunchKernel and cudaLaunchCooperativeKernel. C++, internal to cuda_runtime.h.
 *
 * They take the arguments as an array of pointers; the kernel's type says what these point to. So the kernel itself
 * must be passed: a cast to void * hides its type, and then the call does not compile. */
#ifndef SIMT_LAUNCH_API_H
#define SIMT_LAUNCH_API_H

#include "simt_launch.h"
#include "simt_templates.h"

extern "C" {
/* Checks that the kernel and its arguments are not null, and sets the last error aside in *before. After the
 * launch, simt_launch_end returns the launch's error, or restores the former error if there is none. */
cudaError_t simt_launch_begin(const void *kernel, void **arguments, int parameters, cudaError_t *before);
cudaError_t simt_launch_end(cudaError_t before);
}

template <class... P, size_t... i>
static inline __attribute__((always_inline)) cudaError_t
simt_launch_pointers(int cooperative, void (*kernel)(P...), dim3 grid, dim3 block, void **arguments,
                     size_t bytes, cudaStream_t stream, std::index_sequence<i...>)
{
    cudaError_t before, error = simt_launch_begin((const void *)kernel, arguments, sizeof...(P), &before);
    if (error)
        return error;
    simt::launch_pointer(simt::config(grid, block, bytes, stream), cooperative, kernel,
                         *(std::remove_reference_t<P> *)arguments[i]...);
    return simt_launch_end(before);
}

template <class... P>
static inline __attribute__((always_inline)) cudaError_t
cudaLaunchKernel(void (*kernel)(P...), dim3 grid, dim3 block, void **arguments, size_t bytes = 0,
                 cudaStream_t stream = 0)
{
    return simt_launch_pointers(0, kernel, grid, block, arguments, bytes, stream,
                                std::index_sequence_for<P...>());
}

template <class... P>
static inline __attribute__((always_inline)) cudaError_t
cudaLaunchCooperativeKernel(void (*kernel)(P...), dim3 grid, dim3 block, void **arguments, size_t bytes = 0,
                            cudaStream_t stream = 0)
{
    return simt_launch_pointers(1, kernel, grid, block, arguments, bytes, stream,
                                std::index_sequence_for<P...>());
}

#define SIMT_UNTYPED                                                                                         \
    __attribute__((                                                                                          \
        error("the CPU device needs the kernel's type: pass the kernel itself, without (void *); "           \
              "DEVICE=cuda takes both"),                                                                     \
        noinline))
SIMT_UNTYPED cudaError_t cudaLaunchKernel(const void *kernel, dim3 grid, dim3 block, void **arguments,
                                          size_t bytes = 0, cudaStream_t stream = 0);
SIMT_UNTYPED cudaError_t cudaLaunchCooperativeKernel(const void *kernel, dim3 grid, dim3 block,
                                                     void **arguments, size_t bytes = 0,
                                                     cudaStream_t stream = 0);
#undef SIMT_UNTYPED

#endif
