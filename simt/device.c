/* Assembles the device: the observers of a run, the judge, and the begin of a run. This is the only file that uses
 * all rooms. */
#include "checks/bounds.h"
#include "checks/deadlock.h"
#include "checks/faults.h"
#include "checks/launches.h"
#include "checks/polling.h"
#include "checks/races/race_explore.h"
#include "checks/recursion.h"
#include "checks/warp_misuse.h"
#include "core/error.h"
#include "core/judge.h"
#include "report/finding.h"
#include "report/source.h"
#include "runtime/graph.h"

extern const struct observer races_observer, work_observer, barriers_observer, barrier_meter_observer,
    launches_meter_observer, blocks_meter_observer, global_bytes_observer, written_bytes_observer,
    shared_bytes_observer, overtaking_observer, held_observer, divergence_observer, steps_observer,
    span_observer, instruction_span_observer, shares_observer, instructions_observer,
    thread_instructions_observer, thread_work_observer, block_work_observer, joining_observer,
    thread_joining_observer, block_joining_observer, outputs_observer, thread_outputs_observer,
    block_outputs_observer, thread_local_accesses_observer, host_bytes_observer, output_bytes_observer,
    copied_bytes_observer, joins_observer, elsewhere_observer, wavefronts_observer, excess_observer,
    global_requests_observer, global_sectors_observer, copied_sectors_observer, uncached_sectors_observer,
    idle_observer, atomics_observer, contention_observer, uninitialized_observer, leaks_observer,
    record_observer, allocations_observer, allocated_bytes_observer, host_copies_observer,
    device_copies_observer, stock_calls_observer, stock_bytes_observer, rerun_observer, progress_observer, explore_observer;

/* In the order in which their hooks are called and their meters are counted. */
static const struct observer *const observers[] = {&races_observer,
                                                   &work_observer,
                                                   &barrier_meter_observer,
                                                   &launches_meter_observer,
                                                   &blocks_meter_observer,
                                                   &global_bytes_observer,
                                                   &written_bytes_observer,
                                                   &shared_bytes_observer,
                                                   &overtaking_observer,
                                                   &held_observer,
                                                   &barriers_observer,
                                                   &uninitialized_observer,
                                                   &leaks_observer,
                                                   &steps_observer,
                                                   &span_observer,
                                                   &instruction_span_observer,
                                                   &shares_observer,
                                                   &instructions_observer,
                                                   &thread_instructions_observer,
                                                   &thread_work_observer,
                                                   &block_work_observer,
                                                   &joining_observer,
                                                   &thread_joining_observer,
                                                   &block_joining_observer,
                                                   &outputs_observer,
                                                   &thread_outputs_observer,
                                                   &block_outputs_observer,
                                                   &thread_local_accesses_observer,
                                                   &host_bytes_observer,
                                                   &output_bytes_observer,
                                                   &copied_bytes_observer,
                                                   &joins_observer,
                                                   &elsewhere_observer,
                                                   &wavefronts_observer,
                                                   &excess_observer,
                                                   &global_requests_observer,
                                                   &global_sectors_observer,
                                                   &uncached_sectors_observer,
                                                   &copied_sectors_observer,
                                                   &idle_observer,
                                                   &divergence_observer,
                                                   &atomics_observer,
                                                   &contention_observer,
                                                   &allocations_observer,
                                                   &allocated_bytes_observer,
                                                   &host_copies_observer,
                                                   &device_copies_observer,
                                                   &stock_calls_observer,
                                                   &stock_bytes_observer,
                                                   &record_observer,
                                                   &progress_observer,
                                                   &polling_observer,
                                                   &rerun_observer,
                                                   &explore_observer};

static int line_of(const void *site)
{
    struct simt_location location;
    source_location(site, &location);
    return location.line;
}

static const struct judge the_judge = {
    .kernel_access = bounds_check_kernel,
    .misaligned = bounds_misaligned,
    .input_written = bounds_input_written,
    .host_access = bounds_check_host,
    .return_changed = bounds_return_changed,
    .launch = launches_check,
    .launch_in_kernel = launches_refuse_nested,
    .launch_captured = graph_captures_launch,
    .kernel_name = source_function,
    .host_begins = recursion_begin,
    .host_calls = recursion_check,
    .host_recursion = recursion_report,
    .deadlock = deadlock_report,
    .foreign_mask = warp_misuse_foreign_mask,
    .budget_is_spent = faults_budget_is_spent,
    .watch_polling = polling_watch,
    .polls_in_vain = polling_in_vain,
    .crash = faults_crash,
    .lane_returns = warp_misuse_check_exit,
    .is_students = source_is_students,
    .line_of = line_of,
    .moment = race_moment,
    .is_before = race_is_before,
    .keep_released = race_keep_released,
    .set_released = race_set_released,
};

enum {
    FIRST = 101 /* priority: before the program's constructors, which may launch kernels */
};

static __attribute__((constructor(FIRST))) void appoint(void)
{
    judge = &the_judge;
    observers_register(observers, sizeof observers / sizeof *observers);
}

void simt_begin_run(void)
{
    findings_forget();
    error_set_sticky(ERROR_NONE);
    error_set_last(ERROR_NONE);
    simt_forget_used();
    launch_begin_run();
    observe_begin_run();
}
