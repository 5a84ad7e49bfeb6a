#include "core/late.h"
#include "core/judge.h"
#include "core/memory.h"

#include <string.h>

enum {
    SITES = 256,      /* code addresses whose lines are remembered; a power of two */
    MOST_STORES = 64, /* that are late at the same time; after that the oldest becomes visible */
    MOST_BYTES = 16   /* of a store; longer ones are not late */
};

bool late_watches;
static struct simt_late late;

/* Late stores, in the order of the run: other blocks still see the old value. A hook is called before its
 * store, so the value of the last one is known only at the next access: until then it is fresh. */
static struct store {
    char *address;
    size_t bytes;
    uint64_t block;
    char value[MOST_BYTES]; /* of a fresh store: the one before it */
} stores[MOST_STORES];
static size_t used;
static bool fresh;

void simt_set_late(const struct simt_late *wanted)
{
    late = *wanted;
    used = 0;
    fresh = false;
    if (late_watches != (late.line > 0)) {
        late_watches = late.line > 0;
        observers_activate();
    }
}

static bool same(const uint32_t wanted[3], struct index3 is)
{
    return wanted[0] == is.x && wanted[1] == is.y && wanted[2] == is.z;
}

/* Is this one of the late accesses? */
static bool is_late(const struct access *access)
{
    static struct known {
        const void *site;
        bool on_line;
    } all[SITES];
    struct known *known = &all[((uintptr_t)access->site >> 1) & (SITES - 1)];
    static int line;
    if ((late.one_thread && !same(late.thread, current_thread->index)) ||
        (late.one_block && !same(late.block, current_block->index)) || access->space == MEMORY_LOCAL)
        return false;
    if (line != late.line)
        memset(all, 0, sizeof all);
    line = late.line;
    if (known->site != access->site)
        *known = (struct known){access->site, judge->line_of(access->site) == late.line};
    return known->on_line;
}

/* ---- stores ---------------------------------------------------------------------------------------------------- */

static bool exists(const struct store *store)
{
    const struct region *region = memory_find(store->address);
    return region && !region->freed;
}

/* Takes back a store that has happened. */
static void hide(void)
{
    struct store *store = &stores[used - 1];
    char after[MOST_BYTES];
    if (!fresh)
        return;
    fresh = false;
    if (!exists(store))
        return;
    memcpy(after, store->address, store->bytes);
    memcpy(store->address, store->value, store->bytes);
    memcpy(store->value, after, store->bytes);
}

/* Makes the first `count` stores visible. */
static void show(size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (exists(&stores[i]) && !(fresh && i + 1 == used))
            memcpy(stores[i].address, stores[i].value, stores[i].bytes);
    used -= count;
    memmove(stores, stores + count, used * sizeof *stores);
    fresh = fresh && used > 0;
}

/* A block always sees its own stores. */
static void show_to_own_block(const struct access *access)
{
    for (size_t i = used; i > 0; i--)
        if (stores[i - 1].block == current_block->number &&
            access->address < stores[i - 1].address + stores[i - 1].bytes &&
            stores[i - 1].address < access->address + access->bytes) {
            show(i);
            return;
        }
}

/* ---- events ---------------------------------------------------------------------------------------------------- */

bool late_look(const struct access *access)
{
    hide();
    show_to_own_block(access);
    return !late.stores && is_late(access);
}

void late_note(const struct access *access)
{
    if (!late.stores || (access->kind & (ACCESS_WRITE | ACCESS_ATOMIC)) != ACCESS_WRITE || !access->region ||
        access->bytes > MOST_BYTES || !is_late(access))
        return;
    if (used == MOST_STORES)
        show(1);
    stores[used] = (struct store){access->address, access->bytes, current_block->number, {0}};
    memcpy(stores[used++].value, access->address, access->bytes);
    fresh = true;
}

void late_fence(void)
{
    size_t last = used;
    while (last > 0 && stores[last - 1].block != current_block->number)
        last--;
    show(last);
}

bool late_arrive(void)
{
    const bool any = used > 0;
    hide();
    show(used);
    return any;
}
