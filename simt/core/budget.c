#include "core/budget.h"
#include "core/blocks.h"
#include "core/thread.h"

int64_t budget_left, budget_of_turn;
struct thread_work thread_work;
uint64_t budget_free_polls;
bool host_in_call;
struct budget_worked budget_worked[BUDGET_WORKS];

static void (*meter)(unsigned instructions);

void budget_stop_counting(void)
{
    host_thread.counted.bytes = 0;
}

void budget_set_meter(void (*set)(unsigned instructions))
{
    meter = set;
    budget_stop_counting();
}

/* Apart, so that the common path needs no registers to be saved. */
static __attribute__((noinline)) void count_uncommon(const char *site)
{
    if (!current_thread && !host_in_call)
        return;
    const struct blocks *blocks = blocks_of_code(site);
    const unsigned instructions = blocks_entry(blocks, blocks->weight, site);
    if (!meter)
        host_thread.counted = *blocks;
    budget_left -= blocks_entry(blocks, blocks->cost, site);
    if (budget_left < 0)
        budget_spent(site);
    if (meter)
        meter(instructions);
}

void budget_check(const void *site)
{
    if (budget_left < 0 && (current_thread || host_in_call))
        budget_spent(site);
}

/* Called at the start of each basic block of translated code. */
void __sanitizer_cov_trace_pc(void);
void __sanitizer_cov_trace_pc(void)
{
    const char *site = __builtin_return_address(0);
    const struct blocks *counted = &host_thread.counted;
    const size_t at = (size_t)(site - counted->begin);
    if (__builtin_expect(at >= counted->bytes, 0)) {
        count_uncommon(site);
        return;
    }
    budget_left -= counted->cost[at / BLOCKS_APART];
    if (__builtin_expect(budget_left < 0, 0))
        budget_spent(site);
}
