/* simt_launch_api.h: cudaLaunchKernel, cudaLaunchCooperativeKernel and cudaLaunchKernelEx. C++, internal to cuda_runtime.h.
 *
 * The first two take the arguments as an array of pointers; the kernel's type says what these point to. So the kernel itself
 * must be passed: a cast to void * hides its type, and then the call does not compile. */
#ifndef SIMT_LAUNCH_API_H
#define SIMT_LAUNCH_API_H

#include "simt_launch.h"
#include "simt_templates.h"

extern "C" {
/* Checks that the kernel and its arguments are not null, and sets the last error aside in *before. After the
 * launch, simt_launch_end returns the launch's error, or restores the former error if there is none. */
cudaError_t simt_launch_begin(const void *kernel, void **__arguments, int __parameters,
                              cudaError_t *__before);
cudaError_t simt_launch_end(cudaError_t __before);
}

template <class... __P, size_t... __i>
static inline __attribute__((__always_inline__)) cudaError_t
simt_launch_pointers(int cooperative, void (*kernel)(__P...), dim3 __grid, dim3 __of_block,
                     void **__arguments, size_t bytes, cudaStream_t stream, std::index_sequence<__i...>)
{
    cudaError_t __before,
        error = simt_launch_begin((const void *)kernel, __arguments, sizeof...(__P), &__before);
    if (error)
        return error;
    simt::__launch_pointer(simt::config(__grid, __of_block, bytes, stream), cooperative, kernel,
                           *(std::remove_reference_t<__P> *)__arguments[__i]...);
    return simt_launch_end(__before);
}

template <class... __P>
static inline __attribute__((__always_inline__)) cudaError_t
cudaLaunchKernel(void (*kernel)(__P...), dim3 __grid, dim3 __of_block, void **__arguments, size_t bytes = 0,
                 cudaStream_t stream = 0)
{
    return simt_launch_pointers(0, kernel, __grid, __of_block, __arguments, bytes, stream,
                                std::index_sequence_for<__P...>());
}

template <class... __P>
static inline __attribute__((__always_inline__)) cudaError_t
cudaLaunchCooperativeKernel(void (*kernel)(__P...), dim3 __grid, dim3 __of_block, void **__arguments,
                            size_t bytes = 0, cudaStream_t stream = 0)
{
    return simt_launch_pointers(1, kernel, __grid, __of_block, __arguments, bytes, stream,
                                std::index_sequence_for<__P...>());
}

/* ---- launches with attributes ---------------------------------------------------------------------------------- */

struct cudaLaunchAttribute {
    cudaLaunchAttributeID id;
    cudaLaunchAttributeValue val;
};
struct cudaLaunchConfig_t {
    dim3 gridDim, blockDim;
    size_t dynamicSmemBytes;
    cudaStream_t stream;
    cudaLaunchAttribute *attrs;
    unsigned numAttrs;
};

/* Attributes that concern speed only are ignored. The call that refuses clusters says so. */
template <class... __P, class... __A>
static inline __attribute__((__always_inline__)) cudaError_t
cudaLaunchKernelEx(const cudaLaunchConfig_t *__config, void (*kernel)(__P...), __A &&...__arguments)
{
    int cooperative = 0;
    for (unsigned __i = 0; __i < __config->numAttrs; __i++) {
        const cudaLaunchAttribute &__one = __config->attrs[__i];
        if (__one.id == cudaLaunchAttributeCooperative)
            cooperative = __one.val.cooperative;
        else if (__one.id == cudaLaunchAttributeClusterDimension)
            return cudaFuncSetAttribute((const void *)kernel, cudaFuncAttributeClusterDimMustBeSet, 1);
    }
    return [&](__P... __values) __attribute__((__always_inline__))
    {
        void *__pointers[] = {(void *)&__values..., nullptr};
        return simt_launch_pointers(cooperative, kernel, __config->gridDim, __config->blockDim, __pointers,
                                    __config->dynamicSmemBytes, __config->stream,
                                    std::index_sequence_for<__P...>());
    }
    (std::forward<__A>(__arguments)...);
}

#define SIMT_UNTYPED                                                                                         \
    __attribute__((                                                                                          \
        __error__("the CPU device needs the kernel's type: pass the kernel itself, without (void *); "       \
                  "DEVICE=cuda takes both"),                                                                 \
        __noinline__))
SIMT_UNTYPED cudaError_t cudaLaunchKernel(const void *kernel, dim3 __grid, dim3 __of_block,
                                          void **__arguments, size_t bytes = 0, cudaStream_t stream = 0);
SIMT_UNTYPED cudaError_t cudaLaunchCooperativeKernel(const void *kernel, dim3 __grid, dim3 __of_block,
                                                     void **__arguments, size_t bytes = 0,
                                                     cudaStream_t stream = 0);
#undef SIMT_UNTYPED

#endif
