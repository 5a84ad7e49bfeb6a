/* Endless recursion of host code. It is reported as soon as the stack is deep, not when it overflows: each level may launch
 * kernels, so that an overflow could take long. */
#define _GNU_SOURCE
#include "checks/recursion.h"
#include "core/arch.h"
#include "core/fault.h"
#include "report/finding.h"
#include "report/source.h"

#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>

enum {
    DEEP = 1 << 20,     /* bytes of stack from which on it is looked at */
    NEAR = 64 * 1024,   /* bytes in which the innermost call of a recursion must stand */
    MAX_CANDIDATES = 8, /* return addresses that are counted */
    MAX_OTHERS = 16,    /* words that were seen to be none: to ask again takes time */
    MANY = 500          /* calls of one function from one line that have not returned */
};

static const char *base; /* where the stack began when the code was called */
static size_t next_look = DEEP;

void recursion_begin(const void *frame)
{
    base = frame;
    next_look = DEEP;
}

/* Reads a stack as words, whatever lies there: AddressSanitizer would call that an error. */
#define READS_STACK __attribute__((no_sanitize("address")))

/* How many words from `low` to the base hold the address. */
static READS_STACK size_t count(const uintptr_t *low, uintptr_t address)
{
    size_t found = 0;
    for (const uintptr_t *word = low; (const char *)word < base; word++)
        found += *word == address;
    return found;
}

/* From here on the stack can be read: where it has overflowed, its pointer stands below what is mapped. */
static const uintptr_t *mapped_from(const uintptr_t *low)
{
    const size_t bytes = arch_kernel_page();
    unsigned char there;
    char *page = (char *)((uintptr_t)low / bytes * bytes);
    if (mincore(page, bytes, &there) == 0)
        return low;
    while (page < base && mincore(page, bytes, &there) != 0)
        page += bytes;
    return (const uintptr_t *)page;
}

/* A kernel's own address stands on the stack of whoever launches it. What precedes it is another function's. */
static bool starts_a_function(const void *address)
{
    struct simt_location before;
    source_location(address, &before);
    return strcmp(before.function, source_function(address)) != 0;
}

/* The code address of the innermost call that stands on the stack many times; null when there is none. A call that never
 * returns may be the last instruction of its function, so the start of the next one is better than nothing. */
static READS_STACK const void *find_recursion(const uintptr_t *low)
{
    uintptr_t seen[MAX_CANDIDATES], others[MAX_OTHERS] = {0};
    unsigned candidates = 0, other = 0;
    const void *start = NULL;
    for (const uintptr_t *word = low;
         (const char *)word < base && (const char *)word < (const char *)low + NEAR &&
         candidates < MAX_CANDIDATES;
         word++) {
        bool known = false;
        for (unsigned i = 0; i < candidates; i++)
            known = known || seen[i] == *word;
        for (unsigned i = 0; i < MAX_OTHERS; i++)
            known = known || others[i] == *word;
        if (known)
            continue;
        if (!source_is_students((const void *)*word)) {
            others[other++ % MAX_OTHERS] = *word;
            continue;
        }
        seen[candidates++] = *word;
        if (count(low, *word) <= MANY)
            continue;
        if (!starts_a_function((const void *)*word))
            return (const void *)*word;
        start = start ? start : (const void *)*word;
    }
    return start;
}

bool recursion_report(const void *frame)
{
    if (!base || (const char *)frame > base || (size_t)(base - (const char *)frame) < DEEP)
        return false;
    const uintptr_t *low = (const uintptr_t *)((uintptr_t)frame & ~(sizeof(uintptr_t) - 1));
    const void *site = find_recursion(mapped_from(low));
    if (!site)
        return false;
    struct simt_location location;
    source_location(site, &location);
    finding_report(&(struct finding_facts){.rule = SIMT_RULE_RECURSION_ENDLESS,
                                           .site = site,
                                           .variable = finding_named(location.function),
                                           .note = {SIMT_NOTE_CALLS_OPEN},
                                           .hint = SIMT_HINT_RECURSION_END,
                                           .fact = {FACT_NUMBER(CALLS, MANY)}});
    return true;
}

void recursion_check(int error)
{
    const char *frame = __builtin_frame_address(0);
    if (!base || frame > base || (size_t)(base - frame) < next_look)
        return;
    next_look *= 2; /* a deep stack may have a large array */
    if (recursion_report(frame))
        fault_raise(error);
}
