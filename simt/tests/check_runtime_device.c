/* check_runtime_device.c: the runtime API from C, as in check_runtime.c: streams, events and the device. */
#include "check_runtime.h"
#include "core/host_heap.h"
#include "core/memory.h"
#include "core/thread.h"

/* ---- streams and events --------------------------------------------------------------------------------------------- */

static void add_one(void *data)
{
    ++*(int *)data;
}

static void add_ten(cudaStream_t stream, cudaError_t status, void *data)
{
    (void)stream;
    *(int *)data += status == cudaSuccess ? 10 : 1000;
}

START_TEST(streams_are_checked)
{
    cudaStream_t s, t, never = (cudaStream_t)&findings;
    unsigned flags;
    int priority, least, greatest, called = 0;
    RIGHT(cudaStreamCreate(&s));
    RIGHT(cudaStreamQuery(s));
    RIGHT(cudaStreamSynchronize(s));
    RIGHT(cudaStreamSynchronize(NULL));
    RIGHT(cudaStreamSynchronize(cudaStreamLegacy));
    RIGHT(cudaStreamSynchronize(cudaStreamPerThread));
    RIGHT(cudaLaunchHostFunc(s, add_one, &called));
    RIGHT(cudaStreamAddCallback(s, add_ten, &called, 0));
    ck_assert_int_eq(called, 11);
    WRONG(cudaErrorInvalidValue, "fn is null", cudaLaunchHostFunc(s, NULL, NULL));
    RIGHT(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    RIGHT(cudaStreamCreateWithPriority(&t, cudaStreamNonBlocking, -100));
    RIGHT(cudaStreamGetPriority(t, &priority));
    ck_assert_int_eq(priority, greatest);
    RIGHT(cudaStreamGetFlags(t, &flags));
    ck_assert_uint_eq(flags, cudaStreamNonBlocking);
    RIGHT(cudaStreamDestroy(s));
    WRONG(cudaErrorInvalidResourceHandle, "already destroyed", cudaStreamDestroy(s));
    WRONG(cudaErrorInvalidResourceHandle, "already destroyed", cudaMemsetAsync(device(4), 0, 4, s));
    WRONG(cudaErrorInvalidResourceHandle, "this is no stream", cudaStreamQuery(never));
    WRONG(cudaErrorInvalidResourceHandle, "default stream", cudaStreamDestroy(NULL));
    WRONG(cudaErrorInvalidValue, "pStream is null", cudaStreamCreate(NULL));
    WRONG(cudaErrorInvalidValue, "flags is 9", cudaStreamCreateWithFlags(&s, 9));
}
END_TEST

START_TEST(events_are_checked)
{
    cudaEvent_t a, b, untimed;
    float ms = -1;
    RIGHT(cudaEventCreate(&a));
    RIGHT(cudaEventCreate(&b));
    WRONG(cudaErrorInvalidResourceHandle, "start was never recorded", cudaEventElapsedTime(&ms, a, b));
    RIGHT(cudaEventQuery(a));
    RIGHT(cudaEventSynchronize(a));
    RIGHT(cudaEventRecord(a, NULL));
    WRONG(cudaErrorInvalidResourceHandle, "end was never recorded", cudaEventElapsedTime(&ms, a, b));
    RIGHT(cudaEventRecord(b, NULL));
    RIGHT(cudaEventElapsedTime(&ms, a, b));
    ck_assert_float_ge(ms, 0);
    RIGHT(cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming));
    RIGHT(cudaEventRecord(untimed, NULL));
    WRONG(cudaErrorInvalidResourceHandle, "cudaEventDisableTiming", cudaEventElapsedTime(&ms, a, untimed));
    WRONG(cudaErrorInvalidValue, "ms is null", cudaEventElapsedTime(NULL, a, a));
    WRONG(cudaErrorInvalidResourceHandle, "start is no event", cudaEventElapsedTime(&ms, NULL, a));
    WRONG(cudaErrorInvalidResourceHandle, "event is no event", cudaEventRecord(NULL, NULL));
    WRONG(cudaErrorInvalidResourceHandle, "event is no event", cudaEventSynchronize(NULL));
    WRONG(cudaErrorInvalidResourceHandle, "event is no event", cudaStreamWaitEvent(NULL, NULL, 0));
    RIGHT(cudaStreamWaitEvent(NULL, a, 0));
    RIGHT(cudaEventDestroy(a));
    WRONG(cudaErrorInvalidResourceHandle, "already destroyed", cudaEventDestroy(a));
    WRONG(cudaErrorInvalidValue, "event is null", cudaEventCreate(NULL));
    WRONG(cudaErrorInvalidValue, "flags is 99", cudaEventCreateWithFlags(&b, 99));
}
END_TEST

