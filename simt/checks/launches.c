#include "checks/launches.h"
#include "checks/sampled/sample.h"
#include "core/error.h"
#include "core/handles.h"
#include "core/module.h"
#include "report/finding.h"
#include "report/source.h"

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
    if (sampler && (g.x == 0 || g.y == 0 || g.z == 0))
        sample_report(&lost);
    else
        finding_report(&finding);
    return error;
}

int launches_check(const struct launch_request *request, const struct module *module)
{
    const struct index3 g = request->grid, b = request->block;
    uint64_t threads = (uint64_t)b.x * b.y * b.z;

    if (!handles_stream_is_good((cudaStream_t)request->stream))
        return refuse(request, cudaErrorInvalidResourceHandle,
                      "its stream is already destroyed, or is no stream",
                      "make it with cudaStreamCreate, and destroy it when the work is done");
    if (threads == 0)
        return refuse(request, ERROR_INVALID_VALUE, text("a block of %u x %u x %u threads", b.x, b.y, b.z),
                      "a block needs at least one thread");
    if (g.x == 0 || g.y == 0 || g.z == 0)
        return refuse(request, ERROR_INVALID_VALUE, text("a grid of %u x %u x %u blocks", g.x, g.y, g.z),
                      "is the number of blocks rounded up, (n + threads - 1) / threads? When n is 0, return "
                      "before the launch");
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

int launches_refuse_nested(const struct launch_request *request)
{
    return refuse(request, ERROR_NOT_SUPPORTED, "a kernel launches a kernel",
                  "launch from host code; the CPU device has no dynamic parallelism, DEVICE=cuda has it");
}

int launches_refuse_bounds(unsigned threads)
{
    const struct launch *launch = current_launch;
    finding_report(&(struct finding_text){
        .kind = SIMT_LAUNCH,
        .site = launch->site,
        .variable = launch->kernel,
        .title = text("launch of %s refused: a block of %u threads; its __launch_bounds__ allow %u",
                      launch->kernel, launch->block_threads, threads),
        .detail = "the kernel does not run, and later results are missing",
        .hint = "within its bound the compiler may give a thread so many registers that a larger block has "
                "no room: raise the bound, or launch fewer threads"});
    return ERROR_OUT_OF_RESOURCES;
}
