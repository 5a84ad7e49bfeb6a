#include "checks/launches.h"
#include "checks/rerun.h"
#include "checks/sampled/sample.h"
#include "core/error.h"
#include "core/guard.h"
#include "core/handles.h"
#include "core/module.h"
#include "report/finding.h"
#include "report/source.h"

#define FACTS_OF_SIZE(size) FACT_NUMBER(X, (size).x), FACT_NUMBER(Y, (size).y), FACT_NUMBER(Z, (size).z)

static int refuse(const struct launch_request *request, int error, struct finding_facts facts)
{
    const struct index3 g = request->grid;
    const bool lost = sampler && (g.x == 0 || g.y == 0 || g.z == 0);
    facts.site = request->site;
    facts.variable = finding_named(request->kernel ? source_function(request->kernel) : "kernel");
    facts.note[0] = SIMT_NOTE_KERNEL_DOES_NOT_RUN;
    if (lost) {
        facts = (struct finding_facts){.rule = SIMT_RULE_GRID_NARROW,
                                       .site = facts.site,
                                       .variable = facts.variable,
                                       .note = {SIMT_NOTE_KERNEL_DOES_NOT_RUN},
                                       .hint = SIMT_HINT_BLOCKS_AS_SIZE,
                                       .fact = {FACTS_OF_SIZE(g)}};
        sample_report(&facts);
    } else {
        finding_report(&facts);
    }
    return error;
}

#define REFUSE(request, error, ...) refuse(request, error, (struct finding_facts){__VA_ARGS__})

int launches_check(const struct launch_request *request, const struct module *module)
{
    const struct index3 g = request->grid, b = request->block;
    uint64_t threads = (uint64_t)b.x * b.y * b.z;

    if (!handles_stream_is_good((cudaStream_t)request->stream))
        return REFUSE(request, cudaErrorInvalidResourceHandle, .rule = SIMT_RULE_STREAM_DESTROYED,
                      .hint = SIMT_HINT_STREAM_LIFE);
    if (threads == 0)
        return REFUSE(request, ERROR_INVALID_VALUE, .rule = SIMT_RULE_BLOCK_EMPTY,
                      .hint = SIMT_HINT_ONE_THREAD, .fact = {FACTS_OF_SIZE(b)});
    if (g.x == 0 || g.y == 0 || g.z == 0)
        return REFUSE(request, ERROR_INVALID_VALUE, .rule = SIMT_RULE_GRID_EMPTY,
                      .hint = threads == 1 ? SIMT_HINT_BLOCKS_FIRST_OR_NONE : SIMT_HINT_ROUND_UP,
                      .fact = {FACTS_OF_SIZE(g)});
    if (threads > MAX_THREADS_PER_BLOCK || b.x > MAX_BLOCK_X || b.y > MAX_BLOCK_Y || b.z > MAX_BLOCK_Z)
        return REFUSE(request, ERROR_INVALID_VALUE, .rule = SIMT_RULE_BLOCK_TOO_LARGE,
                      .hint = SIMT_HINT_SMALLER_BLOCKS,
                      .fact = {FACTS_OF_SIZE(b), FACT_NUMBER(THREADS, threads)});
    if (g.x > MAX_GRID_X || g.y > MAX_GRID_Y || g.z > MAX_GRID_Z)
        return REFUSE(request, ERROR_INVALID_VALUE, .rule = SIMT_RULE_GRID_TOO_LARGE,
                      .hint = SIMT_HINT_SEVERAL_ELEMENTS, .fact = {FACTS_OF_SIZE(g)});
    if (guard_is_on() && request->kernel && !module_function(module, request->kernel))
        return REFUSE(request, cudaErrorInvalidDeviceFunction, .rule = SIMT_RULE_KERNEL_NO_FUNCTION,
                      .hint = SIMT_HINT_KERNEL_BY_NAME);
    const size_t fixed = module_static_shared(module, request->kernel);
    if (fixed > SHARED_DEFAULT)
        return REFUSE(request, ERROR_INVALID_VALUE, .rule = SIMT_RULE_STATIC_SHARED_TOO_LARGE,
                      .hint = SIMT_HINT_SMALLER_TILE,
                      .fact = {FACT_NUMBER(STATIC_BYTES, fixed), FACT_NUMBER(MOST, SHARED_DEFAULT)});
    const size_t most = launch_allowed_dynamic(request->kernel);
    if (request->dynamic_bytes + fixed >
            (most > SHARED_DEFAULT ? (size_t)SHARED_OPT_IN : (size_t)SHARED_DEFAULT) ||
        request->dynamic_bytes > most)
        return REFUSE(request, ERROR_INVALID_VALUE, .rule = SIMT_RULE_SHARED_TOO_LARGE,
                      .hint = SIMT_HINT_SHARED_ATTRIBUTE,
                      .fact = {FACT_NUMBER(DYNAMIC_BYTES, request->dynamic_bytes),
                               FACT_NUMBER(STATIC_BYTES, fixed), FACT_NUMBER(MOST, most)});
    rerun_prepare(request, module->shared.bytes);
    return ERROR_NONE;
}

int launches_refuse_nested(const struct launch_request *request)
{
    return REFUSE(request, ERROR_NOT_SUPPORTED, .rule = SIMT_RULE_LAUNCH_NESTED,
                  .hint = SIMT_HINT_LAUNCH_FROM_HOST);
}

int launches_refuse_bounds(unsigned threads)
{
    finding_report(&(struct finding_facts){
        .rule = SIMT_RULE_LAUNCH_BOUNDS,
        .site = current_launch->site,
        .variable = finding_named(current_launch->kernel),
        .note = {SIMT_NOTE_KERNEL_DOES_NOT_RUN},
        .hint = SIMT_HINT_RAISE_BOUNDS,
        .fact = {FACT_NUMBER(THREADS, current_launch->block_threads), FACT_NUMBER(MOST, threads)}});
    return ERROR_OUT_OF_RESOURCES;
}
