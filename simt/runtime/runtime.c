/* The runtime API: errors and the device itself. */
#include "runtime/graph.h"
#include "runtime/runtime.h"
#include "checks/recursion.h"
#include "core/access.h"
#include "core/error.h"
#include "core/fault.h"
#include "core/guard.h"
#include "core/handles.h"
#include "core/judge.h"
#include "core/memory.h"
#include "core/thread.h"
#include "core/timeline.h"
#include "report/finding.h"
#include "report/memory_words.h"
#include "report/source.h"
#include "simt.h"

#include <stdio.h>
#include <string.h>

/* The properties that programs see. There are only as many multiprocessors as the scheduler can keep fully occupied
 * by a cooperative grid. */
enum {
    MULTIPROCESSORS = 8,
    CLOCK_KHZ = 1000000,
    COPY_ENGINES = 2, /* one for each direction */
    MEMORY_BUS_BITS = 64,
    L2_BYTES = 4 << 20,
    CONSTANT_BYTES = 64 << 10,
    REGISTERS = 64 << 10,
    THREADS_PER_MULTIPROCESSOR = 2048,
    BLOCKS_PER_MULTIPROCESSOR = 32,
    SHARED_PER_MULTIPROCESSOR = 228 << 10,
    SHARED_RESERVED = 1 << 10,
    LEAST_PRIORITY = 0,
    GREATEST_PRIORITY = -5
};

static size_t limits[] = {
    [cudaLimitStackSize] = STACK_BYTES,
    [cudaLimitPrintfFifoSize] = 1 << 20,
    [cudaLimitMallocHeapSize] = 8 << 20,
    [cudaLimitDevRuntimeSyncDepth] = 0,
    [cudaLimitDevRuntimePendingLaunchCount] = 2048,
    [cudaLimitMaxL2FetchGranularity] = 64,
    [cudaLimitPersistingL2CacheSize] = 0,
};

/* ---- errors --------------------------------------------------------------------------------------------- */

cudaError_t runtime_enter(const struct api_call *call)
{
    if (current_thread) {
        finding_report(&(struct finding_facts){.rule = SIMT_RULE_RUNTIME_IN_KERNEL,
                                               .site = call->site,
                                               .variable = finding_named(call->function),
                                               .hint = SIMT_HINT_API_ON_HOST});
        fault_raise(cudaErrorNotSupported);
    }
    recursion_check(ERROR_LAUNCH_FAILURE);
    const int sticky = error_sticky();
    if (sticky) {
        timeline_wait_for_device(); /* a fault has ended all that ran, and now the host has learned of it */
        error_set_last(sticky);
    }
    return !sticky && graph_captures ? graph_refuses_call(call) : (cudaError_t)sticky;
}

static void host_touches(const struct api_call *call, const void *address, size_t bytes, unsigned kind)
{
    struct region *region;
    if (!current_thread && guard_is_on() && bytes > 0 && memory_classify(address, &region) == MEMORY_HOST)
        judge->host_access(address, bytes, kind, call->site);
}

void runtime_writes(const struct api_call *call, const void *address, size_t bytes)
{
    host_touches(call, address, bytes, ACCESS_WRITE);
}

void runtime_reads(const struct api_call *call, const void *address, size_t bytes)
{
    host_touches(call, address, bytes, ACCESS_READ);
}

void runtime_note(const struct api_call *call, struct finding_facts facts)
{
    facts.site = call->site;
    facts.variable = finding_named(call->function);
    finding_report(&facts);
}

cudaError_t runtime_fail(const struct api_call *call, cudaError_t error, struct finding_facts facts)
{
    unsigned notes = 0, used = 0;
    while (facts.note[notes] != SIMT_NOTE_NONE)
        notes++;
    while (facts.fact[used].name != SIMT_FACT_NONE)
        used++;
    facts.note[notes] = SIMT_NOTE_RESULT;
    facts.fact[used++] = (struct finding_fact)FACT_TEXT(ERROR_NAME, cudaGetErrorName(error));
    facts.fact[used] = (struct finding_fact)FACT_NUMBER(ERROR, error);
    runtime_note(call, facts);
    error_set_last((int)error);
    return error;
}

