/* The guard of a program that loads code which it does not trust. */
#define _GNU_SOURCE
#include "core/guard.h"
#include "simt.h"
#include <link.h>
#include <stdint.h>

enum { RANGES = 96 }; /* writable segments, two a library at most, and its thread-local variables */

static struct {
    uintptr_t begin, end;
} ranges[RANGES];
static size_t count;
static uintptr_t lowest = UINTPTR_MAX, highest;

static int add_library(struct dl_phdr_info *library, size_t size, void *context)
{
    (void)size;
    (void)context;
    for (size_t i = 0; i < library->dlpi_phnum && count < RANGES; i++) {
        const ElfW(Phdr) *segment = &library->dlpi_phdr[i];
        uintptr_t begin = library->dlpi_addr + segment->p_vaddr;
        if (segment->p_type == PT_TLS && library->dlpi_tls_data)
            begin = (uintptr_t)library->dlpi_tls_data;
        else if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_W))
            continue;
        const uintptr_t end = begin + segment->p_memsz;
        ranges[count].begin = begin;
        ranges[count++].end = end;
        lowest = begin < lowest ? begin : lowest;
        highest = end > highest ? end : highest;
    }
    return 0;
}

void simt_guard_program(void)
{
    count = 0;
    dl_iterate_phdr(add_library, NULL);
}

bool guard_is_on(void)
{
    return count > 0;
}

bool guard_holds(const void *address, size_t bytes)
{
    const uintptr_t begin = (uintptr_t)address, end = begin + bytes;
    if (end < begin) /* past the end of all addresses, as a pitch below 0 goes */
        return guard_is_on();
    if (end <= lowest || begin >= highest)
        return false;
    for (size_t i = 0; i < count; i++)
        if (begin < ranges[i].end && end > ranges[i].begin)
            return true;
    return false;
}
