/* simt_lacks.h: functions that CUDA has and the CPU device does not. C++, internal to cuda_runtime.h.
 *
 * Their names are declared, but a call does not compile: g++ prints the name, the student's line and the sentence
 * given here. Headers that the CPU device lacks (cub, thrust, mma.h and others) print theirs with #error. */
#ifndef SIMT_LACKS_H
#define SIMT_LACKS_H

#define SIMT_LACKS(result, name, what)                                                                       \
    template <class __T = int, class... __A>                                                                 \
    __attribute__((__error__("the CPU device has no " what "; DEVICE=cuda has"), __noinline__)) result name( \
        __A...);
#define SIMT_LACKS_CALL(name, what) SIMT_LACKS(cudaError_t, name, what)

#define SIMT_GRAPHS "changes of a graph's nodes"
SIMT_LACKS_CALL(cudaGraphExecUpdate, SIMT_GRAPHS)
SIMT_LACKS_CALL(cudaGraphExecKernelNodeSetParams, SIMT_GRAPHS)
SIMT_LACKS_CALL(cudaGraphKernelNodeSetParams, SIMT_GRAPHS)
SIMT_LACKS_CALL(cudaGraphAddChildGraphNode, "graphs as nodes of graphs")

#define SIMT_TEXTURES "textures"
SIMT_LACKS(__T, tex1D, SIMT_TEXTURES)
SIMT_LACKS(__T, tex1Dfetch, SIMT_TEXTURES)
SIMT_LACKS(__T, tex2D, SIMT_TEXTURES)
SIMT_LACKS(__T, tex2DLod, SIMT_TEXTURES)
SIMT_LACKS(__T, tex3D, SIMT_TEXTURES)
SIMT_LACKS(__T, tex1DLod, SIMT_TEXTURES)
SIMT_LACKS(__T, tex3DLod, SIMT_TEXTURES)
SIMT_LACKS(__T, tex1DLayered, SIMT_TEXTURES)
SIMT_LACKS(__T, tex2DLayered, SIMT_TEXTURES)
SIMT_LACKS(__T, tex2Dgather, SIMT_TEXTURES)
SIMT_LACKS(__T, texCubemap, SIMT_TEXTURES)
SIMT_LACKS_CALL(cudaCreateTextureObject, SIMT_TEXTURES)
SIMT_LACKS_CALL(cudaDestroyTextureObject, SIMT_TEXTURES)
SIMT_LACKS_CALL(cudaBindTexture, SIMT_TEXTURES)
SIMT_LACKS_CALL(cudaBindTexture2D, SIMT_TEXTURES)
SIMT_LACKS_CALL(cudaBindTextureToArray, SIMT_TEXTURES)
SIMT_LACKS_CALL(cudaUnbindTexture, SIMT_TEXTURES)
typedef unsigned long long cudaTextureObject_t;

#define SIMT_SURFACES "surfaces"
SIMT_LACKS(__T, surf1Dread, SIMT_SURFACES)
SIMT_LACKS(__T, surf1Dwrite, SIMT_SURFACES)
SIMT_LACKS(__T, surf2Dread, SIMT_SURFACES)
SIMT_LACKS(__T, surf2Dwrite, SIMT_SURFACES)
SIMT_LACKS(__T, surf3Dread, SIMT_SURFACES)
SIMT_LACKS(__T, surf3Dwrite, SIMT_SURFACES)
SIMT_LACKS_CALL(cudaCreateSurfaceObject, SIMT_SURFACES)
SIMT_LACKS_CALL(cudaDestroySurfaceObject, SIMT_SURFACES)
SIMT_LACKS_CALL(cudaBindSurfaceToArray, SIMT_SURFACES)
typedef unsigned long long cudaSurfaceObject_t;

#define SIMT_ARRAYS "CUDA arrays"
enum cudaChannelFormatKind {
    cudaChannelFormatKindSigned = 0,
    cudaChannelFormatKindUnsigned = 1,
    cudaChannelFormatKindFloat = 2,
    cudaChannelFormatKindNone = 3
};
SIMT_LACKS_CALL(cudaMallocArray, SIMT_ARRAYS)
SIMT_LACKS_CALL(cudaMalloc3DArray, SIMT_ARRAYS)
SIMT_LACKS_CALL(cudaFreeArray, SIMT_ARRAYS)
SIMT_LACKS_CALL(cudaMemcpy2DToArray, SIMT_ARRAYS)
SIMT_LACKS_CALL(cudaMemcpy2DFromArray, SIMT_ARRAYS)
struct cudaChannelFormatDesc {
    int x, y, z, w;
    enum cudaChannelFormatKind f;
};
SIMT_LACKS(cudaChannelFormatDesc, cudaCreateChannelDesc, SIMT_ARRAYS)
typedef struct simt_array *cudaArray_t;

