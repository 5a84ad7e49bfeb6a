#include "core/budget.h"
#include "core/blocks.h"
#include "core/thread.h"

int64_t budget_left;
uint64_t budget_free_polls;
bool host_in_call;
void (*budget_meter)(unsigned instructions);

/* Called at the start of each basic block of translated code. */
void __sanitizer_cov_trace_pc(void);
void __sanitizer_cov_trace_pc(void)
{
    static const struct blocks none, *blocks = &none;
    const char *site = __builtin_return_address(0);
    if (!current_thread && !host_in_call)
        return;
    if (__builtin_expect((size_t)(site - blocks->begin) >= blocks->bytes, 0))
        blocks = blocks_of_code(site);
    const unsigned instructions = blocks_weight(blocks, site);
    budget_left -= instructions;
    if (__builtin_expect(budget_left < 0, 0))
        budget_spent(site);
    if (__builtin_expect(budget_meter != NULL, 0))
        budget_meter(instructions);
}
