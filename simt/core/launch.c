#include "core/budget.h"
#include "core/caller.h"
#include "core/error.h"
#include "core/fault.h"
#include "core/judge.h"
#include "core/module.h"
#include "core/schedule.h"
#include "core/shared.h"
#include "simt.h"

#include <errno.h>

static uint64_t launches;

bool harness_works;

static struct {
    const void *kernel;
    size_t bytes;
    uint64_t run; /* in which it was allowed last */
} allowed[64];
static uint64_t this_run;

void launch_begin_run(void)
{
    this_run++;
}

void launch_allow_dynamic(const void *kernel, size_t bytes)
{
    const size_t slots = sizeof allowed / sizeof *allowed;
    for (size_t i = 0; i < slots; i++) {
        if (allowed[i].kernel == kernel || !allowed[i].kernel || i == slots - 1) {
            allowed[i].kernel = kernel;
            allowed[i].bytes = bytes;
            allowed[i].run = this_run;
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

/* Does a launch need what an earlier run has allowed? */
static bool needs_earlier_run(const struct launch_request *request, const struct module *module)
{
    if (request->dynamic_bytes + module_static_shared(module, request->kernel) <= SHARED_DEFAULT)
        return false;
    for (size_t i = 0; i < sizeof allowed / sizeof *allowed && allowed[i].kernel; i++)
        if (allowed[i].kernel == request->kernel)
            return allowed[i].run != this_run;
    return true;
}

uint64_t launch_last_number(void)
{
    return launches;
}

static int run(const struct launch_request *request)
{
    if (error_sticky())
        return error_sticky();
    const struct module *module = module_of_code(request->site);
    if (!module)
        return ERROR_INVALID_VALUE;
    simt_note_used(SIMT_USED_KERNEL);
    if (current_thread)
        return judge->launch_in_kernel(request);
    modules_follow_host();
    judge->host_calls(ERROR_LAUNCH_FAILURE);
    int error = request->harness ? ERROR_NONE : judge->launch(request, module);
    if (error)
        return error;
    if (!request->harness && needs_earlier_run(request, module))
        simt_note_used(SIMT_USED_STATE);

    struct launch launch = {
        .kernel = request->harness  ? request->harness
                  : request->kernel ? judge->kernel_name(request->kernel)
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
    fault_begin_budget();
    budget_spend(BUDGET_OF_LAUNCH);
    error = schedule_run(&launch, request->body, request->arguments);
    fault_end_budget();
    if (error && error != ERROR_OUT_OF_MEMORY && error != ERROR_COOPERATIVE_TOO_LARGE &&
        error != ERROR_OUT_OF_RESOURCES)
        error_set_sticky(error);
    return error;
}

int launch_run(const struct launch_request *request)
{
    host_enter();
    const unsigned entered = host_thread.entered;
    const int before = errno; /* errno of host code must not change: a kernel has no errno */
    const int error = run(request);
    errno = before;
    host_thread.entered = entered; /* a thread may have been abandoned inside a runtime call */
    host_leave();
    return error;
}

/* ---- called by translated code ------------------------------------------------------------------------ */

struct simt_configuration {
    struct index3 grid, block;
    size_t dynamic_bytes;
    void *stream;
};

void simt_launch(const struct simt_configuration *configuration, const void *kernel, int cooperative,
                 kernel_body *body, void *arguments, size_t bytes)
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
        .site = caller_site(__builtin_return_address(0), __builtin_frame_address(0)),
    };
    int error;
    if (!judge->launch_captured(&request, bytes, &error))
        error = launch_run(&request);
    if (error)
        error_set_last(error);
}

void *simt_dynamic_shared_base(void)
{
    return shared_dynamic_base();
}