cudaError_t runtime_fail_null(const struct api_call *call, const char *argument)
{
    return RUNTIME_FAIL(call, cudaErrorInvalidValue, .rule = SIMT_RULE_ARGUMENT_NULL,
                        .fact = {FACT_TEXT(ARGUMENT, argument)});
}

cudaError_t runtime_fail_value(const struct api_call *call, const char *argument, int64_t value,
                               enum simt_hint hint)
{
    return RUNTIME_FAIL(call, cudaErrorInvalidValue, .rule = SIMT_RULE_ARGUMENT_VALUE, .hint = hint,
                        .fact = {FACT_TEXT(ARGUMENT, argument), FACT_NUMBER(VALUE, value)});
}

cudaError_t cudaGetLastError(void)
{
    const int error = error_last();
    error_set_last(ERROR_NONE);
    return (cudaError_t)error;
}

cudaError_t cudaPeekAtLastError(void)
{
    return (cudaError_t)error_last();
}

/* ---- the device ----------------------------------------------------------------------------------------- */

/* Functions that only query the device work after a fault, as in the real runtime, so they ignore the sticky error. */

cudaError_t cudaGetDeviceCount(int *count)
{
    API_ENTER;
    if (!count)
        return runtime_fail_null(&call, "count");
    runtime_writes(&call, count, sizeof *count);
    *count = 1;
    return cudaSuccess;
}

cudaError_t cudaGetDevice(int *device)
{
    API_ENTER;
    if (!device)
        return runtime_fail_null(&call, "device");
    runtime_writes(&call, device, sizeof *device);
    *device = 0;
    return cudaSuccess;
}

static cudaError_t check_device(const struct api_call *call, int device)
{
    if (device == 0)
        return cudaSuccess;
    return RUNTIME_FAIL(call, cudaErrorInvalidDevice, .rule = SIMT_RULE_NO_DEVICE,
                        .hint = SIMT_HINT_ONLY_DEVICE_0, .fact = {FACT_NUMBER(VALUE, device)});
}

cudaError_t cudaSetDevice(int device)
{
    API_ENTER;
    return check_device(&call, device);
}

cudaError_t cudaDeviceCanAccessPeer(int *canAccessPeer, int device, int peerDevice)
{
    API_ENTER;
    if (!canAccessPeer)
        return runtime_fail_null(&call, "canAccessPeer");
    runtime_writes(&call, canAccessPeer, sizeof *canAccessPeer);
    *canAccessPeer = 0;
    cudaError_t error = check_device(&call, device);
    return error ? error : check_device(&call, peerDevice);
}

cudaError_t cudaSetDeviceFlags(unsigned int flags)
{
    (void)flags; /* the flags say how the host waits, but here it never waits */
    return cudaSuccess;
}

cudaError_t cudaGetDeviceFlags(unsigned int *flags)
{
    API_ENTER;
    if (!flags)
        return runtime_fail_null(&call, "flags");
    runtime_writes(&call, flags, sizeof *flags);
    *flags = cudaDeviceMapHost;
    return cudaSuccess;
}

