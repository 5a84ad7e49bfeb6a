/* simt_lacks.h: what CUDA has and the CPU device has not. C++, internal to cuda_runtime.h.
 *
 * Each name can be written, and a call of it does not compile: g++ prints the name, the student's line and
 * the sentence given here. Headers that we have not (cub, thrust, mma.h ...) say the same with #error. */
#ifndef SIMT_LACKS_H
#define SIMT_LACKS_H

/* Stands for the result of a call that does not compile, wherever it is used. */
struct simt_nothing {
    template <class T> operator T() const;
};

#define SIMT_LACKS(name, what)                                                                               \
    template <class T = int, class... A>                                                                     \
    __attribute__((error("the CPU device has no " what "; DEVICE=cuda has"), noinline)) simt_nothing name(   \
        A...);

#define SIMT_GRAPHS "CUDA graphs"
SIMT_LACKS(cudaStreamBeginCapture, SIMT_GRAPHS)
SIMT_LACKS(cudaStreamEndCapture, SIMT_GRAPHS)
SIMT_LACKS(cudaStreamIsCapturing, SIMT_GRAPHS)
SIMT_LACKS(cudaGraphCreate, SIMT_GRAPHS)
SIMT_LACKS(cudaGraphInstantiate, SIMT_GRAPHS)
SIMT_LACKS(cudaGraphLaunch, SIMT_GRAPHS)
SIMT_LACKS(cudaGraphDestroy, SIMT_GRAPHS)
SIMT_LACKS(cudaGraphExecDestroy, SIMT_GRAPHS)
SIMT_LACKS(cudaGraphAddKernelNode, SIMT_GRAPHS)
SIMT_LACKS(cudaGraphAddMemcpyNode, SIMT_GRAPHS)
typedef struct simt_graph *cudaGraph_t;
typedef struct simt_graph_exec *cudaGraphExec_t;
typedef struct simt_graph_node *cudaGraphNode_t;
enum cudaStreamCaptureMode {
    cudaStreamCaptureModeGlobal = 0,
    cudaStreamCaptureModeThreadLocal = 1,
    cudaStreamCaptureModeRelaxed = 2
};

#define SIMT_TEXTURES "textures"
SIMT_LACKS(tex1D, SIMT_TEXTURES)
SIMT_LACKS(tex1Dfetch, SIMT_TEXTURES)
SIMT_LACKS(tex2D, SIMT_TEXTURES)
SIMT_LACKS(tex2DLod, SIMT_TEXTURES)
SIMT_LACKS(tex3D, SIMT_TEXTURES)
SIMT_LACKS(cudaCreateTextureObject, SIMT_TEXTURES)
SIMT_LACKS(cudaDestroyTextureObject, SIMT_TEXTURES)
typedef unsigned long long cudaTextureObject_t;

#define SIMT_SURFACES "surfaces"
SIMT_LACKS(surf1Dread, SIMT_SURFACES)
SIMT_LACKS(surf1Dwrite, SIMT_SURFACES)
SIMT_LACKS(surf2Dread, SIMT_SURFACES)
SIMT_LACKS(surf2Dwrite, SIMT_SURFACES)
SIMT_LACKS(surf3Dread, SIMT_SURFACES)
SIMT_LACKS(surf3Dwrite, SIMT_SURFACES)
SIMT_LACKS(cudaCreateSurfaceObject, SIMT_SURFACES)
SIMT_LACKS(cudaDestroySurfaceObject, SIMT_SURFACES)
typedef unsigned long long cudaSurfaceObject_t;

#define SIMT_ARRAYS "CUDA arrays"
SIMT_LACKS(cudaMallocArray, SIMT_ARRAYS)
SIMT_LACKS(cudaMalloc3DArray, SIMT_ARRAYS)
SIMT_LACKS(cudaFreeArray, SIMT_ARRAYS)
SIMT_LACKS(cudaMemcpy2DToArray, SIMT_ARRAYS)
SIMT_LACKS(cudaMemcpy2DFromArray, SIMT_ARRAYS)
SIMT_LACKS(cudaCreateChannelDesc, SIMT_ARRAYS)
typedef struct simt_array *cudaArray_t;

