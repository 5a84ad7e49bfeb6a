#include "core/shared.h"
#include "core/memory.h"
#include "core/module.h"

#include <stdlib.h>
#include <string.h>

/* A little more than a block can have, so that an index just past the end hits nothing else. */
static char dynamic_area[SHARED_OPT_IN + 4096] __attribute__((aligned(1024)));

enum { ALIGNMENT = 64 /* bytes: of the first offset of dynamic memory */ };

struct shared_layout shared_layout;
static struct range static_part, dynamic_part; /* of the running launch */
static struct block *loaded;

/* The thread-local block holds the program's own thread-local variables, too: after the launch they are as before. */
static char *saved_thread_locals;
static size_t saved_room;

static void save_thread_locals(void)
{
    if (static_part.bytes > saved_room) {
        saved_room = static_part.bytes;
        saved_thread_locals = realloc(saved_thread_locals, saved_room);
        if (!saved_thread_locals)
            abort();
    }
    if (static_part.bytes > 0)
        memcpy(saved_thread_locals, static_part.begin, static_part.bytes);
}

void shared_begin_launch(const struct launch *launch)
{
    static_part = (struct range){launch->static_base, launch->static_bytes};
    dynamic_part = (struct range){dynamic_area, launch->dynamic_bytes};
    loaded = NULL;
    save_thread_locals();
    const uintptr_t begin = (uintptr_t)launch->static_base, origin = begin / ALIGNMENT * ALIGNMENT;
    const size_t statics = (begin - origin + launch->static_bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    shared_layout = (struct shared_layout){.static_begin = begin,
                                           .static_bytes = launch->static_bytes,
                                           .static_origin = origin,
                                           .dynamic_begin = (uintptr_t)dynamic_area,
                                           .dynamic_bytes = launch->dynamic_bytes,
                                           .dynamic_origin = (uintptr_t)dynamic_area - statics,
                                           .bytes = statics + launch->dynamic_bytes};
}

void shared_end_launch(void)
{
    if (static_part.bytes > 0)
        memcpy(static_part.begin, saved_thread_locals, static_part.bytes);
    static_part.bytes = dynamic_part.bytes = 0;
    loaded = NULL;
}

static void save(struct block *block)
{
    if (!block->static_image) {
        block->static_image = malloc(static_part.bytes + 1);
        block->dynamic_image = malloc(dynamic_part.bytes + 1);
        if (!block->static_image || !block->dynamic_image)
            abort();
    }
    memcpy(block->static_image, static_part.begin, static_part.bytes);
    memcpy(block->dynamic_image, dynamic_part.begin, dynamic_part.bytes);
}

void shared_begin_block(struct block *block)
{
    const size_t words = (shared_layout.bytes + 63) / 64; /* of a bit a byte */
    if (!block->written)
        block->written = malloc((words + 1) * sizeof *block->written);
    if (!block->written)
        abort();
    memset(block->written, 0, words * sizeof *block->written);
    if (loaded && loaded != block && loaded->active)
        save(loaded);
    loaded = block;
    memset(static_part.begin, MEMORY_JUNK, static_part.bytes);
    memset(dynamic_part.begin, MEMORY_JUNK, dynamic_part.bytes);
}

void shared_load(struct block *block)
{
    if (loaded == block)
        return;
    if (loaded && loaded->active)
        save(loaded);
    loaded = block;
    memcpy(static_part.begin, block->static_image, static_part.bytes);
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