cudaError_t cudaDeviceGetPCIBusId(char *pciBusId, int len, int device)
{
    API_ENTER;
    cudaError_t error = check_device(&call, device);
    if (!error && (!pciBusId || len < 1))
        error = RUNTIME_FAIL(&call, cudaErrorInvalidValue, .rule = SIMT_RULE_ARGUMENT_HAS_NO_ROOM,
                             .fact = {FACT_TEXT(ARGUMENT, "pciBusId")});
    if (error)
        return error;
    runtime_writes(&call, pciBusId, (size_t)len);
    snprintf(pciBusId, (size_t)len, "0000:00:00.0");
    return cudaSuccess;
}

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *prop, int device)
{
    API_ENTER;
    if (!prop)
        return runtime_fail_null(&call, "prop");
    cudaError_t error = check_device(&call, device);
    if (error)
        return error;
    runtime_writes(&call, prop, sizeof *prop);
    *prop = (struct cudaDeviceProp){
        .name = "Scan Labs CPU device",
        .uuid = {"scan labs simt"},
        .totalGlobalMem = memory_total(),
        .sharedMemPerBlock = SHARED_DEFAULT,
        .regsPerBlock = REGISTERS,
        .warpSize = WARP_SIZE,
        .memPitch = 2147483647,
        .maxThreadsPerBlock = MAX_THREADS_PER_BLOCK,
        .maxThreadsDim = {MAX_BLOCK_X, MAX_BLOCK_Y, MAX_BLOCK_Z},
        .maxGridSize = {(int)MAX_GRID_X, MAX_GRID_Y, MAX_GRID_Z},
        .totalConstMem = CONSTANT_BYTES,
        .major = 9,
        .minor = 0,
        .textureAlignment = 512,
        .texturePitchAlignment = 32,
        .multiProcessorCount = MULTIPROCESSORS,
        .canMapHostMemory = 1,
        .concurrentKernels = 1, /* for the race check they are; programs ask before they use streams */
        .asyncEngineCount = COPY_ENGINES,
        .unifiedAddressing = 1,
        .memoryBusWidth = MEMORY_BUS_BITS,
        .l2CacheSize = L2_BYTES,
        .maxThreadsPerMultiProcessor = THREADS_PER_MULTIPROCESSOR,
        .streamPrioritiesSupported = 1,
        .globalL1CacheSupported = 1,
        .localL1CacheSupported = 1,
        .sharedMemPerMultiprocessor = SHARED_PER_MULTIPROCESSOR,
        .regsPerMultiprocessor = REGISTERS,
        .managedMemory = 1,
        .concurrentManagedAccess = 1,
        .canUseHostPointerForRegisteredMem = 1,
        .cooperativeLaunch = 1,
        .sharedMemPerBlockOptin = SHARED_OPT_IN,
        .maxBlocksPerMultiProcessor = BLOCKS_PER_MULTIPROCESSOR,
        .reservedSharedMemPerBlock = SHARED_RESERVED,
        .hostRegisterSupported = 1,
        .memoryPoolsSupported = 1,
        .simt_clockRate = CLOCK_KHZ,
        .simt_memoryClockRate = CLOCK_KHZ,
        .simt_deviceOverlap = 1,
        .simt_singleToDoublePrecisionPerfRatio = 2,
    };
    return cudaSuccess;
}

