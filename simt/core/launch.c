#include "core/core.h"
#include "report/finding.h"
#include "core/module.h"
#include "core/observer.h"
#include "checks/recursion.h"
#include "runtime/runtime.h"
#include "checks/sampled/sample.h"
#include "core/shared.h"
#include "report/source.h"

#include <string.h>

static int sticky;
static uint64_t launches;

bool harness_works;

static struct {
    const void *kernel;
    size_t bytes;
} allowed[64];

void launch_allow_dynamic(const void *kernel, size_t bytes)
{
    const size_t slots = sizeof allowed / sizeof *allowed;
    for (size_t i = 0; i < slots; i++) {
        if (allowed[i].kernel == kernel || !allowed[i].kernel || i == slots - 1) {
            allowed[i].kernel = kernel;
            allowed[i].bytes = bytes;
            return;
        }
    }
}

size_t launch_allowed_dynamic(const void *kernel)
{
    size_t most = SHARED_DEFAULT;
    for (size_t i = 0; i < sizeof allowed / sizeof *allowed && allowed[i].kernel; i++) {
        if (kernel && allowed[i].kernel == kernel)
            return allowed[i].bytes;
        if (!kernel && allowed[i].bytes > most)
            most = allowed[i].bytes;
    }
    return most;
}

int launch_sticky_error(void)
{
    return sticky;
}

void launch_forget_error(void)
{
    sticky = ERROR_NONE;
}

static int refuse(const struct launch_request *request, int error, const char *why, const char *hint)
{
    const char *kernel = request->kernel ? source_function(request->kernel) : "kernel";
    const struct index3 g = request->grid;
    const struct finding_text finding = {.kind = SIMT_LAUNCH,
                                         .site = request->site,
                                         .variable = kernel,
                                         .title = text("launch of %s refused: %s", kernel, why),
                                         .detail = "the kernel does not run, and later results are missing",
                                         .hint = hint};
    const struct finding_text lost = {
        .kind = SIMT_NARROW_INDEX,
        .site = request->site,
        .variable = kernel,
        .title = text("length of 32 bits: a grid of %u x %u x %u blocks for %s", g.x, g.y, g.z, kernel),
        .detail = finding.detail,
        .hint = "a number of blocks that is computed in 32 bits loses its upper bits: "
                "divide as size_t, and convert what comes out"};
    if (sample_on && (g.x == 0 || g.y == 0 || g.z == 0))
        sample_report(&lost);
    else
        finding_report(&finding);
    return error;
}

/* The checks of the real runtime, with the codes of CUDA 13 (12 and before said invalid configuration, 9, for a
 * wrong shape). 0, or the error with its finding reported. */
