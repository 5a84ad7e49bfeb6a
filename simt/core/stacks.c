#define _GNU_SOURCE
#include "core/stacks.h"
#include "core/arch.h"
#include "core/fiber.h"
#include "core/module.h"
#include "core/thread.h"

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#endif
#include <stdlib.h>
#include <sys/mman.h>

enum { GUARD = ARCH_PAGE };

/* With pages of 4096 bytes, a stack and its guard span 17 pages. So equal frames of neighbouring threads fall into
 * different sets of a cache whose number of sets is a power of two. The stagger does the same within a page. */
static const size_t SPAN = STACK_BYTES + GUARD;
static const size_t STAGGER = 5 * 64, STAGGERED = 4096;

static struct range area;
static unsigned usable; /* stacks below this number have a guard and may be used */

bool stacks_reserve(unsigned wanted)
{
    if (wanted > MAX_RESIDENT_THREADS)
        return false;
    if (!area.begin) {
        void *memory = mmap(NULL, MAX_RESIDENT_THREADS * SPAN, PROT_NONE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (memory == MAP_FAILED)
            return false;
        area = (struct range){memory, MAX_RESIDENT_THREADS * SPAN};
    }
    for (; usable < wanted; usable++) {
        if (mprotect(area.begin + usable * SPAN + GUARD, STACK_BYTES, PROT_READ | PROT_WRITE) != 0)
            return false;
    }
    return true;
}

void stacks_get(unsigned number, char **low, char **high)
{
    char *base = area.begin + number * SPAN + GUARD;
    *low = base;
    *high = base + STACK_BYTES - (number * STAGGER) % STAGGERED;
#ifdef __SANITIZE_ADDRESS__ /* a thread that was abandoned has left poisoned frames */
    __asan_unpoison_memory_region(*low, STACK_BYTES);
#endif
}

bool stacks_hold(const void *address)
{
    return range_holds(area, address);
}

bool stacks_guard_holds(const void *address)
{
    return range_holds(area, address) && ((uintptr_t)address - (uintptr_t)area.begin) % SPAN < GUARD;
}

/* ---- the large stack ------------------------------------------------------------------------------------ */

static const size_t LARGE_BYTES = (size_t)1 << 20;

struct job {
    void (*function)(void *);
    void *argument;
};

static void *client, *server; /* fibers: the caller's and that of the large stack */
static struct job asked;
static volatile bool taken; /* volatile because a signal handler reads it */

static void serve(void)
{
    for (;;) {
        asked.function(asked.argument);
        fiber_switch(&server, client);
    }
}

void stacks_call_on_large(void (*function)(void *), void *argument)
{
    if (!server) {
        char *stack = mmap(NULL, LARGE_BYTES, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (stack == MAP_FAILED)
            abort();
        server = fiber_new(stack, stack + LARGE_BYTES, serve);
    }
    asked = (struct job){function, argument};
    taken = true;
    fiber_switch(&client, server);
    taken = false;
}

bool stacks_large_is_taken(void)
{
    return taken;
}
