/* The guard of a program that loads code which it does not trust. */
#define _GNU_SOURCE
#include "core/guard.h"
#include "simt.h"
#include <link.h>
#include <stdint.h>
#include <stdio.h>

enum { RANGES = 96 }; /* writable segments, two a library at most, and its thread-local variables */

static struct {
    uintptr_t begin, end;
    bool of_program; /* and of no library */
} ranges[RANGES];
static size_t count;
bool guard_on;
static uintptr_t lowest = UINTPTR_MAX, highest;

static int add_library(struct dl_phdr_info *library, size_t size, void *context)
{
    bool *of_program = context; /* which comes first */
    (void)size;
    for (size_t i = 0; i < library->dlpi_phnum && count < RANGES; i++) {
        const ElfW(Phdr) *segment = &library->dlpi_phdr[i];
        uintptr_t begin = library->dlpi_addr + segment->p_vaddr;
        if (segment->p_type == PT_TLS && library->dlpi_tls_data)
            begin = (uintptr_t)library->dlpi_tls_data;
        else if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_W))
            continue;
        const uintptr_t end = begin + segment->p_memsz;
        ranges[count].begin = begin;
        ranges[count].of_program = *of_program;
        ranges[count++].end = end;
        lowest = begin < lowest ? begin : lowest;
        highest = end > highest ? end : highest;
    }
    *of_program = false;
    return 0;
}

void simt_guard_program(void)
{
    bool of_program = true;
    count = 0;
    dl_iterate_phdr(add_library, &of_program);
    guard_on = count > 0;
}

static bool find(const void *address, size_t bytes, bool of_program)
{
    const uintptr_t begin = (uintptr_t)address, end = begin + bytes;
    if (end < begin) /* past the end of all addresses, as a pitch below 0 goes */
        return guard_is_on();
    if (end <= lowest || begin >= highest)
        return false;
    for (size_t i = 0; i < count; i++)
        if (begin < ranges[i].end && end > ranges[i].begin && (ranges[i].of_program || !of_program))
            return true;
    return false;
}

bool guard_holds(const void *address, size_t bytes)
{
    return find(address, bytes, false);
}

/* The device's own memory of shared variables, images of them and all that its harness keeps are variables of the program, but
 * these two streams of the C library may be, too. */
bool guard_hides(const void *address, size_t bytes)
{
    if (address == (const void *)&stdout || address == (const void *)&stderr)
        return false;
    return find(address, bytes, true);
}