/* ---- the device ------------------------------------------------------------------------------------------------------- */

START_TEST(there_is_one_device)
{
    int value = -1;
    struct cudaDeviceProp prop;
    RIGHT(cudaGetDeviceCount(&value));
    ck_assert_int_eq(value, 1);
    RIGHT(cudaGetDevice(&value));
    ck_assert_int_eq(value, 0);
    RIGHT(cudaSetDevice(0));
    WRONG(cudaErrorInvalidDevice, "no device 99", cudaSetDevice(99));
    WRONG(cudaErrorInvalidDevice, "no device -1", cudaSetDevice(-1));
    WRONG(cudaErrorInvalidDevice, "no device 99", cudaGetDeviceProperties(&prop, 99));
    WRONG(cudaErrorInvalidValue, "prop is null", cudaGetDeviceProperties(NULL, 0));
    WRONG(cudaErrorInvalidValue, "count is null", cudaGetDeviceCount(NULL));
    WRONG(cudaErrorInvalidValue, "no attribute 9999",
          cudaDeviceGetAttribute(&value, (enum cudaDeviceAttr)9999, 0));
    WRONG(cudaErrorInvalidDevice, "no device 9", cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 9));
    RIGHT(cudaDriverGetVersion(&value));
    ck_assert_int_eq(value, CUDART_VERSION);
    RIGHT(cudaRuntimeGetVersion(&value));
    ck_assert_int_eq(value, CUDART_VERSION);
}
END_TEST

START_TEST(properties_and_attributes_agree)
{
    struct cudaDeviceProp p;
    RIGHT(cudaGetDeviceProperties(&p, 0));
    ck_assert_str_eq(p.name, "Scan Labs CPU device");
    const struct {
        enum cudaDeviceAttr attribute;
        size_t property;
    } rows[] = {
        {cudaDevAttrWarpSize, (size_t)p.warpSize},
        {cudaDevAttrMaxThreadsPerBlock, (size_t)p.maxThreadsPerBlock},
        {cudaDevAttrMaxBlockDimX, (size_t)p.maxThreadsDim[0]},
        {cudaDevAttrMaxBlockDimZ, (size_t)p.maxThreadsDim[2]},
        {cudaDevAttrMaxGridDimX, (size_t)p.maxGridSize[0]},
        {cudaDevAttrMaxGridDimY, (size_t)p.maxGridSize[1]},
        {cudaDevAttrMaxSharedMemoryPerBlock, p.sharedMemPerBlock},
        {cudaDevAttrMaxSharedMemoryPerBlockOptin, p.sharedMemPerBlockOptin},
        {cudaDevAttrMaxSharedMemoryPerMultiprocessor, p.sharedMemPerMultiprocessor},
        {cudaDevAttrReservedSharedMemoryPerBlock, p.reservedSharedMemPerBlock},
        {cudaDevAttrTotalConstantMemory, p.totalConstMem},
        {cudaDevAttrMaxRegistersPerBlock, (size_t)p.regsPerBlock},
        {cudaDevAttrMaxRegistersPerMultiprocessor, (size_t)p.regsPerMultiprocessor},
        {cudaDevAttrMultiProcessorCount, (size_t)p.multiProcessorCount},
        {cudaDevAttrMaxThreadsPerMultiProcessor, (size_t)p.maxThreadsPerMultiProcessor},
        {cudaDevAttrMaxBlocksPerMultiprocessor, (size_t)p.maxBlocksPerMultiProcessor},
        {cudaDevAttrComputeCapabilityMajor, (size_t)p.major},
        {cudaDevAttrComputeCapabilityMinor, (size_t)p.minor},
        {cudaDevAttrL2CacheSize, (size_t)p.l2CacheSize},
        {cudaDevAttrCooperativeLaunch, (size_t)p.cooperativeLaunch},
        {cudaDevAttrManagedMemory, (size_t)p.managedMemory},
        {cudaDevAttrGlobalMemoryBusWidth, (size_t)p.memoryBusWidth},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        int value = -1;
        RIGHT(cudaDeviceGetAttribute(&value, rows[i].attribute, 0));
        ck_assert_msg((size_t)value == rows[i].property, "attribute %d", rows[i].attribute);
    }
}
END_TEST

