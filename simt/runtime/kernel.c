/* The runtime API: the attributes and limits of kernels. */
#include "core/error.h"
#include "core/launch.h"
#include "core/module.h"
#include "report/finding.h"
#include "runtime/runtime.h"
#include "simt.h"

enum {
    REGISTERS = 32, /* for each thread; g++ has no such number, and 32 registers never exceed a limit */
    BYTES_OF_SHARED_UNIT = 128
};

/* An attribute of the device, as cudaDeviceGetAttribute returns it. */
static int attribute(enum cudaDeviceAttr which)
{
    int value = 0;
    cudaDeviceGetAttribute(&value, which, 0);
    return value;
}

static cudaError_t check_kernel(const struct api_call *call, const void *kernel, const struct module **module)
{
    cudaError_t error = runtime_enter(call);
    if (error)
        return error;
    *module = module_of_code(kernel);
    if (!*module)
        return RUNTIME_FAIL(call, cudaErrorInvalidDeviceFunction,
                            .rule = kernel ? SIMT_RULE_NO_KERNEL : SIMT_RULE_ARGUMENT_NULL,
                            .hint = SIMT_HINT_PASS_KERNEL, .fact = {FACT_TEXT(ARGUMENT, "func")});
    return cudaSuccess;
}

/* The maximum of dynamic shared memory that a launch may request now. */
static size_t dynamic_limit(const void *kernel, size_t fixed)
{
    size_t most = launch_allowed_dynamic(kernel);
    return most == SHARED_DEFAULT ? SHARED_DEFAULT - fixed : most;
}

cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attr, const void *func)
{
    API_ENTER;
    const struct module *module;
    cudaError_t error = check_kernel(&call, func, &module);
    if (error)
        return error;
    if (!attr)
        return runtime_fail_null(&call, "attr");
    size_t fixed = module_static_shared(module, func);
    runtime_writes(&call, attr, sizeof *attr);
    *attr = (struct cudaFuncAttributes){
        .sharedSizeBytes = fixed,
        .constSizeBytes = module_variable_bytes(module, module->constant),
        .maxThreadsPerBlock = MAX_THREADS_PER_BLOCK,
        .numRegs = REGISTERS,
        .ptxVersion = 90,
        .binaryVersion = 90,
        .maxDynamicSharedSizeBytes = (int)dynamic_limit(func, fixed),
        .preferredShmemCarveout = cudaSharedmemCarveoutDefault,
    };
    return cudaSuccess;
}

cudaError_t cudaFuncSetAttribute(const void *func, enum cudaFuncAttribute attr, int value)
{
    API_ENTER;
    const struct module *module;
    cudaError_t error = check_kernel(&call, func, &module);
    if (error)
        return error;
    if (attr == cudaFuncAttributeMaxDynamicSharedMemorySize) {
        int most = SHARED_OPT_IN - (int)module_static_shared(module, func);
        if (value < 0 || value > most)
            return RUNTIME_FAIL(&call, cudaErrorInvalidValue, .rule = SIMT_RULE_DYNAMIC_SHARED_LIMIT,
                                .hint = SIMT_HINT_SHARED_OF_BLOCK,
                                .fact = {FACT_NUMBER(VALUE, value), FACT_NUMBER(MOST, most)});
        launch_allow_dynamic(func, (size_t)value);
        return cudaSuccess;
    }
    if (attr == cudaFuncAttributePreferredSharedMemoryCarveout) {
        if (value < cudaSharedmemCarveoutDefault || value > cudaSharedmemCarveoutMaxShared)
            return RUNTIME_FAIL(&call, cudaErrorInvalidValue, .rule = SIMT_RULE_CARVEOUT,
                                .hint = SIMT_HINT_CARVEOUT, .fact = {FACT_NUMBER(VALUE, value)});
        return cudaSuccess;
    }
    if (attr >= cudaFuncAttributeClusterDimMustBeSet &&
        attr <= cudaFuncAttributeClusterSchedulingPolicyPreference)
        return RUNTIME_FAIL(&call, cudaErrorNotSupported, .rule = SIMT_RULE_NO_CLUSTERS,
                            .hint = SIMT_HINT_CLUSTERS);
    return RUNTIME_FAIL(&call, cudaErrorInvalidValue, .rule = SIMT_RULE_NO_ATTRIBUTE,
                        .fact = {FACT_NUMBER(VALUE, attr)});
}

cudaError_t cudaFuncSetCacheConfig(const void *func, enum cudaFuncCache cacheConfig)
{
    API_ENTER;
    const struct module *module;
    (void)cacheConfig;
    return check_kernel(&call, func, &module);
}

/* ---- occupancy: limited by threads, blocks and shared memory, never by registers -------------------------------- */

static int round_up(int value, int unit)
{
    return (value + unit - 1) / unit * unit;
}

static int blocks_that_fit(int threads, size_t shared)
{
    if (threads > MAX_THREADS_PER_BLOCK || shared > SHARED_OPT_IN)
        return 0;
    int blocks = attribute(cudaDevAttrMaxThreadsPerMultiProcessor) / round_up(threads, WARP_SIZE);
    int most = attribute(cudaDevAttrMaxBlocksPerMultiprocessor);
    int each =
        round_up((int)shared + attribute(cudaDevAttrReservedSharedMemoryPerBlock), BYTES_OF_SHARED_UNIT);
    int by_shared = attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor) / each;
    blocks = blocks < most ? blocks : most;
    return blocks < by_shared ? blocks : by_shared;
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *numBlocks, const void *func, int blockSize,
                                                          size_t dynamicSMemSize)
{
    API_ENTER;
    const struct module *module;
    if (!numBlocks)
        return runtime_fail_null(&call, "numBlocks");
    runtime_writes(&call, numBlocks, sizeof *numBlocks);
    *numBlocks = 0;
    cudaError_t error = check_kernel(&call, func, &module);
    if (error)
        return error;
    if (blockSize <= 0)
        return RUNTIME_FAIL(&call, cudaErrorInvalidValue, .rule = SIMT_RULE_BLOCK_OF_THREADS,
                            .fact = {FACT_NUMBER(VALUE, blockSize)});
    *numBlocks = blocks_that_fit(blockSize, dynamicSMemSize + module_static_shared(module, func));
    return cudaSuccess;
}

/* ---- launches by pointer: see include/simt_launch_api.h ---------------------------------------------------------- */

cudaError_t simt_launch_begin(const void *kernel, void **arguments, int parameters, cudaError_t *before);
cudaError_t simt_launch_end(cudaError_t before);

cudaError_t simt_launch_begin(const void *kernel, void **arguments, int parameters, cudaError_t *before)
{
    API_ENTER;
    call.function = "cudaLaunchKernel";
    const struct module *module;
    cudaError_t error = check_kernel(&call, kernel, &module);
    if (error)
        return error;
    for (int i = 0; i < parameters; i++) {
        if (!arguments || !arguments[i])
            return RUNTIME_FAIL(&call, cudaErrorInvalidValue, .rule = SIMT_RULE_LAUNCH_ARGUMENT_NULL,
                                .hint = SIMT_HINT_ARGUMENT_POINTERS, .fact = {FACT_NUMBER(VALUE, i)});
    }
    *before = cudaGetLastError();
    return cudaSuccess;
}

cudaError_t simt_launch_end(cudaError_t before)
{
    cudaError_t error = cudaPeekAtLastError();
    if (!error)
        error_set_last(before);
    return error;
}
