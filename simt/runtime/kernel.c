/* The runtime API: what a kernel needs and may have. */
#include "core/error.h"
#include "core/launch.h"
#include "core/module.h"
#include "report/finding.h"
#include "runtime/runtime.h"
#include "simt.h"

enum {
    REGISTERS = 32, /* of a thread; g++ has no such number, and with 32 registers no limit is reached */
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
        return runtime_fail(call, cudaErrorInvalidDeviceFunction,
                            kernel ? "func is no kernel" : "func is null", "pass the kernel by its name");
    return cudaSuccess;
}

/* The most dynamic shared memory that a launch may have now. */
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
        return runtime_fail(&call, cudaErrorInvalidValue, "attr is null", NULL);
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
            return runtime_fail(
                &call, cudaErrorInvalidValue,
                text("%d bytes of dynamic shared memory are asked for; at most %d", value, most),
                "a block has 227 KiB, its static shared memory included");
        launch_allow_dynamic(func, (size_t)value);
        return cudaSuccess;
    }
    if (attr == cudaFuncAttributePreferredSharedMemoryCarveout) {
        if (value < cudaSharedmemCarveoutDefault || value > cudaSharedmemCarveoutMaxShared)
            return runtime_fail(&call, cudaErrorInvalidValue, text("the carve-out is %d percent", value),
                                "it is -1, or 0 to 100");
        return cudaSuccess;
    }
    if (attr >= cudaFuncAttributeClusterDimMustBeSet &&
        attr <= cudaFuncAttributeClusterSchedulingPolicyPreference)
        return runtime_fail(&call, cudaErrorNotSupported, "the CPU device has no thread block clusters",
                            "DEVICE=cuda has them");
    return runtime_fail(&call, cudaErrorInvalidValue, text("there is no attribute %d", (int)attr), NULL);
}

cudaError_t cudaFuncSetCacheConfig(const void *func, enum cudaFuncCache cacheConfig)
{
    API_ENTER;
    const struct module *module;
    (void)cacheConfig;
    return check_kernel(&call, func, &module);
}

/* ---- occupancy: threads, blocks and shared memory; registers never are the limit here ------------------------ */

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
        return runtime_fail(&call, cudaErrorInvalidValue, "numBlocks is null", NULL);
    runtime_writes(&call, numBlocks, sizeof *numBlocks);
    *numBlocks = 0;
    cudaError_t error = check_kernel(&call, func, &module);
    if (error)
        return error;
    if (blockSize <= 0)
        return runtime_fail(&call, cudaErrorInvalidValue, text("a block of %d threads", blockSize), NULL);
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
            return runtime_fail(&call, cudaErrorInvalidValue, text("the pointer to argument %d is null", i),
                                "args is an array of pointers, one to each argument in order");
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
