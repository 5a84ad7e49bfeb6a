#include "core/budget.h"
#include "core/blocks.h"
#include "core/thread.h"

int64_t budget_left;
uint64_t budget_free_polls;
bool host_in_call;
void (*budget_meter)(unsigned instructions);

/* The blocks of the module whose code runs. */
static struct blocks running;

/* What a basic block does beyond its count. Apart, so that the common path needs no registers to be saved. */
static __attribute__((noinline)) void count_more(const char *site, unsigned instructions)
{
    if (budget_left < 0)
        budget_spent(site);
    if (budget_meter)
        budget_meter(instructions);
}

static __attribute__((noinline)) void count_in_other_module(const char *site)
{
    running = *blocks_of_code(site);
    const unsigned instructions = blocks_weight(&running, site);
    budget_left -= instructions;
    count_more(site, instructions);
}

/* Called at the start of each basic block of translated code. */
void __sanitizer_cov_trace_pc(void);
void __sanitizer_cov_trace_pc(void)
{
    const char *site = __builtin_return_address(0);
    if (!current_thread && !host_in_call)
        return;
    if (__builtin_expect((size_t)(site - running.begin) >= running.bytes, 0)) {
        count_in_other_module(site);
        return;
    }
    const unsigned instructions = blocks_weight(&running, site);
    budget_left -= instructions;
    if (__builtin_expect(budget_left < 0 || budget_meter != NULL, 0))
        count_more(site, instructions);
}
