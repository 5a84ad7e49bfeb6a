/* Meters of bytes, which show where an algorithm keeps its data:
 *
 *     global bytes    bytes that kernels read and write in device memory, for each access of each thread, and
 *                     bytes that cudaMemcpy and cudaMemset read and write there
 *     written bytes   those of them that are written
 *     shared bytes    the maximum over all blocks of the number of bytes of shared memory that a block accesses */
#include "core/observer.h"
#include "core/shared.h"

#include <stdlib.h>
#include <string.h>

enum { WORD = 64 /* bits */ };

/* The shared memory that a resident block has accessed: a bit for each byte, by offset. */
struct touched {
    const struct block *block; /* null: free for another block */
    uint64_t *bits;
    size_t words;
};

static struct touched touched[MAX_RESIDENT_BLOCKS];
static uint64_t global_bytes, written_bytes, most_shared;

static void begin_run(void)
{
    global_bytes = written_bytes = most_shared = 0;
}

static struct touched *touched_by(const struct block *block)
{
    static struct touched *last = touched;
    for (struct touched *each = touched; last->block != block && each < touched + MAX_RESIDENT_BLOCKS; each++)
        if (each->block == block)
            last = each;
    return last->block == block ? last : NULL;
}

static void begin_block(const struct block *block)
{
    struct touched *of = touched_by(NULL);
    const size_t words = shared_layout.bytes / WORD + 1;
    if (!of)
        return;
    if (words > of->words) {
        free(of->bits);
        of->bits = malloc(words * sizeof *of->bits);
        if (!of->bits)
            abort(); /* a meter must not lose counts */
        of->words = words;
    }
    memset(of->bits, 0, words * sizeof *of->bits);
    of->block = block;
}

static void end_block(const struct block *block)
{
    struct touched *of = touched_by(block);
    uint64_t bytes = 0;
    if (!of)
        return;
    for (size_t i = 0; i < shared_layout.bytes / WORD + 1; i++)
        bytes += (unsigned)__builtin_popcountll(of->bits[i]);
    most_shared = bytes > most_shared ? bytes : most_shared;
    of->block = NULL;
}

/* A fault leaves blocks unfinished. */
static void end_launch(const struct launch *launch, bool faulted)
{
    (void)launch, (void)faulted;
    for (size_t i = 0; i < MAX_RESIDENT_BLOCKS; i++)
        touched[i].block = NULL;
}

static void touch(size_t at, size_t bytes)
{
    struct touched *of = touched_by(current_block);
    for (size_t end = at + bytes; of && at < end; at++)
        of->bits[at / WORD] |= (uint64_t)1 << at % WORD;
}

static void look(const struct access *access)
{
    if (harness_works)
        return; /* the cost of a stock function on a GPU is unknown */
    if (access->space == MEMORY_SHARED)
        touch(access->offset, access->bytes);
    else if (access->space != MEMORY_LOCAL && access->space != MEMORY_CONSTANT) {
        global_bytes += access->bytes;
        written_bytes += access->kind & ACCESS_WRITE ? access->bytes : 0;
    }
}

static void copy(const struct copy *copy)
{
    const size_t written = memory_is_on_device(copy->to) ? copy->bytes : 0;
    written_bytes += written;
    global_bytes += written + (copy->from && memory_is_on_device(copy->from) ? copy->bytes : 0);
}

static uint64_t global_value(void)
{
    return global_bytes;
}

static uint64_t written_value(void)
{
    return written_bytes;
}

static uint64_t shared_value(void)
{
    return most_shared;
}

const struct observer global_bytes_observer = {.name = "bytes",
                                               .meter = "global bytes",
                                               .value = global_value,
                                               .detailed = true,
                                               .begin_run = begin_run,
                                               .begin_block = begin_block,
                                               .end_block = end_block,
                                               .end_launch = end_launch,
                                               .access = look,
                                               .copy = copy};
const struct observer written_bytes_observer = {
    .name = "written bytes", .meter = "written bytes", .value = written_value, .detailed = true};
const struct observer shared_bytes_observer = {
    .name = "shared bytes", .meter = "shared bytes", .value = shared_value, .detailed = true};