static const struct attribute {
    enum cudaDeviceAttr attribute;
    int value;
} attributes[] = {
    {cudaDevAttrMaxThreadsPerBlock, MAX_THREADS_PER_BLOCK},
    {cudaDevAttrMaxBlockDimX, MAX_BLOCK_X},
    {cudaDevAttrMaxBlockDimY, MAX_BLOCK_Y},
    {cudaDevAttrMaxBlockDimZ, MAX_BLOCK_Z},
    {cudaDevAttrMaxGridDimX, (int)MAX_GRID_X},
    {cudaDevAttrMaxGridDimY, MAX_GRID_Y},
    {cudaDevAttrMaxGridDimZ, MAX_GRID_Z},
    {cudaDevAttrMaxSharedMemoryPerBlock, SHARED_DEFAULT},
    {cudaDevAttrTotalConstantMemory, CONSTANT_BYTES},
    {cudaDevAttrWarpSize, WARP_SIZE},
    {cudaDevAttrMaxPitch, 2147483647},
    {cudaDevAttrMaxRegistersPerBlock, REGISTERS},
    {cudaDevAttrClockRate, CLOCK_KHZ},
    {cudaDevAttrTextureAlignment, 512},
    {cudaDevAttrGpuOverlap, 1},
    {cudaDevAttrMultiProcessorCount, MULTIPROCESSORS},
    {cudaDevAttrKernelExecTimeout, 0},
    {cudaDevAttrIntegrated, 0},
    {cudaDevAttrCanMapHostMemory, 1},
    {cudaDevAttrComputeMode, cudaComputeModeDefault},
    {cudaDevAttrConcurrentKernels, 1},
    {cudaDevAttrEccEnabled, 0},
    {cudaDevAttrPciBusId, 0},
    {cudaDevAttrPciDeviceId, 0},
    {cudaDevAttrTccDriver, 0},
    {cudaDevAttrMemoryClockRate, CLOCK_KHZ},
    {cudaDevAttrGlobalMemoryBusWidth, MEMORY_BUS_BITS},
    {cudaDevAttrL2CacheSize, L2_BYTES},
    {cudaDevAttrMaxThreadsPerMultiProcessor, THREADS_PER_MULTIPROCESSOR},
    {cudaDevAttrAsyncEngineCount, COPY_ENGINES},
    {cudaDevAttrUnifiedAddressing, 1},
    {cudaDevAttrPciDomainId, 0},
    {cudaDevAttrTexturePitchAlignment, 32},
    {cudaDevAttrComputeCapabilityMajor, 9},
    {cudaDevAttrComputeCapabilityMinor, 0},
    {cudaDevAttrStreamPrioritiesSupported, 1},
    {cudaDevAttrGlobalL1CacheSupported, 1},
    {cudaDevAttrLocalL1CacheSupported, 1},
    {cudaDevAttrMaxSharedMemoryPerMultiprocessor, SHARED_PER_MULTIPROCESSOR},
    {cudaDevAttrMaxRegistersPerMultiprocessor, REGISTERS},
    {cudaDevAttrManagedMemory, 1},
    {cudaDevAttrIsMultiGpuBoard, 0},
    {cudaDevAttrMultiGpuBoardGroupID, 0},
    {cudaDevAttrHostNativeAtomicSupported, 0},
    {cudaDevAttrSingleToDoublePrecisionPerfRatio, 2},
    {cudaDevAttrPageableMemoryAccess, 0},
    {cudaDevAttrConcurrentManagedAccess, 1},
    {cudaDevAttrComputePreemptionSupported, 0},
    {cudaDevAttrCanUseHostPointerForRegisteredMem, 1},
    {cudaDevAttrCooperativeLaunch, 1},
    {cudaDevAttrMaxSharedMemoryPerBlockOptin, SHARED_OPT_IN},
    {cudaDevAttrHostRegisterSupported, 1},
    {cudaDevAttrPageableMemoryAccessUsesHostPageTables, 0},
    {cudaDevAttrDirectManagedMemAccessFromHost, 0},
    {cudaDevAttrMaxBlocksPerMultiprocessor, BLOCKS_PER_MULTIPROCESSOR},
    {cudaDevAttrMaxPersistingL2CacheSize, 0},
    {cudaDevAttrReservedSharedMemoryPerBlock, SHARED_RESERVED},
    {cudaDevAttrHostRegisterReadOnlySupported, 1},
    {cudaDevAttrMemoryPoolsSupported, 1},
};

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attr, int device)
{
    API_ENTER;
    if (!value)
        return runtime_fail_null(&call, "value");
    cudaError_t error = check_device(&call, device);
    if (error)
        return error;
    runtime_writes(&call, value, sizeof *value);
    for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++) {
        if (attributes[i].attribute == attr) {
            *value = attributes[i].value;
            return cudaSuccess;
        }
    }
    *value = 0;
    if (attr > 0 && attr < cudaDevAttrMax)
        return cudaSuccess;
    return RUNTIME_FAIL(&call, cudaErrorInvalidValue, .rule = SIMT_RULE_ATTRIBUTE_NOT_KNOWN,
                        .fact = {FACT_NUMBER(VALUE, attr)});
}

