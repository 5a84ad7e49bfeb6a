/* The functions of include/simt_device_api.h, except atomic and warp operations: barriers, fences, time, traps. */
#include "runtime/device_api.h"
#include "checks/launches.h"
#include "core/fault.h"
#include "core/late.h"
#include "core/memory.h"
#include "core/module.h"
#include "core/observer.h"
#include "core/registered.h"
#include "core/schedule.h"
#include "report/finding.h"
#include "simt.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#define SITE __builtin_return_address(0)

static const long long CYCLES_A_LOOK = 16; /* the cycle counter advances by this many at each read */

void device_only(const char *what, const void *site)
{
    if (current_thread)
        return;
    host_enter();
    finding_report(&(struct finding_facts){.rule = SIMT_RULE_KERNEL_FUNCTION_ON_HOST,
                                           .site = site,
                                           .hint = SIMT_HINT_MOVE_INTO_KERNEL,
                                           .fact = {FACT_TEXT(FUNCTION, what)}});
    fault_raise(ERROR_NOT_SUPPORTED);
}

int simt_in_kernel(void)
{
    return current_thread != NULL;
}

/* ---- blocks -------------------------------------------------------------------------------------------------- */

void simt_barrier(void)
{
    device_only("__syncthreads()", SITE);
    schedule_block_barrier(SITE);
}

int simt_barrier_vote(int predicate, enum simt_barrier kind)
{
    device_only("__syncthreads_count() and its like", SITE);
    struct barrier_result result = schedule_barrier(SITE, predicate != 0);
    switch (kind) {
    case SIMT_BARRIER_COUNT:
        return (int)result.true_count;
    case SIMT_BARRIER_AND:
        return result.true_count == result.arrived;
    case SIMT_BARRIER_OR:
        break;
    }
    return result.true_count > 0;
}

void simt_thread_returns(void)
{
    if (current_thread) /* host code may contain a macro with a `return;` */
        current_thread->left_site = SITE;
}

void simt_launch_bounds(unsigned threads, ...)
{
    if (current_thread && current_launch->block_threads > threads)
        fault_raise(launches_refuse_bounds(threads));
}

int simt_grid_is_cooperative(void)
{
    return current_launch && current_launch->cooperative;
}

void simt_grid_barrier(void)
{
    device_only("grid.sync()", SITE);
    if (!current_launch->cooperative) {
        finding_report(&(struct finding_facts){.rule = SIMT_RULE_GRID_NOT_COOPERATIVE,
                                               .site = SITE,
                                               .note = {SIMT_NOTE_BLOCKS_CANNOT_WAIT},
                                               .hint = SIMT_HINT_LAUNCH_COOPERATIVE,
                                               .fact = {FACT_TEXT(KERNEL, current_launch->kernel)}});
        fault_raise(ERROR_LAUNCH_FAILURE);
    }
    schedule_grid_barrier(SITE);
}

void simt_fence(enum simt_scope scope, enum simt_fence_order order)
{
    device_only("__threadfence()", SITE);
    if (scope != SIMT_SCOPE_BLOCK)
        late_fence();
    observe_fence(current_thread, (int)scope, (int)order);
}

/* ---- time ------------------------------------------------------------------------------------------------------ */

static long long cycles;

long long simt_clock(void)
{
    device_only("clock64()", SITE);
    simt_note_used(SIMT_USED_CLOCK);
    return cycles += CYCLES_A_LOOK;
}

void simt_nanosleep(unsigned nanoseconds)
{
    device_only("__nanosleep()", SITE);
    cycles += nanoseconds;
    schedule_yield(SITE);
}

/* ---- traps ------------------------------------------------------------------------------------------------------ */

void simt_trap(void)
{
    device_only("__trap()", SITE);
    finding_report(
        &(struct finding_facts){.rule = SIMT_RULE_TRAP, .site = SITE, .note = {SIMT_NOTE_CALLED_BY}});
    fault_raise(ERROR_LAUNCH_FAILURE);
}

/* assert() calls this function. In a kernel it ends the launch; elsewhere, and in the device's own code, it behaves
 * like the C library's. */
void __assert_fail(const char *expression, const char *file, unsigned line, const char *function)
{
    if (current_thread && module_of_code(SITE)) {
        finding_report(&(struct finding_facts){
            .rule = SIMT_RULE_ASSERTION_FAILED,
            .site = SITE,
            .note = {SIMT_NOTE_ASSERTION_OF},
            .fact = {FACT_TEXT(EXPRESSION, expression), FACT_TEXT(FUNCTION, function)}});
        fault_raise(ERROR_ASSERT);
    }
    fprintf(stderr, "%s:%u: %s: Assertion `%s' failed.\n", file, line, function, expression);
    abort();
}

/* ---- address spaces
 * ------------------------------------------------------------------------------------------------ */

int simt_is_in_space(const void *address, enum simt_space space)
{
    struct region *region;
    host_enter();
    const enum memory_space found = memory_classify(address, &region);
    host_leave();
    switch (found) {
    case MEMORY_GLOBAL:
    case MEMORY_MANAGED:
    case MEMORY_PINNED:
    case MEMORY_VARIABLE:
        return space == SIMT_SPACE_GLOBAL;
    case MEMORY_CONSTANT:
        return space == SIMT_SPACE_CONSTANT;
    case MEMORY_SHARED:
        return space == SIMT_SPACE_SHARED;
    case MEMORY_LOCAL:
        return space == SIMT_SPACE_LOCAL;
    case MEMORY_HOST:
        return space == SIMT_SPACE_GLOBAL && registered_overlaps(address, 1);
    }
    return 0;
}
