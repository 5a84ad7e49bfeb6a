/* simt_further_api.h: functions of the runtime that follow from others, as there is one device, no cache and one pool of memory. C++,
 * internal to cuda_runtime.h. They are always inlined, so that the place of a call is the program's line. */
#ifndef SIMT_FURTHER_API_H
#define SIMT_FURTHER_API_H

#include "simt_typed_memory.h"

#define SIMT_FOLLOWS static inline __attribute__((__always_inline__, __unused__)) cudaError_t

SIMT_FOLLOWS cudaGraphInstantiateWithFlags(cudaGraphExec_t *__execution, cudaGraph_t graph,
                                           unsigned long long flags = 0)
{
    return cudaGraphInstantiate(__execution, graph, flags);
}
SIMT_FOLLOWS cudaGraphInstantiate(cudaGraphExec_t *__execution, cudaGraph_t graph, cudaGraphNode_t *, char *,
                                  size_t)
{
    return cudaGraphInstantiate(__execution, graph, 0);
}

/* ---- one device ---------------------------------------------------------------------------------------------- */

SIMT_FOLLOWS cudaChooseDevice(int *device, const cudaDeviceProp *)
{
    return cudaGetDevice(device);
}
SIMT_FOLLOWS cudaSetValidDevices(int *__devices, int count)
{
    return count > 0 ? cudaSetDevice(__devices[0]) : cudaSuccess;
}
SIMT_FOLLOWS cudaInitDevice(int device, unsigned, unsigned)
{
    return cudaSetDevice(device);
}
SIMT_FOLLOWS cudaDeviceGetByPCIBusId(int *device, const char *)
{
    return cudaGetDevice(device);
}
SIMT_FOLLOWS cudaDeviceEnablePeerAccess(int __peer, unsigned)
{
    const cudaError_t error = cudaSetDevice(__peer);
    return error ? error : cudaErrorInvalidDevice;
}
SIMT_FOLLOWS cudaDeviceDisablePeerAccess(int __peer)
{
    const cudaError_t error = cudaSetDevice(__peer);
    return error ? error : cudaErrorPeerAccessNotEnabled;
}
enum cudaDeviceP2PAttr {
    cudaDevP2PAttrPerformanceRank = 1,
    cudaDevP2PAttrAccessSupported = 2,
    cudaDevP2PAttrNativeAtomicSupported = 3,
    cudaDevP2PAttrCudaArrayAccessSupported = 4
};
SIMT_FOLLOWS cudaDeviceGetP2PAttribute(int *value, cudaDeviceP2PAttr, int from, int to)
{
    return cudaDeviceCanAccessPeer(value, from, to);
}
SIMT_FOLLOWS cudaMemcpyPeer(void *to, int __to_device, const void *from, int __from_device, size_t bytes)
{
    cudaError_t error = cudaSetDevice(__to_device);
    if (!error)
        error = cudaSetDevice(__from_device);
    return error ? error : cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToDevice);
}
SIMT_FOLLOWS cudaMemcpyPeerAsync(void *to, int __to_device, const void *from, int __from_device, size_t bytes,
                                 cudaStream_t stream = 0)
{
    cudaError_t error = cudaSetDevice(__to_device);
    if (!error)
        error = cudaSetDevice(__from_device);
    return error ? error : cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream);
}

/* ---- caches and banks: settings that change nothing ------------------------------------------------------------------- */

enum cudaSharedMemConfig {
    cudaSharedMemBankSizeDefault = 0,
    cudaSharedMemBankSizeFourByte = 1,
    cudaSharedMemBankSizeEightByte = 2
};
SIMT_FOLLOWS cudaDeviceSetSharedMemConfig(cudaSharedMemConfig)
{
    return cudaSuccess;
}
SIMT_FOLLOWS cudaDeviceGetSharedMemConfig(cudaSharedMemConfig *config)
{
    *config = cudaSharedMemBankSizeFourByte;
    return cudaSuccess;
}
template <class __T> SIMT_FOLLOWS cudaFuncSetSharedMemConfig(__T *, cudaSharedMemConfig)
{
    return cudaSuccess;
}
SIMT_FOLLOWS cudaDeviceGetCacheConfig(cudaFuncCache *config)
{
    *config = cudaFuncCachePreferNone;
    return cudaSuccess;
}
SIMT_FOLLOWS cudaCtxResetPersistingL2Cache()
{
    return cudaSuccess;
}