cudaError_t cudaDeviceSynchronize(void)
{
    API_ENTER;
    timeline_wait_for_device();
    return runtime_enter(&call);
}

cudaError_t cudaDeviceReset(void)
{
    ON_DEVICE;
    timeline_wait_for_device();
    error_set_sticky(ERROR_NONE);
    handles_destroy_all();
    runtime_reset_memory();
    error_set_last(ERROR_NONE);
    return cudaSuccess;
}

cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value)
{
    API_ENTER;
    cudaError_t error = runtime_enter(&call);
    if (error)
        return error;
    if ((unsigned)limit >= sizeof limits / sizeof *limits)
        return RUNTIME_FAIL(&call, cudaErrorInvalidValue, .rule = SIMT_RULE_NO_LIMIT,
                            .fact = {FACT_NUMBER(VALUE, limit)});
    if (limit == cudaLimitStackSize && value > STACK_BYTES)
        return RUNTIME_FAIL(&call, cudaErrorMemoryAllocation, .rule = SIMT_RULE_STACK_LIMIT,
                            .fact = {FACT_NUMBER(MOST, STACK_BYTES), FACT_NUMBER(VALUE, value)});
    limits[limit] = limit == cudaLimitStackSize ? STACK_BYTES : value;
    return cudaSuccess;
}

cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit limit)
{
    API_ENTER;
    cudaError_t error = runtime_enter(&call);
    if (error)
        return error;
    if (!value)
        return runtime_fail_null(&call, "value");
    if ((unsigned)limit >= sizeof limits / sizeof *limits)
        return RUNTIME_FAIL(&call, cudaErrorInvalidValue, .rule = SIMT_RULE_NO_LIMIT,
                            .fact = {FACT_NUMBER(VALUE, limit)});
    runtime_writes(&call, value, sizeof *value);
    *value = limits[limit];
    return cudaSuccess;
}

cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache cacheConfig)
{
    (void)cacheConfig; /* no cache is modelled */
    return cudaSuccess;
}

cudaError_t cudaDeviceGetStreamPriorityRange(int *leastPriority, int *greatestPriority)
{
    API_ENTER;
    runtime_writes(&call, leastPriority, sizeof *leastPriority);
    runtime_writes(&call, greatestPriority, sizeof *greatestPriority);
    if (leastPriority)
        *leastPriority = LEAST_PRIORITY;
    if (greatestPriority)
        *greatestPriority = GREATEST_PRIORITY;
    return cudaSuccess;
}

static cudaError_t give_version(const struct api_call *call, const char *name, int *version)
{
    if (!version)
        return runtime_fail_null(call, name);
    runtime_writes(call, version, sizeof *version);
    *version = CUDART_VERSION;
    return cudaSuccess;
}

cudaError_t cudaDriverGetVersion(int *driverVersion)
{
    API_ENTER;
    return give_version(&call, "driverVersion", driverVersion);
}

cudaError_t cudaRuntimeGetVersion(int *runtimeVersion)
{
    API_ENTER;
    return give_version(&call, "runtimeVersion", runtimeVersion);
}

cudaError_t cudaProfilerStart(void)
{
    return cudaSuccess;
}

cudaError_t cudaProfilerStop(void)
{
    return cudaSuccess;
}

cudaError_t cudaMemGetInfo(size_t *free, size_t *total)
{
    API_ENTER;
    cudaError_t error = runtime_enter(&call);
    if (error)
        return error;
    runtime_writes(&call, free, sizeof *free);
    runtime_writes(&call, total, sizeof *total);
    if (free)
        *free = memory_total() - memory_in_use();
    if (total)
        *total = memory_total();
    return cudaSuccess;
}