/* Types that describe a texture. A program may fill them in, but a function that takes them does not compile. */
enum cudaTextureReadMode { cudaReadModeElementType = 0, cudaReadModeNormalizedFloat = 1 };
enum cudaTextureFilterMode { cudaFilterModePoint = 0, cudaFilterModeLinear = 1 };
enum cudaTextureAddressMode {
    cudaAddressModeWrap = 0,
    cudaAddressModeClamp = 1,
    cudaAddressModeMirror = 2,
    cudaAddressModeBorder = 3
};
enum cudaResourceType {
    cudaResourceTypeArray = 0,
    cudaResourceTypeMipmappedArray = 1,
    cudaResourceTypeLinear = 2,
    cudaResourceTypePitch2D = 3
};
struct cudaTextureDesc {
    cudaTextureAddressMode addressMode[3];
    cudaTextureFilterMode filterMode;
    cudaTextureReadMode readMode;
    int sRGB;
    float borderColor[4];
    int normalizedCoords;
};
struct cudaResourceDesc {
    cudaResourceType resType;
    union {
        struct {
            cudaArray_t array;
        } array;
        struct {
            void *devPtr;
            cudaChannelFormatDesc desc;
            size_t sizeInBytes;
        } linear;
        struct {
            void *devPtr;
            cudaChannelFormatDesc desc;
            size_t width, height, pitchInBytes;
        } pitch2D;
    } res;
};

SIMT_LACKS_CALL(cudaLaunchKernelExC, "launches by untyped pointers")
SIMT_LACKS_CALL(cudaOccupancyMaxActiveClusters, "thread block clusters")
SIMT_LACKS(void, cudaGridDependencySynchronize, "programmatic dependent launch")
SIMT_LACKS(void, cudaTriggerProgrammaticLaunchCompletion, "programmatic dependent launch")

SIMT_LACKS_CALL(cudaIpcGetMemHandle, "memory shared between processes")
SIMT_LACKS_CALL(cudaIpcOpenMemHandle, "memory shared between processes")

#define SIMT_LACKS_UNMASKED(name)                                                                            \
    template <class __T, class... __A>                                                                       \
    __attribute__((                                                                                          \
        __error__("warp operations need a mask since CUDA 9: use the form that ends in _sync, with "         \
                  "0xffffffff for the whole warp"),                                                          \
        __noinline__)) __T                                                                                   \
    name(__T, __A...);
SIMT_LACKS_UNMASKED(__shfl)
SIMT_LACKS_UNMASKED(__shfl_up)
SIMT_LACKS_UNMASKED(__shfl_down)
SIMT_LACKS_UNMASKED(__shfl_xor)
SIMT_LACKS_UNMASKED(__any)
SIMT_LACKS_UNMASKED(__all)
SIMT_LACKS_UNMASKED(__ballot)

#if CUDART_VERSION >= 13000
#define SIMT_GONE(name, instead)                                                                             \
    template <class... __A>                                                                                  \
    __attribute__((__error__("it is gone since CUDA 13: use " instead ", or simtcc --cuda=12"),              \
                   __noinline__)) cudaError_t                                                                \
    name(__A...);
SIMT_GONE(cudaThreadSynchronize, "cudaDeviceSynchronize")
SIMT_GONE(cudaThreadExit, "cudaDeviceReset")
#undef SIMT_GONE
#endif

SIMT_LACKS(__T, __nv_atomic_load_n, "compiler atomics (use atomicAdd and its like, or cuda::atomic_ref)")
SIMT_LACKS(__T, __nv_atomic_store_n, "compiler atomics (use atomicAdd and its like, or cuda::atomic_ref)")
SIMT_LACKS(__T, __nv_atomic_fetch_add, "compiler atomics (use atomicAdd and its like, or cuda::atomic_ref)")
SIMT_LACKS(__T, __nv_atomic_thread_fence,
           "compiler atomics (use atomicAdd and its like, or cuda::atomic_ref)")

/* cudac replaces an asm statement under an #if by a failing assertion and this macro, which drops the operands. */
#define SIMT_OPERANDS(...)

#undef SIMT_LACKS
#undef SIMT_LACKS_CALL
#undef SIMT_LACKS_UNMASKED

#endif