static int check(const struct launch_request *request, const struct module *module)
{
    const struct index3 g = request->grid, b = request->block;
    uint64_t threads = (uint64_t)b.x * b.y * b.z;

    if (!runtime_stream_exists((cudaStream_t)request->stream))
        return refuse(request, cudaErrorInvalidResourceHandle,
                      "its stream is already destroyed, or is no stream",
                      "make it with cudaStreamCreate, and destroy it when the work is done");
    if (threads == 0)
        return refuse(request, ERROR_INVALID_VALUE, text("a block of %u x %u x %u threads", b.x, b.y, b.z),
                      "a block needs at least one thread");
    if (g.x == 0 || g.y == 0 || g.z == 0)
        return refuse(request, ERROR_INVALID_VALUE, text("a grid of %u x %u x %u blocks", g.x, g.y, g.z),
                      "launch nothing when there is nothing to do: return before the launch when the number "
                      "of blocks is 0");
    if (threads > MAX_THREADS_PER_BLOCK || b.x > MAX_BLOCK_X || b.y > MAX_BLOCK_Y || b.z > MAX_BLOCK_Z)
        return refuse(request, ERROR_INVALID_VALUE,
                      text("a block of %u x %u x %u = %llu threads; at most 1024, and 64 in z", b.x, b.y, b.z,
                           (unsigned long long)threads),
                      "use more blocks of fewer threads");
    if (g.x > MAX_GRID_X || g.y > MAX_GRID_Y || g.z > MAX_GRID_Z)
        return refuse(
            request, ERROR_INVALID_VALUE,
            text("a grid of %u x %u x %u blocks; at most 2147483647 x 65535 x 65535", g.x, g.y, g.z),
            "let each thread handle several elements");
    size_t fixed = module_static_shared(module, request->kernel);
    if (fixed > SHARED_DEFAULT)
        return refuse(request, ERROR_INVALID_VALUE,
                      text("%zu bytes of static shared memory; at most %d", fixed, SHARED_DEFAULT),
                      "use a smaller tile, or dynamic shared memory");
    size_t most = launch_allowed_dynamic(request->kernel);
    if (request->dynamic_bytes + fixed >
            (most > SHARED_DEFAULT ? (size_t)SHARED_OPT_IN : (size_t)SHARED_DEFAULT) ||
        request->dynamic_bytes > most)
        return refuse(
            request, ERROR_INVALID_VALUE,
            text("%zu bytes of dynamic and %zu of static shared memory; at most %zu", request->dynamic_bytes,
                 fixed, most),
            "the third launch argument is in bytes; above 48 KiB first call cudaFuncSetAttribute(kernel, "
            "cudaFuncAttributeMaxDynamicSharedMemorySize, bytes)");
    return ERROR_NONE;
}

uint64_t launch_last_number(void)
{
    return launches;
}

int launch_run(const struct launch_request *request)
{
    if (sticky)
        return sticky;
    const struct module *module = module_of_code(request->site);
    if (!module)
        return ERROR_INVALID_VALUE;
    if (current_thread)
        return refuse(request, ERROR_NOT_SUPPORTED, "a kernel launches a kernel",
                      "launch from host code; the CPU device has no dynamic parallelism, DEVICE=cuda has it");
    recursion_check(ERROR_LAUNCH_FAILURE);
    int error = request->harness ? ERROR_NONE : check(request, module);
    if (error)
        return error;

    struct launch launch = {
        .kernel = request->harness  ? request->harness
                  : request->kernel ? source_function(request->kernel)
                                    : "kernel",
        .site = request->site,
        .grid = request->grid,
        .dim = request->block,
        .block_threads = request->block.x * request->block.y * request->block.z,
        .grid_blocks = (uint64_t)request->grid.x * request->grid.y * request->grid.z,
        .static_bytes = module->shared.bytes,
        .static_base = module->shared.begin,
        .dynamic_bytes = request->dynamic_bytes,
        .cooperative = request->cooperative,
        .harness = request->harness,
        .number = ++launches,
        .stream = request->stream,
    };
    fault_install();
    fault_start_clock();
    error = schedule_run(&launch, request->body, request->arguments);
    fault_stop_clock();
    if (error && error != ERROR_OUT_OF_MEMORY && error != ERROR_COOPERATIVE_TOO_LARGE)
        sticky = error;
    return error;
}

/* ---- what translated code calls ---------------------------------------------------------------------- */

struct simt_configuration {
    struct index3 grid, block;
    size_t dynamic_bytes;
    void *stream;
};

void simt_launch(const struct simt_configuration *configuration, const void *kernel, int cooperative,
                 kernel_body *body, void *arguments)
{
    struct launch_request request = {
        .grid = configuration->grid,
        .block = configuration->block,
        .dynamic_bytes = configuration->dynamic_bytes,
        .stream = configuration->stream,
        .cooperative = cooperative,
        .kernel = kernel,
        .body = body,
        .arguments = arguments,
        .site = __builtin_return_address(0),
    };
    int error = launch_run(&request);
    if (error)
        runtime_set_error(error);
}

void *simt_dynamic_shared_base(void)
{
    return shared_dynamic_base();
}