enum cudaAccessProperty {
    cudaAccessPropertyNormal = 0,
    cudaAccessPropertyStreaming = 1,
    cudaAccessPropertyPersisting = 2
};
struct cudaAccessPolicyWindow {
    void *base_ptr;
    size_t num_bytes;
    float hitRatio;
    cudaAccessProperty hitProp, missProp;
};
/* Attributes of launches and of streams. */
enum cudaLaunchAttributeID {
    cudaLaunchAttributeIgnore = 0,
    cudaLaunchAttributeAccessPolicyWindow = 1,
    cudaLaunchAttributeCooperative = 2,
    cudaLaunchAttributeSynchronizationPolicy = 3,
    cudaLaunchAttributeClusterDimension = 4,
    cudaLaunchAttributeClusterSchedulingPolicyPreference = 5,
    cudaLaunchAttributeProgrammaticStreamSerialization = 6,
    cudaLaunchAttributePriority = 8
};
union cudaLaunchAttributeValue {
    cudaAccessPolicyWindow accessPolicyWindow;
    int cooperative;
    struct {
        unsigned x, y, z;
    } clusterDim;
    int programmaticStreamSerializationAllowed;
    int priority;
};
typedef cudaLaunchAttributeID cudaStreamAttrID;
typedef cudaLaunchAttributeValue cudaStreamAttrValue;
#define cudaStreamAttributeAccessPolicyWindow cudaLaunchAttributeAccessPolicyWindow
#define cudaStreamAttributePriority           cudaLaunchAttributePriority

SIMT_FOLLOWS cudaStreamSetAttribute(cudaStream_t stream, cudaStreamAttrID, const cudaStreamAttrValue *)
{
    unsigned flags;
    return cudaStreamGetFlags(stream, &flags); /* is it a stream? */
}

/* ---- streams and events ------------------------------------------------------------------------------------------ */

SIMT_FOLLOWS cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream = 0, unsigned = 0)
{
    return cudaEventRecord(event, stream);
}
SIMT_FOLLOWS cudaStreamGetId(cudaStream_t stream, unsigned long long *id)
{
    *id = (unsigned long long)(size_t)stream;
    return cudaSuccess;
}
SIMT_FOLLOWS cudaStreamGetDevice(cudaStream_t, int *device)
{
    return cudaGetDevice(device);
}
SIMT_FOLLOWS cudaStreamAttachMemAsync(cudaStream_t stream, void *, size_t = 0, unsigned = cudaMemAttachSingle)
{
    unsigned flags;
    return cudaStreamGetFlags(stream, &flags);
}

/* ---- pools: all memory belongs to one pool, which keeps its settings ---------------------------------------------------- */

typedef struct simt_pool {
    unsigned long long __values[9];
} * cudaMemPool_t;
enum cudaMemPoolAttr {
    cudaMemPoolReuseFollowEventDependencies = 1,
    cudaMemPoolReuseAllowOpportunistic = 2,
    cudaMemPoolReuseAllowInternalDependencies = 3,
    cudaMemPoolAttrReleaseThreshold = 4,
    cudaMemPoolAttrReservedMemCurrent = 5,
    cudaMemPoolAttrReservedMemHigh = 6,
    cudaMemPoolAttrUsedMemCurrent = 7,
    cudaMemPoolAttrUsedMemHigh = 8
};
enum cudaMemAllocationType { cudaMemAllocationTypeInvalid = 0, cudaMemAllocationTypePinned = 1 };
enum cudaMemAllocationHandleType { cudaMemHandleTypeNone = 0, cudaMemHandleTypePosixFileDescriptor = 1 };
struct cudaMemPoolProps {
    cudaMemAllocationType allocType;
    cudaMemAllocationHandleType handleTypes;
    cudaMemLocation location;
    void *win32SecurityAttributes;
    size_t maxSize;
    unsigned short usage;
    unsigned char reserved[54];
};
inline simt_pool simt_default_pool;

