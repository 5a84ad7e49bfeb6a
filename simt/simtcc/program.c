/* Additions to every program that simtcc builds: rejects unknown settings, counts meters if SIMT_METERS asks for
 * it, samples blocks if SIMT_CHECKS does, fills large allocations only where they are accessed, shows the progress of
 * long launches on a terminal, and reports findings by the exit status. */
#include "checks/races/races.h"
#include "core/settings.h"
#include "report/progress.h"
#include "simt.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { STATUS_OF_FINDINGS = 125, STATUS_OF_WRONG_SETTING = 2 };

static const double LONG_LAUNCH = 5; /* seconds after which its progress is shown */

/* Runs before other constructors, which may already do work, and before the trace is opened. */
static __attribute__((constructor(150))) void refuse_wrong_settings(void)
{
    char wrong[2048];
    if (settings_are_valid(wrong, sizeof wrong))
        return;
    fprintf(stderr, "wrong setting in the environment:\n%s", wrong);
    _exit(STATUS_OF_WRONG_SETTING);
}

static void print_meters(void)
{
    fputs("meters of the whole program:\n", stderr);
    for (size_t i = 0; i < simt_meter_count(); i++) {
        const struct simt_meter meter = simt_meter_at(i);
        fprintf(stderr, "    %-40s %llu\n", meter.name, (unsigned long long)meter.value);
    }
}

static void say_what_was_left_out(void)
{
    const struct races_sampled sampled = races_sampled();
    if (sampled.looked_at < sampled.blocks)
        fprintf(stderr,
                "SIMT_CHECKS=sample: the race check looked at the plain accesses of %llu of %llu blocks; "
                "races of the others are not found\n",
                (unsigned long long)sampled.looked_at, (unsigned long long)sampled.blocks);
}

/* Replaces the program's exit status when there are findings, but only if it says that all went well. */
static void end(int status, void *nothing)
{
    (void)nothing;
    if (setting_is_on("SIMT_METERS", false))
        print_meters();
    say_what_was_left_out();
    for (size_t i = 0; i < simt_finding_count(); i++)
        if (!simt_finding_at(i)->warning && status == EXIT_SUCCESS) {
            fflush(NULL);
            _exit(STATUS_OF_FINDINGS);
        }
}

static __attribute__((constructor)) void begin(void)
{
    if (setting_is_on("SIMT_METERS", false))
        simt_measure(true);
    if (setting_is("SIMT_CHECKS", "sample"))
        races_sample();
    if (isatty(STDERR_FILENO))
        progress_show(STDERR_FILENO, LONG_LAUNCH);
    simt_fill_on_demand();
    simt_rerun_junk();
    on_exit(end, NULL);
}
