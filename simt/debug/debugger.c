#include "debug/debugger.h"
#include "core/shared.h"
#include "core/thread.h"
#include "report/finding.h"
#include "report/source.h"
#include "report/thread_set.h"
#include "report/thread_states.h"

#include <stdio.h>
#include <string.h>

/* A thread's location. Threads at the same location share one line of output. */
struct standing {
    enum { HERE, WAITS, PASSED, CAN_RUN, NOT_BEGUN, RETURNED } how;
    enum thread_state state; /* what it waits for, for WAITS */
    int line;                /* 0: unknown or irrelevant */
};

static int line_of(const void *site)
{
    struct simt_location place = {.line = 0};
    if (site)
        source_location(site, &place);
    return place.line;
}

static struct standing standing_of(const struct thread *thread)
{
    if (thread == current_thread)
        return (struct standing){.how = HERE};
    if (thread->state == THREAD_EXITED)
        return (struct standing){.how = RETURNED};
    if (!thread_is_ready(thread))
        return (struct standing){WAITS, thread->state, line_of(thread->wait_site)};
    if (!thread->begun || !thread->wait_site)
        return (struct standing){.how = NOT_BEGUN};
    return (struct standing){thread->wait_site == thread->barrier_site ? PASSED : CAN_RUN, THREAD_READY,
                             line_of(thread->wait_site)};
}

static const char *words(const struct standing *standing, bool one)
{
    switch (standing->how) {
    case HERE:
        return "is here";
    case WAITS:
        return simt_act_words(thread_state_act(standing->state), !one);
    case PASSED:
        return one ? "has passed the barrier" : "have passed the barrier";
    case CAN_RUN:
        return one ? "goes on later" : "go on later";
    case NOT_BEGUN:
        return one ? "has not begun" : "have not begun";
    default:
        return simt_act_words(SIMT_ACT_HAS_RETURNED, !one);
    }
}

static bool same(const struct standing *a, const struct standing *b)
{
    return a->how == b->how && a->state == b->state && a->line == b->line;
}

const void *debugger_thread(void)
{
    return current_thread;
}

const char *debugger_where(void)
{
    static char out[512];
    struct simt_side_words words;
    out[0] = 0;
    if (!current_thread)
        return out;
    const char *who = current_launch->kernel;
    if (!current_launch->harness) {
        simt_side_words(&(struct simt_side){.actor = SIMT_ACTOR_THREAD_OF_BLOCK,
                                            .thread = finding_thread(current_thread)},
                        &words);
        who = words.who;
    }
    snprintf(out, sizeof out, "%s of %s, a grid of %llu block%s of %u thread%s", who, current_launch->kernel,
             (unsigned long long)current_launch->grid_blocks, current_launch->grid_blocks == 1 ? "" : "s",
             current_launch->block_threads, current_launch->block_threads == 1 ? "" : "s");
    return out;
}

const char *debugger_finding(const struct simt_finding *finding)
{
    static char out[4096];
    struct simt_finding_words words;
    simt_finding_words(finding, &words);
    simt_format_finding(finding, out, sizeof out);
    out[strlen(out) - 1] = 0;
    return strstr(out, words.title); /* gdb shows the source location itself */
}

const char *debugger_threads(void)
{
    static char out[8192];
    static struct standing standing[MAX_THREADS_PER_BLOCK];
    bool done[MAX_THREADS_PER_BLOCK] = {false};
    size_t used = 0;
    out[0] = 0;
    if (!current_thread)
        return out;
    const unsigned count = current_launch->block_threads;
    for (unsigned i = 0; i < count; i++)
        standing[i] = standing_of(&current_block->threads[i]);
    for (unsigned leader = 0; leader < count && used < sizeof out; leader++) {
        bool member[MAX_THREADS_PER_BLOCK] = {false};
        char names[128], at[24] = "";
        for (unsigned i = leader; i < count; i++) {
            member[i] = !done[i] && same(&standing[i], &standing[leader]);
            done[i] = done[i] || member[i];
        }
        const unsigned members = thread_set_text("thread", member, count, names, sizeof names);
        if (members == 0)
            continue;
        if (standing[leader].line > 0)
            snprintf(at, sizeof at, " at line %d", standing[leader].line);
        used += (size_t)snprintf(out + used, sizeof out - used, "%s %s%s\n", names,
                                 words(&standing[leader], members == 1), at);
    }
    return out;
}

bool debugger_is_written(const void *address)
{
    const struct shared_layout *layout = &shared_layout;
    const uintptr_t at = (uintptr_t)address;
    const size_t bit = at - (at - layout->static_begin < layout->static_bytes ? layout->static_origin
                                                                              : layout->dynamic_origin);
    return current_block && current_block->written && bit < layout->bytes &&
           (current_block->written[bit / 64] >> bit % 64 & 1);
}
