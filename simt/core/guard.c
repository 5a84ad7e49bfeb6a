#define _GNU_SOURCE
#include "core/guard.h"
#include "core/host_heap.h"
#include "core/module.h"
#include "core/returns.h"
#include "simt.h"
#include <link.h>
#include <stdint.h>
#include <stdio.h>

enum { THROWN = 16 }; /* the number of recently thrown objects kept; a handler may still use one */

bool guard_on;
static struct range thrown[THROWN];
static size_t thrown_count;

void simt_guard_program(void)
{
    guard_on = true;
}

void guard_note_thrown(void *object, size_t bytes)
{
    thrown[thrown_count++ % THROWN] = (struct range){object, bytes};
}

static bool holds(struct range range, const void *address, size_t bytes)
{
    return range_holds(range, address) &&
           bytes <= range.bytes - (size_t)((const char *)address - range.begin);
}

struct lookup {
    const void *address;
    size_t bytes;
    bool of_library; /* the program itself comes first, then the libraries */
    bool found;
};

static int find_segment(struct dl_phdr_info *library, size_t size, void *context)
{
    struct lookup *lookup = context;
    (void)size;
    for (size_t i = 0; i < library->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &library->dlpi_phdr[i];
        struct range range = {(char *)(library->dlpi_addr + segment->p_vaddr), segment->p_memsz};
        if (segment->p_type == PT_TLS)
            range.begin = library->dlpi_tls_data;
        else if (segment->p_type != PT_LOAD)
            continue;
        const bool hidden = !lookup->of_library && (segment->p_type == PT_TLS || segment->p_flags & PF_W);
        lookup->found |= !hidden && range.begin && holds(range, lookup->address, lookup->bytes);
    }
    lookup->of_library = true;
    return lookup->found;
}

/* The program's own variables belong to the harness and the device. These two streams of the C library may be among
 * them. */
static bool may_be_read(const void *address, size_t bytes)
{
    if (address == (const void *)&stdout || address == (const void *)&stderr)
        return true;
    struct lookup lookup = {address, bytes, false, false};
    dl_iterate_phdr(find_segment, &lookup);
    return lookup.found;
}

/* Part of a module's data becomes read-only after loading, above all the table of the functions that it calls. */
static bool is_data(const struct module *module, const void *address, size_t bytes, bool write)
{
    bool found = false;
    for (size_t i = 0; i < module->data_count; i++)
        found |= holds(module->data[i], address, bytes);
    for (size_t i = 0; write && i < module->read_only_count; i++)
        found &= !range_holds(module->read_only[i], address);
    return found;
}

bool guard_allows(const void *address, size_t bytes, bool write)
{
    if (returns_own(address, bytes) || host_heap_holds(address, bytes))
        return true;
    for (size_t i = 0; i < module_count(); i++)
        if (is_data(module_at(i), address, bytes, write))
            return true;
    for (size_t i = 0; i < THROWN; i++)
        if (holds(thrown[i], address, bytes))
            return true;
    return !write && may_be_read(address, bytes);
}
