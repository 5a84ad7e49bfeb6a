/* Local arrays: the translator inserts one call where the scope of an array begins and one where it ends. */
#include "core/locals.h"
#include "core/memory.h"
#include "core/thread.h"

#include <string.h>

void simt_local_begin(struct simt_local_memory *memory, void *variable, size_t bytes, size_t element_size,
                      const char *name);
void simt_local_end(struct simt_local_memory *memory);

void simt_local_begin(struct simt_local_memory *memory, void *variable, size_t bytes, size_t element_size,
                      const char *name)
{
    *memory = (struct simt_local_memory){variable, bytes, element_size, name, NULL};
    if (!current_thread)
        return;
    memory->outer = current_thread->locals;
    current_thread->locals = memory;
    memset(variable, MEMORY_JUNK, bytes);
    memset(memory->written, 0, (bytes + 63) / 64 * sizeof *memory->written);
}

void simt_local_end(struct simt_local_memory *memory)
{
    if (current_thread)
        current_thread->locals = memory->outer;
}

struct simt_local_memory *locals_find(const void *address)
{
    struct simt_local_memory *at = current_thread->locals;
    while (at && (uintptr_t)address - (uintptr_t)at->begin >= at->bytes)
        at = at->outer;
    return at;
}