START_TEST(limits_are_kept)
{
    size_t value;
    RIGHT(cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 1 << 16));
    RIGHT(cudaDeviceGetLimit(&value, cudaLimitPrintfFifoSize));
    ck_assert_uint_eq(value, 1 << 16);
    RIGHT(cudaDeviceGetLimit(&value, cudaLimitStackSize));
    RIGHT(cudaDeviceSetLimit(cudaLimitStackSize, value));
    WRONG(cudaErrorMemoryAllocation, "stack", cudaDeviceSetLimit(cudaLimitStackSize, value + 1));
    WRONG(cudaErrorInvalidValue, "no limit 77", cudaDeviceSetLimit((enum cudaLimit)77, 1));
    WRONG(cudaErrorInvalidValue, "no limit 77", cudaDeviceGetLimit(&value, (enum cudaLimit)77));
}
END_TEST

/* Older programs begin with these calls; here they change nothing. */
START_TEST(hints_are_taken)
{
    int can = 1;
    unsigned flags;
    char bus[16];
    RIGHT(cudaGetDeviceFlags(&flags));
    ck_assert_uint_eq(flags, cudaDeviceMapHost);
    RIGHT(cudaDeviceGetPCIBusId(bus, sizeof bus, 0));
    ck_assert_str_eq(bus, "0000:00:00.0");
    WRONG(cudaErrorInvalidValue, "pciBusId has no room", cudaDeviceGetPCIBusId(bus, 0, 0));
    RIGHT(cudaSetDeviceFlags(cudaDeviceMapHost));
    RIGHT(cudaDeviceCanAccessPeer(&can, 0, 0));
    ck_assert_int_eq(can, 0);
    WRONG(cudaErrorInvalidDevice, "no device 1", cudaDeviceCanAccessPeer(&can, 0, 1));
    WRONG(cudaErrorInvalidValue, "canAccessPeer is null", cudaDeviceCanAccessPeer(NULL, 0, 0));
    RIGHT(cudaDeviceSetCacheConfig(cudaFuncCachePreferL1));
    RIGHT(cudaProfilerStart());
    RIGHT(cudaProfilerStop());
}
END_TEST

