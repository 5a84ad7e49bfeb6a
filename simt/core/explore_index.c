#define _GNU_SOURCE
#include "core/arch.h"
#include "core/explore.h"
#include "core/explore_run.h"

#include <sys/mman.h>

/* The value of blockIdx in kernels, alone in its page. */
static struct {
    struct index3 index;
    char rest[ARCH_PAGE - sizeof(struct index3)];
} page __attribute__((aligned(ARCH_PAGE)));
extern struct index3 simt_block_index __attribute__((alias("page")));
static bool closed;

void explore_close_index(bool close)
{
    if (close != closed && mprotect(&page, sizeof page, close ? PROT_NONE : PROT_READ | PROT_WRITE) == 0)
        closed = close;
}

void explore_set_index(const struct block *block)
{
    if (!closed)
        page.index = block->index;
}

bool explore_opens(const void *address)
{
    if (!closed || (uintptr_t)address - (uintptr_t)&page >= sizeof page.index)
        return false;
    explore_close_index(false);
    exploring.done.index_read = true;
    if (current_block)
        page.index = current_block->index;
    return true;
}
