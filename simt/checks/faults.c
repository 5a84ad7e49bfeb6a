/* What ends a kernel or host code before its time, in words. */
#include "checks/faults.h"
#include "checks/sampled/sample.h"
#include "core/stacks.h"
#include "report/finding.h"

#include <signal.h>

/* ---- the time limit ---------------------------------------------------------------------------------------- */

static const char slow_host_hint[] =
    "how many launches does it take, and does each turn of their loop bring its end nearer?";

/* A kernel of which threads still return, or code that still launches, comes to an end some day. */
static void report_slow_kernel(const void *site, double seconds, uint64_t launches)
{
    const char *blocks = text("%llu of %llu blocks", (unsigned long long)current_launch->blocks_done,
                              (unsigned long long)current_launch->grid_blocks);
    if (launches == 1)
        finding_report(&(struct finding_text){
            .kind = SIMT_ENDLESS,
            .site = site,
            .title = text("%s is too slow", current_launch->kernel),
            .detail = text("after %g s of CPU time %s are done", seconds, blocks),
            .hint = "count what all threads together read: a few times n, or n times n?"});
    else
        finding_report(&(struct finding_text){
            .kind = SIMT_ENDLESS,
            .site = current_launch->site,
            .title = "host code is too slow",
            .detail = text("after %g s of CPU time it is at launch %llu, of %s, and %s of that are done",
                           seconds, (unsigned long long)launches, current_launch->kernel, blocks),
            .hint = slow_host_hint});
}

static void report_endless_kernel(const void *site, double seconds)
{
    char who[96];
    finding_thread_text(current_thread, who, sizeof who);
    finding_report(&(struct finding_text){
        .kind = SIMT_ENDLESS,
        .site = site,
        .title = text("%s does not end", current_launch->kernel),
        .detail = text("after %g s of CPU time %s is still at work here; no thread has returned for %g s",
                       seconds, who, seconds / 2),
        .hint = "check that every loop's condition changes on each pass, and that a stride is never 0"});
}

/* In a sampled run a loop that launches may wait for what blocks that did not run would have said. */
static void report_host(const void *site, double seconds, uint64_t launches, bool slow)
{
    const struct finding_text finding = {
        .kind = SIMT_ENDLESS,
        .site = site,
        .title = slow ? "host code is too slow" : "host code does not end",
        .detail = slow ? text("after %g s of CPU time and %llu launches it is still at work here", seconds,
                              (unsigned long long)launches)
                       : text("after %g s of CPU time it is still at work here", seconds),
        .hint = slow      ? slow_host_hint
                : sampler ? "does a length or stride of 32 bits wrap around to 0? Make it a size_t. Or "
                            "does host code go over all elements? Kernels are for that"
                          : "check that every loop's condition changes on each pass"};
    if (slow)
        finding_report(&finding);
    else
        sample_report(&finding);
}

void faults_time_is_up(const void *site, const struct time_limit *limit)
{
    if (!current_thread)
        report_host(site, limit->seconds, limit->launches, limit->launching);
    else if (limit->launching || limit->returning)
        report_slow_kernel(site, limit->seconds, limit->launches);
    else
        report_endless_kernel(site, limit->seconds);
}

/* ---- crashes ----------------------------------------------------------------------------------------------- */

static const char *crash_words(int signal)
{
    switch (signal) {
    case SIGFPE:
        return "integer division by zero";
    case SIGILL:
    case SIGTRAP: /* what g++ ends impossible code with on arm64 */
        return "illegal instruction";
    case SIGABRT:
        return "abort() was called";
    default:
        return "segmentation fault";
    }
}

void faults_crash(const void *site, int signal, const void *address)
{
    char who[96] = "host code";
    if (current_thread)
        finding_thread_text(current_thread, who, sizeof who);
    if (signal == SIGSEGV && stacks_guard_holds(address)) {
        finding_report(&(struct finding_text){
            .kind = SIMT_CRASH,
            .site = site,
            .title = "stack overflow",
            .detail = text("%s uses more than %d bytes of local memory", who, STACK_BYTES),
            .hint = "is there a recursion without an end, or a large local array?"});
    } else {
        const char *where = signal == SIGSEGV ? text(" at address %p", address) : "";
        finding_report(&(struct finding_text){.kind = SIMT_CRASH,
                                              .site = site,
                                              .title = text("%s", crash_words(signal)),
                                              .detail = text("in %s%s", who, where)});
    }
}
