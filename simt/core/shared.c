#include "core/shared.h"
#include "core/budget.h"
#include "core/memory.h"
#include "core/module.h"

#include <stdlib.h>
#include <string.h>

/* A little more than a block can have, so that an index just past the end reaches nothing else. */
static char dynamic_area[SHARED_OPT_IN + 4096] __attribute__((aligned(1024)));

enum {
    ALIGNMENT = 64,          /* bytes: alignment of the first offset of dynamic memory */
    WORD_COVERS = 64,        /* bytes for each word of block->written: one bit per byte */
    OPENED = 4 * WORD_COVERS /* bytes: the unit in which static memory is opened */
};

struct shared_layout shared_layout;
static struct range static_part, dynamic_part; /* of the launch that runs */
static struct block *loaded;

/* The thread-local block also contains the program's own thread-local variables, so its old contents are restored
 * after the launch. */
static char *saved_thread_locals;
static size_t saved_room;

unsigned char shared_junk = MEMORY_JUNK;

void shared_begin_launch(const struct launch *launch)
{
    static_part = (struct range){launch->static_base, launch->static_bytes};
    dynamic_part = (struct range){dynamic_area, launch->dynamic_bytes};
    loaded = NULL;
    if (static_part.bytes > saved_room) {
        saved_room = static_part.bytes;
        saved_thread_locals = realloc(saved_thread_locals, saved_room);
        if (!saved_thread_locals)
            abort();
    }
    const uintptr_t begin = (uintptr_t)launch->static_base, origin = begin / ALIGNMENT * ALIGNMENT;
    const size_t statics = (begin - origin + launch->static_bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    shared_layout = (struct shared_layout){.static_begin = begin,
                                           .static_bytes = launch->static_bytes,
                                           .static_origin = origin,
                                           .open_begin = begin,
                                           .dynamic_begin = (uintptr_t)dynamic_area,
                                           .dynamic_bytes = launch->dynamic_bytes,
                                           .dynamic_origin = (uintptr_t)dynamic_area - statics,
                                           .bytes = statics + launch->dynamic_bytes};
}

void shared_end_launch(void)
{
    const struct shared_layout *layout = &shared_layout;
    if (layout->open_bytes > 0)
        memcpy((char *)layout->open_begin, saved_thread_locals + (layout->open_begin - layout->static_begin),
               layout->open_bytes);
    static_part.bytes = dynamic_part.bytes = 0;
    loaded = NULL;
}

/* ---- the open range of the static part --------------------------------------------------------------------- */

static void open_range(uintptr_t begin, uintptr_t end)
{
    if (begin >= end)
        return;
    memcpy(saved_thread_locals + (begin - shared_layout.static_begin), (char *)begin, end - begin);
    memset((char *)begin, shared_junk, end - begin);
}

bool shared_open(uintptr_t address, size_t bytes)
{
    struct shared_layout *layout = &shared_layout;
    const uintptr_t all_begin = layout->static_begin, all_end = all_begin + layout->static_bytes;
    if (address < all_begin || address > all_end || bytes > all_end - address)
        return false;
    uintptr_t begin = address / OPENED * OPENED, end = (address + bytes + OPENED - 1) / OPENED * OPENED;
    begin = begin < all_begin ? all_begin : begin;
    end = end > all_end ? all_end : end;
    if (layout->open_bytes == 0)
        layout->open_begin = begin;
    const uintptr_t open_end = layout->open_begin + layout->open_bytes;
    open_range(begin, layout->open_begin);
    open_range(open_end, end);
    layout->open_begin = begin < layout->open_begin ? begin : layout->open_begin;
    layout->open_bytes = (end > open_end ? end : open_end) - layout->open_begin;
    return true;
}

/* ---- blocks ------------------------------------------------------------------------------------------------ */

static void save(struct block *block)
{
    const struct shared_layout *layout = &shared_layout;
    if (!block->static_image) {
        block->static_image = malloc(static_part.bytes + 1);
        block->dynamic_image = malloc(dynamic_part.bytes + 1);
        if (!block->static_image || !block->dynamic_image)
            abort();
    }
    block->image_begin = layout->open_begin;
    block->image_bytes = layout->open_bytes;
    memcpy(block->static_image, (char *)layout->open_begin, layout->open_bytes);
    memcpy(block->dynamic_image, dynamic_part.begin, dynamic_part.bytes);
}

static void fill_with_junk(void)
{
    memset((char *)shared_layout.open_begin, shared_junk, shared_layout.open_bytes);
}

/* Clears the bits of the range that has been opened and of dynamic memory. All others are still 0. */
static void forget_written(struct block *block)
{
    const struct shared_layout *layout = &shared_layout;
    const size_t words = (layout->bytes + WORD_COVERS - 1) / WORD_COVERS;
    if (!block->written) {
        block->written = calloc(words + 1, sizeof *block->written);
        if (!block->written)
            abort();
        return;
    }
    const size_t dynamic = (layout->bytes - layout->dynamic_bytes) / WORD_COVERS,
                 first = (layout->open_begin - layout->static_origin) / WORD_COVERS,
                 end = (layout->open_begin + layout->open_bytes - layout->static_origin + WORD_COVERS - 1) /
                       WORD_COVERS;
    memset(block->written + first, 0, (end - first) * sizeof *block->written);
    memset(block->written + dynamic, 0, (words - dynamic) * sizeof *block->written);
}

void shared_begin_block(struct block *block)
{
    forget_written(block);
    if (loaded && loaded != block && loaded->active)
        save(loaded);
    loaded = block;
    fill_with_junk();
    memset(dynamic_part.begin, shared_junk, dynamic_part.bytes);
    budget_spend_copied(static_part.bytes + dynamic_part.bytes);
}

void shared_load(struct block *block)
{
    if (loaded == block)
        return;
    if (loaded && loaded->active)
        save(loaded);
    loaded = block;
    fill_with_junk(); /* what other blocks have opened since then is junk for this block */
    memcpy((char *)block->image_begin, block->static_image, block->image_bytes);
    memcpy(dynamic_part.begin, block->dynamic_image, dynamic_part.bytes);
}

void shared_drop_images(struct block *block)
{
    free(block->static_image);
    free(block->dynamic_image);
    free(block->written);
    block->written = NULL;
    block->static_image = block->dynamic_image = NULL;
}

bool shared_holds(const void *address)
{
    return range_holds(static_part, address) || range_holds(dynamic_part, address);
}

char *shared_dynamic_base(void)
{
    return dynamic_area;
}

long shared_dynamic_distance(const void *address)
{
    struct range area = {dynamic_area, sizeof dynamic_area};
    return range_holds(area, address) ? (long)((const char *)address - dynamic_area) : -1;
}