SIMT_FOLLOWS cudaDeviceGetDefaultMemPool(cudaMemPool_t *__pool, int device)
{
    *__pool = &simt_default_pool;
    return cudaSetDevice(device);
}
SIMT_FOLLOWS cudaDeviceGetMemPool(cudaMemPool_t *__pool, int device)
{
    return cudaDeviceGetDefaultMemPool(__pool, device);
}
SIMT_FOLLOWS cudaDeviceSetMemPool(int device, cudaMemPool_t)
{
    return cudaSetDevice(device);
}
SIMT_FOLLOWS cudaMemPoolCreate(cudaMemPool_t *__pool, const cudaMemPoolProps *)
{
    *__pool = (cudaMemPool_t)calloc(1, sizeof **__pool);
    return *__pool ? cudaSuccess : cudaErrorMemoryAllocation;
}
SIMT_FOLLOWS cudaMemPoolDestroy(cudaMemPool_t __pool)
{
    if (__pool != &simt_default_pool)
        free(__pool);
    return cudaSuccess;
}
SIMT_FOLLOWS cudaMemPoolSetAttribute(cudaMemPool_t __pool, cudaMemPoolAttr attribute, void *value)
{
    __pool->__values[attribute] =
        attribute < cudaMemPoolAttrReleaseThreshold ? *(int *)value : *(unsigned long long *)value;
    return cudaSuccess;
}
SIMT_FOLLOWS cudaMemPoolGetAttribute(cudaMemPool_t __pool, cudaMemPoolAttr attribute, void *value)
{
    size_t unused, all;
    const cudaError_t error = cudaMemGetInfo(&unused, &all);
    if (attribute < cudaMemPoolAttrReleaseThreshold)
        *(int *)value = (int)__pool->__values[attribute];
    else
        *(unsigned long long *)value =
            attribute == cudaMemPoolAttrReleaseThreshold ? __pool->__values[attribute] : all - unused;
    return error;
}
SIMT_FOLLOWS cudaMemPoolTrimTo(cudaMemPool_t, size_t)
{
    return cudaSuccess;
}
template <class __T>
SIMT_FOLLOWS cudaMallocFromPoolAsync(__T **pointer, size_t bytes, cudaMemPool_t, cudaStream_t stream)
{
    return cudaMallocAsync(pointer, bytes, stream);
}
template <class __T>
SIMT_FOLLOWS cudaMallocAsync(__T **pointer, size_t bytes, cudaMemPool_t, cudaStream_t stream)
{
    return cudaMallocAsync(pointer, bytes, stream);
}

/* ---- what CUDA had until version 12: simtcc --cuda=12 ---------------------------------------------------------------- */

#if CUDART_VERSION < 13000
SIMT_FOLLOWS cudaThreadSynchronize()
{
    return cudaDeviceSynchronize();
}
SIMT_FOLLOWS cudaThreadExit()
{
    return cudaDeviceReset();
}
SIMT_FOLLOWS cudaThreadSetCacheConfig(cudaFuncCache config)
{
    return cudaDeviceSetCacheConfig(config);
}
SIMT_FOLLOWS cudaThreadSetLimit(cudaLimit limit, size_t value)
{
    return cudaDeviceSetLimit(limit, value);
}
SIMT_FOLLOWS cudaThreadGetLimit(size_t *value, cudaLimit limit)
{
    return cudaDeviceGetLimit(value, limit);
}
static inline cudaMemLocation simt_location_of(int device)
{
    return cudaMemLocation{device < 0 ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice,
                           device < 0 ? 0 : device};
}
SIMT_FOLLOWS cudaMemPrefetchAsync(const void *pointer, size_t bytes, int device, cudaStream_t stream = 0)
{
    return cudaMemPrefetchAsync(pointer, bytes, simt_location_of(device), 0, stream);
}
SIMT_FOLLOWS cudaMemAdvise(const void *pointer, size_t bytes, cudaMemoryAdvise advice, int device)
{
    return cudaMemAdvise(pointer, bytes, advice, simt_location_of(device));
}
#endif

#undef SIMT_FOLLOWS

#endif
