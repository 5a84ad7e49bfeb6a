/* Endless recursion of host code. It is reported when the stack is deep, not only when it overflows, because each
 * level may launch kernels, so an overflow could take long. */
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
    DEEP = 1 << 20,     /* bytes of stack from which it is checked */
    NEAR = 64 * 1024,   /* bytes that must contain the innermost call of a recursion */
    MAX_CANDIDATES = 8, /* return addresses that are counted */
    MAX_OTHERS = 16,    /* remembered words that are not return addresses, because the test is slow */
    MANY = 500          /* number of calls of one function from one line that have not returned */
};

static const char *base; /* begin of the stack when the code was called */
static size_t next_look = DEEP;

void recursion_begin(const void *frame)
{
    base = frame;
    next_look = DEEP;
}

/* For functions that read a stack as words, whatever it contains; AddressSanitizer would report that as an error. */
#define READS_STACK __attribute__((no_sanitize("address")))

/* The number of words from `low` to the base that are equal to the address. */
static READS_STACK size_t count(const uintptr_t *low, uintptr_t address)
{
    size_t found = 0;
    for (const uintptr_t *word = low; (const char *)word < base; word++)
        found += *word == address;
    return found;
}

/* The address from which the stack can be read. After an overflow the stack pointer is below the mapped memory. */
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

/* Does a function start here? A kernel's own address is on the stack of the code that launches it, and the
 * instruction before it belongs to another function. */
static bool starts_a_function(const void *address)
{
    struct simt_location before;
    source_location(address, &before);
    return strcmp(before.function, source_function(address)) != 0;
}

/* The code address of the innermost call that is on the stack many times; null if there is none. A call that never
 * returns may be the last instruction of its function, so the start of the next function is used if there is
 * nothing better. */
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
    next_look *= 2; /* a deep stack may only contain a large array */
    if (recursion_report(frame))
        fault_raise(error);
}
