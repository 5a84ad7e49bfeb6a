/* simt_device_properties.h: struct cudaDeviceProp. C and C++, internal to driver_types.h. */
#ifndef SIMT_DEVICE_PROPERTIES_H
#define SIMT_DEVICE_PROPERTIES_H

#if defined SIMT_CUDA && SIMT_CUDA < 13
#define SIMT_OF_12(name) name
#else
#define SIMT_OF_12(name) simt_##name
#endif
struct cudaDeviceProp {
    char name[256];
    cudaUUID_t uuid;
    size_t totalGlobalMem;    /* in bytes, as are all memory sizes */
    size_t sharedMemPerBlock; /* without cudaFuncSetAttribute */
    int regsPerBlock;
    int warpSize;
    size_t memPitch;
    int maxThreadsPerBlock;
    int maxThreadsDim[3];
    int maxGridSize[3];
    size_t totalConstMem;
    int major, minor; /* compute capability */
    size_t textureAlignment;
    size_t texturePitchAlignment;
    int multiProcessorCount;
    int integrated;
    int canMapHostMemory;
    int concurrentKernels;
    int ECCEnabled;
    int pciBusID, pciDeviceID, pciDomainID;
    int tccDriver;
    int asyncEngineCount;
    int unifiedAddressing;
    int memoryBusWidth; /* bits */
    int l2CacheSize;
    int persistingL2CacheMaxSize;
    int maxThreadsPerMultiProcessor;
    int streamPrioritiesSupported;
    int globalL1CacheSupported;
    int localL1CacheSupported;
    size_t sharedMemPerMultiprocessor;
    int regsPerMultiprocessor;
    int managedMemory;
    int isMultiGpuBoard;
    int multiGpuBoardGroupID;
    int hostNativeAtomicSupported;
    int pageableMemoryAccess;
    int concurrentManagedAccess;
    int computePreemptionSupported;
    int canUseHostPointerForRegisteredMem;
    int cooperativeLaunch;
    size_t sharedMemPerBlockOptin; /* with cudaFuncSetAttribute */
    int pageableMemoryAccessUsesHostPageTables;
    int directManagedMemAccessFromHost;
    int maxBlocksPerMultiProcessor;
    int accessPolicyMaxWindowSize;
    size_t reservedSharedMemPerBlock;
    int hostRegisterSupported;
    int memoryPoolsSupported;
    int clusterLaunch;
    int unifiedFunctionPointers;
    char luid[8]; /* of Windows; these and the textures' and surfaces' are 0 here */
    unsigned int luidDeviceNodeMask;
    int maxTexture1D, maxTexture1DMipmap, maxTexture2D[2], maxTexture2DMipmap[2], maxTexture2DLinear[3],
        maxTexture2DGather[2], maxTexture3D[3], maxTexture3DAlt[3], maxTextureCubemap, maxTexture1DLayered[2],
        maxTexture2DLayered[3], maxTextureCubemapLayered[2];
    int maxSurface1D, maxSurface2D[2], maxSurface3D[3], maxSurface1DLayered[2], maxSurface2DLayered[3],
        maxSurfaceCubemap, maxSurfaceCubemapLayered[2];
    size_t surfaceAlignment;
    int sparseCudaArraySupported, hostRegisterReadOnlySupported, timelineSemaphoreInteropSupported;
    int gpuDirectRDMASupported;
    unsigned int gpuDirectRDMAFlushWritesOptions;
    int gpuDirectRDMAWritesOrdering;
    unsigned int memoryPoolSupportedHandleTypes;
    int deferredMappingCudaArraySupported, ipcEventSupported, mpsEnabled, hostNumaId;
    /* Until CUDA 12; later programs have these names for themselves. */
    int SIMT_OF_12(clockRate), SIMT_OF_12(memoryClockRate); /* kHz */
    int SIMT_OF_12(deviceOverlap), SIMT_OF_12(kernelExecTimeoutEnabled), SIMT_OF_12(computeMode),
        SIMT_OF_12(maxTexture1DLinear), SIMT_OF_12(singleToDoublePrecisionPerfRatio),
        SIMT_OF_12(cooperativeMultiDeviceLaunch);
};

#endif
