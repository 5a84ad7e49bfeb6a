#include "core/hold.h"
#include "core/schedule_order.h"
#include "core/thread.h"

#include <stdlib.h>
#include <string.h>

enum {
    FIRST_SLOTS = 1024 /* a power of two */,
    MOST_BYTES = 16 /* of a read-modify-write */
};

/* Who changed a byte, by a volatile or atomic access. Tickets are drawn from a word that several blocks change: it passes
 * on no result. */
struct changed {
    uintptr_t address; /* 0: the slot is free */
    uint64_t block;
    bool by_several;
};

bool hold_watches;
static struct changed *bytes_changed; /* a hash table, at most half full */
static size_t slots, used;
static unsigned early; /* blocks, by the order in which they start, that may be held */
static uint64_t reads[MAX_RESIDENT_BLOCKS], wanted;
static const struct block *chosen; /* the one to hold up; null: not yet */
static const struct thread *due;   /* waits at its next access; null: none does */

/* The last read-modify-write. Only after it has happened can one see whether it changed anything: if not, it was a read. */
static struct {
    char *address; /* null: there is none */
    size_t bytes;
    char before[MOST_BYTES];
    const struct thread *thread;
} update;

void hold_begin_launch(unsigned resident)
{
    const struct simt_schedule schedule = simt_get_schedule();
    hold_watches = schedule.order == SIMT_LOCKSTEP && resident > 1;
    if (!hold_watches)
        return;
    early = (resident + 1) / 2;
    wanted = schedule.seed;
    chosen = NULL;
    due = NULL;
    update.address = NULL;
    memset(reads, 0, sizeof reads);
    if (used > 0)
        memset(bytes_changed, 0, slots * sizeof *bytes_changed);
    used = 0;
}

static struct changed *find(uintptr_t address)
{
    size_t at = (address * 0x9e3779b97f4a7c15u >> 32) & (slots - 1);
    while (bytes_changed[at].address && bytes_changed[at].address != address)
        at = (at + 1) & (slots - 1);
    return &bytes_changed[at];
}

static void grow(void)
{
    struct changed *old = bytes_changed;
    const size_t before = slots;
    slots = slots ? 2 * slots : FIRST_SLOTS;
    bytes_changed = calloc(slots, sizeof *bytes_changed);
    if (!bytes_changed)
        abort(); /* a verdict must not depend on memory */
    for (size_t i = 0; i < before; i++)
        if (old[i].address)
            *find(old[i].address) = old[i];
    free(old);
}

static void note_change(const char *address, size_t bytes, const struct block *block)
{
    const uintptr_t begin = (uintptr_t)address, end = begin + bytes;
    for (uintptr_t at = begin; at < end; at++) {
        if (2 * used >= slots)
            grow();
        struct changed *byte = find(at);
        const bool others = byte->address && (byte->by_several || byte->block != block->number);
        used += !byte->address;
        *byte = (struct changed){at, block->number, others};
    }
}

static bool is_published(const char *address, size_t bytes, const struct block *block)
{
    const uintptr_t begin = (uintptr_t)address, end = begin + bytes;
    bool published = false;
    for (uintptr_t at = begin; at < end && bytes_changed; at++) {
        const struct changed *byte = find(at);
        published = published || (byte->address && byte->block != block->number && !byte->by_several);
    }
    return published;
}

bool hold_is_published(const struct access *access, const struct block *block)
{
    return is_published(access->address, access->bytes, block);
}

/* Whether the read is one to wait at. */
static bool note_read(const char *address, size_t bytes, const struct block *block)
{
    const bool published = is_published(address, bytes, block);
    if (published && !chosen && block->number < early && ++reads[block->number] == wanted)
        chosen = block;
    return published && block == chosen;
}

static void end_update(void)
{
    if (!update.address)
        return;
    const struct block *block = update.thread->block;
    const struct region *region = memory_find(update.address);
    const bool is_freed = region && region->freed; /* by the kernel */
    if (!is_freed && memcmp(update.address, update.before, update.bytes) != 0)
        note_change(update.address, update.bytes, block);
    else if (!is_freed && note_read(update.address, update.bytes, block))
        due = update.thread;
    update.address = NULL;
}

bool hold_look(const struct access *access)
{
    end_update();
    if (due == current_thread) {
        due = NULL;
        return true;
    }
    if ((access->kind & ACCESS_CHAINED) && access->bytes <= MOST_BYTES) {
        update.address = access->address;
        update.bytes = access->bytes;
        update.thread = current_thread;
        memcpy(update.before, access->address, access->bytes);
    } else if (access->kind & ACCESS_WRITE) {
        note_change(access->address, access->bytes, current_block);
    } else {
        return note_read(access->address, access->bytes, current_block);
    }
    return false;
}
