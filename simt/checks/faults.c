/* Reports of events that end a kernel or host code early. */
#include "checks/faults.h"
#include "checks/polling.h"
#include "checks/sampled/sample.h"
#include "core/budget.h"
#include "core/stacks.h"
#include "report/finding.h"

#include <signal.h>

/* ---- the budget -------------------------------------------------------------------------------------------- */

#define SPENT_FACTS(spent) FACT_NUMBER(EXECUTED, (spent)->executed), FACT_NUMBER(BUDGET, (spent)->budget)

/* Would starting the blocks of this launch spend the whole budget, if their threads did nothing? */
static bool has_too_many_blocks(const struct launch *launch, const struct spent *spent)
{
    const uint64_t each = BUDGET_OF_BLOCK + (uint64_t)launch->block_threads * BUDGET_OF_THREAD;
    return launch->grid_blocks > (uint64_t)spent->budget / each;
}

/* Threads still return, or code still launches: slow, not endless. */
static void report_slow_kernel(const void *site, const struct spent *spent)
{
    const bool first = spent->launches == 1, many = has_too_many_blocks(current_launch, spent);
    finding_report(&(struct finding_facts){
        .rule = first ? SIMT_RULE_KERNEL_SLOW : SIMT_RULE_HOST_SLOW,
        .site = first && !many ? site : current_launch->site,
        .note = {first ? SIMT_NOTE_BLOCKS_DONE : SIMT_NOTE_LAUNCHES_AND_BLOCKS_DONE},
        .hint = many    ? SIMT_HINT_COUNT_BLOCKS
                : first ? SIMT_HINT_COUNT_READS
                        : SIMT_HINT_COUNT_LAUNCHES,
        .fact = {FACT_TEXT(KERNEL, current_launch->kernel), SPENT_FACTS(spent),
                 FACT_NUMBER(LAUNCHES, spent->launches), FACT_NUMBER(DONE, current_launch->blocks_done),
                 FACT_NUMBER(GRID_BLOCKS, current_launch->grid_blocks)}});
}

static void report_endless_kernel(const void *site, const struct spent *spent)
{
    finding_report(&(struct finding_facts){
        .rule = SIMT_RULE_KERNEL_ENDLESS,
        .site = site,
        .note = {spent->empty_loop ? SIMT_NOTE_EMPTY_LOOP : SIMT_NOTE_THREAD_AT_WORK},
        .hint = polling_only_reads() ? SIMT_HINT_LOOP_READS_THE_SAME : SIMT_HINT_LOOP_CONDITION_AND_STRIDE,
        .fact = {FACT_TEXT(KERNEL, current_launch->kernel), SPENT_FACTS(spent)}});
}

/* In a sampled run, a loop that launches may wait for results of blocks that did not run. */
static void report_host(const void *site, const struct spent *spent)
{
    const bool slow = spent->launching;
    const struct finding_facts facts = {.rule = slow ? SIMT_RULE_HOST_SLOW : SIMT_RULE_HOST_ENDLESS,
                                        .site = site,
                                        .note = {slow                ? SIMT_NOTE_HOST_AT_WORK_LAUNCHING
                                                 : spent->empty_loop ? SIMT_NOTE_EMPTY_LOOP
                                                                     : SIMT_NOTE_HOST_AT_WORK},
                                        .hint = slow      ? SIMT_HINT_COUNT_LAUNCHES
                                                : sampler ? SIMT_HINT_HOST_LOOP_AS_SIZE
                                                          : SIMT_HINT_LOOP_CONDITION,
                                        .fact = {SPENT_FACTS(spent), FACT_NUMBER(LAUNCHES, spent->launches)}};
    if (slow)
        finding_report(&facts);
    else
        sample_report(&facts);
}

/* The loop may well end; each of its turns makes the device do too much. */
static void report_work(const void *site, const struct spent *spent)
{
    static const struct {
        enum simt_rule rule;
        enum simt_note note;
        enum simt_hint hint;
    } words[BUDGET_WORKS] = {
        [BUDGET_ALLOCATES] = {SIMT_RULE_TOO_MUCH_ALLOCATED, SIMT_NOTE_WORK_ALLOCATED,
                              SIMT_HINT_ALLOCATE_ONCE},
        [BUDGET_PRINTS] = {SIMT_RULE_TOO_MUCH_PRINTED, SIMT_NOTE_WORK_PRINTED, SIMT_HINT_PRINT_LESS},
        [BUDGET_COPIES] = {SIMT_RULE_TOO_MUCH_COPIED, SIMT_NOTE_WORK_COPIED, SIMT_HINT_COPY_LESS},
    };
    finding_report(&(struct finding_facts){
        .rule = words[spent->work].rule,
        .site = site,
        .note = {words[spent->work].note},
        .hint = words[spent->work].hint,
        .fact = {SPENT_FACTS(spent), FACT_NUMBER(SIZE, spent->worked->bytes),
                 FACT_NUMBER(TIMES, spent->worked->times), FACT_NUMBER(VALUE, spent->worked->instructions)}});
}

void faults_budget_is_spent(const void *site, const struct spent *spent)
{
    if (spent->worked)
        report_work(site, spent);
    else if (!current_thread)
        report_host(site, spent);
    else if (spent->launching || spent->returning)
        report_slow_kernel(site, spent);
    else
        report_endless_kernel(site, spent);
}

/* ---- crashes ----------------------------------------------------------------------------------------------- */

static enum simt_rule crash_rule(int signal)
{
    switch (signal) {
    case SIGFPE:
        return SIMT_RULE_DIVISION_BY_ZERO;
    case SIGILL:
    case SIGTRAP: /* on arm64 g++ ends impossible code with this */
        return SIMT_RULE_ILLEGAL_INSTRUCTION;
    case SIGABRT:
        return SIMT_RULE_ABORTED;
    default:
        return SIMT_RULE_SEGMENTATION_FAULT;
    }
}

void faults_crash(const void *site, int signal, const void *address)
{
    if (signal == SIGSEGV && stacks_guard_holds(address)) {
        finding_report(&(struct finding_facts){.rule = SIMT_RULE_STACK_OVERFLOW,
                                               .site = site,
                                               .note = {SIMT_NOTE_STACK_USED},
                                               .hint = SIMT_HINT_STACK,
                                               .fact = {FACT_NUMBER(SIZE, STACK_BYTES)}});
        return;
    }
    const struct finding_fact at = finding_address(address);
    const bool is_known = signal == SIGSEGV && at.name != SIMT_FACT_NONE;
    finding_report(
        &(struct finding_facts){.rule = crash_rule(signal),
                                .site = site,
                                .note = {is_known ? SIMT_NOTE_IN_THREAD_AT_ADDRESS : SIMT_NOTE_IN_THREAD},
                                .fact = {at}});
}
