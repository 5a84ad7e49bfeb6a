/* Leaks: device memory that was allocated in this run and not freed, and streams and events that were not
 * destroyed. A harness calls this check at the end of each call. In a plain program it runs at the exit if
 * SIMT_LEAKS=1 is in the environment; by default it does not, because the end of the process frees everything. */
#include "core/error.h"
#include "core/handles.h"
#include "core/memory.h"
#include "core/observer.h"
#include "core/settings.h"
#include "report/finding.h"

#include <stdlib.h>

static uint64_t first_region; /* serial numbers when the run began */
static uint64_t first_handle;

static void begin_run(void)
{
    first_region = simt_heap_mark();
    first_handle = handles_mark();
}

static void report_region(const struct region *region)
{
    const bool pinned = region->space == MEMORY_PINNED;
    finding_report(
        &(struct finding_facts){.rule = pinned ? SIMT_RULE_PINNED_MEMORY_LEAK : SIMT_RULE_MEMORY_LEAK,
                                .site = region->alloc_site,
                                .variable = finding_named(region->name),
                                .note = {SIMT_NOTE_ALLOCATED_HERE},
                                .hint = pinned ? SIMT_HINT_CUDAFREEHOST : SIMT_HINT_CUDAFREE,
                                .fact = {FACT_NUMBER(SIZE, region->bytes)}});
}

static void report_stream(const void *site)
{
    finding_report(&(struct finding_facts){.rule = SIMT_RULE_STREAM_LEAK,
                                           .site = site,
                                           .note = {SIMT_NOTE_MADE_HERE},
                                           .hint = SIMT_HINT_CUDASTREAMDESTROY});
}

/* Only a warning, because no device memory is lost, and a timer that is kept for later calls needs its events. */
static void report_event(const void *site)
{
    finding_report(&(struct finding_facts){.rule = SIMT_RULE_EVENT_LEAK,
                                           .warning = true,
                                           .site = site,
                                           .note = {SIMT_NOTE_MADE_HERE},
                                           .hint = SIMT_HINT_CUDAEVENTDESTROY});
}

size_t simt_report_leaks(void)
{
    size_t leaks = 0;
    for (const struct region *region = memory_newest(); region && region->serial > first_region;
         region = region->previous) {
        if (!region->freed) {
            report_region(region);
            leaks++;
        }
    }
    return leaks + handles_open(first_handle, report_stream, report_event);
}

/* After a fault every call fails, including cudaFree, so remaining allocations are not a mistake of their own. */
static void at_exit(void)
{
    if (!error_sticky())
        simt_report_leaks();
}

static __attribute__((constructor)) void ask_at_exit(void)
{
    if (setting_is_on("SIMT_LEAKS", false))
        atexit(at_exit);
}

const struct observer leaks_observer = {.name = "leaks", .begin_run = begin_run};