SIMT_LACKS(cudaMalloc3D, "3D allocations and copies")
SIMT_LACKS(cudaMemcpy3D, "3D allocations and copies")
SIMT_LACKS(cudaMemcpy3DAsync, "3D allocations and copies")
SIMT_LACKS(cudaMemset3D, "3D allocations and copies")

SIMT_LACKS(cudaLaunchKernelEx, "launch attributes and clusters")
SIMT_LACKS(cudaLaunchKernelExC, "launch attributes and clusters")
SIMT_LACKS(cudaOccupancyMaxActiveClusters, "thread block clusters")
SIMT_LACKS(cudaGridDependencySynchronize, "programmatic dependent launch")
SIMT_LACKS(cudaTriggerProgrammaticLaunchCompletion, "programmatic dependent launch")

SIMT_LACKS(cudaDeviceCanAccessPeer, "second device to share memory with")
SIMT_LACKS(cudaDeviceEnablePeerAccess, "second device to share memory with")
SIMT_LACKS(cudaMemcpyPeer, "second device to share memory with")
SIMT_LACKS(cudaMemcpyPeerAsync, "second device to share memory with")
SIMT_LACKS(cudaIpcGetMemHandle, "memory shared between processes")
SIMT_LACKS(cudaIpcOpenMemHandle, "memory shared between processes")
SIMT_LACKS(cudaMemPoolCreate, "memory pools of its own making")
SIMT_LACKS(cudaDeviceGetDefaultMemPool, "memory pools of its own making")
SIMT_LACKS(cudaMallocFromPoolAsync, "memory pools of its own making")

#define SIMT_ASYNC_COPIES "asynchronous copies into shared memory"
SIMT_LACKS(__pipeline_memcpy_async, SIMT_ASYNC_COPIES)
SIMT_LACKS(__pipeline_commit, SIMT_ASYNC_COPIES)
SIMT_LACKS(__pipeline_wait_prior, SIMT_ASYNC_COPIES)

#define SIMT_LACKS_UNMASKED(name)                                                                            \
    template <class... A>                                                                                    \
    __attribute__((error("warp operations need a mask since CUDA 9: use the form that ends in _sync, with "  \
                         "0xffffffff for the whole warp"),                                                   \
                   noinline)) simt_nothing                                                                   \
    name(A...);
SIMT_LACKS_UNMASKED(__shfl)
SIMT_LACKS_UNMASKED(__shfl_up)
SIMT_LACKS_UNMASKED(__shfl_down)
SIMT_LACKS_UNMASKED(__shfl_xor)
SIMT_LACKS_UNMASKED(__any)
SIMT_LACKS_UNMASKED(__all)
SIMT_LACKS_UNMASKED(__ballot)

#define SIMT_ROUNDING "arithmetic that rounds down, up or towards zero"
SIMT_LACKS(__fadd_rz, SIMT_ROUNDING)
SIMT_LACKS(__fadd_rd, SIMT_ROUNDING)
SIMT_LACKS(__fadd_ru, SIMT_ROUNDING)
SIMT_LACKS(__fmul_rz, SIMT_ROUNDING)
SIMT_LACKS(__fmul_rd, SIMT_ROUNDING)
SIMT_LACKS(__fmul_ru, SIMT_ROUNDING)
SIMT_LACKS(__fmaf_rz, SIMT_ROUNDING)
SIMT_LACKS(__fmaf_rd, SIMT_ROUNDING)
SIMT_LACKS(__fmaf_ru, SIMT_ROUNDING)
SIMT_LACKS(__dadd_rz, SIMT_ROUNDING)
SIMT_LACKS(__dadd_rd, SIMT_ROUNDING)
SIMT_LACKS(__dadd_ru, SIMT_ROUNDING)

SIMT_LACKS(__nv_atomic_load_n, "compiler atomics (use atomicAdd and its like, or cuda::atomic_ref)")
SIMT_LACKS(__nv_atomic_store_n, "compiler atomics (use atomicAdd and its like, or cuda::atomic_ref)")
SIMT_LACKS(__nv_atomic_fetch_add, "compiler atomics (use atomicAdd and its like, or cuda::atomic_ref)")
SIMT_LACKS(__nv_atomic_thread_fence, "compiler atomics (use atomicAdd and its like, or cuda::atomic_ref)")

#undef SIMT_LACKS
#undef SIMT_LACKS_UNMASKED

#endif