START_TEST(what_is_no_kernel_is_refused)
{
    int blocks;
    struct cudaFuncAttributes attributes;
    const void *function = (const void *)add_one;
    WRONG(cudaErrorInvalidDeviceFunction, "func is null", cudaFuncGetAttributes(&attributes, NULL));
    WRONG(cudaErrorInvalidDeviceFunction, "no kernel", cudaFuncGetAttributes(&attributes, function));
    WRONG(cudaErrorInvalidDeviceFunction, "no kernel",
          cudaFuncSetAttribute(function, cudaFuncAttributeMaxDynamicSharedMemorySize, 1));
    WRONG(cudaErrorInvalidDeviceFunction, "no kernel",
          cudaFuncSetCacheConfig(function, cudaFuncCachePreferShared));
    WRONG(cudaErrorInvalidDeviceFunction, "no kernel",
          cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, 32, 0));
    WRONG(cudaErrorInvalidValue, "numBlocks is null",
          cudaOccupancyMaxActiveBlocksPerMultiprocessor(NULL, function, 32, 0));
    WRONG(cudaErrorInvalidSymbol, "no __device__",
          cudaMemcpyToSymbol(&blocks, &attributes, 4, 0, cudaMemcpyHostToDevice));
}
END_TEST

START_TEST(reset_takes_everything_away)
{
    cudaStream_t s;
    void *p = device(8);
    char host[8];
    RIGHT(cudaStreamCreate(&s));
    RIGHT(cudaDeviceReset());
    WRONG(cudaErrorInvalidValue, "already freed", cudaMemcpy(host, p, 8, cudaMemcpyDeviceToHost));
    WRONG(cudaErrorInvalidResourceHandle, "already destroyed", cudaStreamDestroy(s));
    p = device(8);
    RIGHT(cudaFree(p));
}
END_TEST

/* ---- memory of host code, and of kernels --------------------------------------------------------------------------- */

START_TEST(blocks_of_host_code_are_apart_and_are_used_again)
{
    static const size_t sizes[] = {0, 1, 16, 17, 4096, 65536, 65537, 3 << 20};
    char *block[COUNT(sizes)];
    for (size_t i = 0; i < COUNT(sizes); i++) {
        block[i] = host_heap_allocate(sizes[i]);
        ck_assert_ptr_nonnull(block[i]);
        memset(block[i], (int)i, sizes[i]);
    }
    for (size_t i = 0; i < COUNT(sizes); i++) {
        size_t same = 0;
        while (same < sizes[i] && block[i][same] == (char)i)
            same++;
        ck_assert_uint_eq(same, sizes[i]);
        ck_assert_uint_ge(host_heap_bytes(block[i]), sizes[i]);
        ck_assert(host_heap_holds(block[i], sizes[i]));
        ck_assert(!host_heap_free(block[i] + 1));
        ck_assert(host_heap_free(block[i]));
        ck_assert(!host_heap_free(block[i])); /* a second time */
        ck_assert_ptr_eq(host_heap_allocate(sizes[i]), block[i]);
    }
    ck_assert(!host_heap_holds(&sizes, 1) && !host_heap_free(block));
    ck_assert_ptr_null(host_heap_allocate(SIZE_MAX));
}
END_TEST

START_TEST(host_code_does_not_learn_what_kernels_allocate)
{
    struct thread thread = {0};
    size_t left, after, total;
    char *first = device(8), *second = device(8);
    RIGHT(cudaMemGetInfo(&left, &total));
    current_thread = &thread;
    ck_assert_ptr_nonnull(memory_allocate(5 * MEMORY_PAGE, MEMORY_GLOBAL, NULL));
    current_thread = NULL;
    RIGHT(cudaMemGetInfo(&after, &total));
    ck_assert_uint_eq(after, left);
    char *third = device(8);
    ck_assert_int_eq(third - second, second - first);
}
END_TEST

int main(void)
{
    const struct test_case tests[] = {
        {"api", streams_are_checked},
        {"api", events_are_checked},
        {"api", there_is_one_device},
        {"api", properties_and_attributes_agree},
        {"api", limits_are_kept},
        {"api", hints_are_taken},
        {"api", what_is_no_kernel_is_refused},
        {"api", reset_takes_everything_away},
        {"memory", blocks_of_host_code_are_apart_and_are_used_again},
        {"memory", host_code_does_not_learn_what_kernels_allocate},
    };
    return run_cases("runtime: device", tests, COUNT(tests), begin);
}
