/* The device heap. Address space is reserved once and handed out from front to back, never twice, so that a stale
 * pointer always finds the allocation that it came from. Each allocation ends with a page of its own that guards
 * its end. A table with one entry for each page maps an address to its region. Translated code is checked against
 * the regions. The protection of the pages catches other accesses, though only after a delay, because it is changed
 * for many pages at once. */
#define _GNU_SOURCE
#include "core/memory.h"
#include "core/budget.h"
#include "core/guard.h"
#include "core/module.h"
#include "core/observer.h"
#include "core/registered.h"
#include "core/shared.h"
#include "core/stacks.h"
#include "core/thread.h"
#include "simt.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Bytes of address space; most pages are never backed. If the system cannot reserve so many, the device tries less. */
static const size_t MOST_ARENA = (size_t)1 << 42, LEAST_ARENA = (size_t)1 << 35; /* bytes */
enum { AT_ONCE = 256 }; /* number of pages that are opened ahead or closed together */
static const size_t DEFAULT_MEMORY = (size_t)8 << 30; /* bytes that may be in use at once */

struct range memory_arena;

struct region **memory_page_region; /* [arena_pages]; backed only where it is used */
static size_t arena_pages, total;
/* Host code and kernels allocate from separate halves of the arena. Otherwise host code could learn from its own
 * addresses, or from the memory that is left, what kernels have allocated. */
static struct zone {
    size_t next; /* page number; page 0 stays closed as a guard */
    size_t open; /* pages below this number are accessible */
    size_t end;
    size_t in_use; /* bytes */
} of_host = {.next = 1, .open = 1}, of_kernels;
static uint64_t serial;
static struct region *newest;

/* Reserves addresses that may not be accessed yet, starting at a multiple of MEMORY_PAGE. Null on failure. */
static char *reserve(size_t bytes, int flags)
{
    char *begin = mmap(NULL, bytes + MEMORY_PAGE, PROT_NONE, flags | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return begin == MAP_FAILED ? NULL : begin + (MEMORY_PAGE - (uintptr_t)begin % MEMORY_PAGE) % MEMORY_PAGE;
}

static bool arena_reserve(void)
{
    if (memory_arena.begin)
        return true;
    const char *wish = getenv("SIMT_MEMORY");
    total = wish ? strtoull(wish, NULL, 0) : 0;
    if (total == 0)
        total = DEFAULT_MEMORY;
    size_t bytes = MOST_ARENA;
    char *arena = reserve(bytes, MAP_PRIVATE);
    while (!arena && bytes > LEAST_ARENA)
        arena = reserve(bytes /= 2, MAP_PRIVATE);
    void *table = mmap(NULL, bytes / MEMORY_PAGE * sizeof *memory_page_region, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (!arena || table == MAP_FAILED) {
        fprintf(stderr, "simt: cannot reserve address space for device memory; is there a limit on virtual "
                        "memory (ulimit -v)?\n");
        return false;
    }
    memory_page_region = table;
    arena_pages = bytes / MEMORY_PAGE;
    of_host.end = of_kernels.next = of_kernels.open = arena_pages / 2;
    of_kernels.end = arena_pages;
    __atomic_store_n(&memory_arena.begin, arena, __ATOMIC_RELAXED); /* see memory_may_be_known */
    __atomic_store_n(&memory_arena.bytes, bytes, __ATOMIC_RELAXED);
    return true;
}

static char *page_at(size_t page)
{
    return memory_arena.begin + page * MEMORY_PAGE;
}

static bool open_pages(struct zone *zone, size_t end)
{
    if (end <= zone->open)
        return true;
    end = end + AT_ONCE < zone->end ? end + AT_ONCE : zone->end;
    if (mprotect(page_at(zone->open), (end - zone->open) * MEMORY_PAGE, PROT_READ | PROT_WRITE) != 0)
        return false;
    zone->open = end;
    return true;
}

static struct zone *zone_of(const struct region *region)
{
    return range_holds(memory_arena, region->begin) && region->begin >= page_at(arena_pages / 2) ? &of_kernels
                                                                                                 : &of_host;
}

static int by_address(const void *left, const void *right)
{
    const struct region *const *a = left, *const *b = right;
    return (*a)->begin < (*b)->begin ? -1 : 1;
}

/* Closes pages with a new mapping over the old one, which returns the memory and makes any access fault. */
static void close_pages(struct region *region)
{
    static struct region *freed[AT_ONCE];
    static size_t used, pages;
    freed[used++] = region;
    pages += region->pages;
    if (pages < AT_ONCE)
        return;
    qsort(freed, used, sizeof *freed, by_address);
    for (size_t i = 0, next; i < used; i = next) {
        size_t run = freed[i]->pages;
        for (next = i + 1; next < used && freed[next]->begin == freed[i]->begin + run * MEMORY_PAGE; next++)
            run += freed[next]->pages;
        mmap(freed[i]->begin, run * MEMORY_PAGE, PROT_NONE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    }
    used = pages = 0;
}

/* ---- sparse memory ----------------------------------------------------------------------------------------- */

enum { SLOTS = 4096 };
static const size_t SPARSE_BYTES = (size_t)1 << 26; /* allocations from this size on are sparse */

struct range memory_sparse;
struct region *memory_slot_region[SLOTS];
static size_t next_slot;
static bool sparse; /* a sampled run */

/* Long allocations have an address range of their own, because the table of pages would become large for them. The
 * mapping is shared, though with no other process, so that untouched pages do not count as the process's data. */
bool simt_sample_reserve(void)
{
    if (memory_sparse.begin)
        return true;
    char *begin = reserve(SLOTS * MEMORY_SLOT, MAP_SHARED);
    if (begin)
        memory_sparse = (struct range){begin, SLOTS * MEMORY_SLOT};
    return begin;
}

/* Returns the memory of the pages and makes any access fault. */
static void close_sparse(char *begin, size_t bytes)
{
    madvise(begin, bytes, MADV_REMOVE);
    mprotect(begin, bytes, PROT_NONE);
}

void memory_begin_sparse(bool on)
{
    sparse = on && simt_sample_reserve();
    if (!on && next_slot > 0) {
        close_sparse(memory_sparse.begin, next_slot * MEMORY_SLOT);
        memset(memory_slot_region, 0, next_slot * sizeof *memory_slot_region);
        next_slot = 0;
    }
}

/* Allocates a sparse region. No two are a multiple of 2^32 bytes apart, so an index that overflows cannot lead to
 * the same offset of another region. */
static struct region *allocate_sparse(size_t bytes, enum memory_space space, const void *site)
{
    const size_t slots = bytes / MEMORY_SLOT + 2, skew = (next_slot * 37 % 1000 + 1) * MEMORY_PAGE;
    if (slots > memory_sparse.bytes / MEMORY_SLOT - next_slot)
        return NULL;
    char *begin = memory_sparse.begin + next_slot * MEMORY_SLOT + skew;
    const size_t length = (bytes + MEMORY_PAGE - 1) / MEMORY_PAGE * MEMORY_PAGE;
    struct region *region = calloc(1, sizeof *region);
    if (!region || mprotect(begin, length, PROT_READ | PROT_WRITE) != 0) {
        free(region);
        return NULL;
    }
    madvise(begin, length, MADV_NOHUGEPAGE); /* an access is meant to cost one small page */
    *region = (struct region){.begin = begin,
                              .bytes = bytes,
                              .pages = length / MEMORY_PAGE,
                              .space = space,
                              .array = begin,
                              .array_bytes = bytes,
                              .serial = ++serial,
                              .alloc_site = site,
                              .previous = newest};
    newest = region;
    for (size_t i = 0; i < slots; i++)
        memory_slot_region[next_slot + i] = region;
    next_slot += slots;
    of_host.in_use += bytes;
    return region;
}

/* ---- junk ---------------------------------------------------------------------------------------------------- */

enum {
    JUNK_BYTES = 1 << 21, /* size of the file */
    POPULATED = 3         /* the pages of allocations of at least this many are populated in one call */
};
static const size_t FILLED_AT_ONCE = (size_t)1 << 28; /* bytes; larger allocations are filled on demand */
static bool fills_on_demand;

void simt_fill_on_demand(void)
{
    fills_on_demand = true;
}

/* Opens a file that is full of junk. Returns a negative number on failure. */
static int open_junk(void)
{
    static char junk[JUNK_BYTES / 16];
    static int file = -1;
    if (file >= 0)
        return file;
    file = memfd_create("junk", MFD_CLOEXEC);
    memset(junk, MEMORY_JUNK, sizeof junk);
    for (size_t at = 0; file >= 0 && at < JUNK_BYTES; at += sizeof junk) {
        if (pwrite(file, junk, sizeof junk, (off_t)at) != (ssize_t)sizeof junk) {
            close(file);
            file = -1;
        }
    }
    return file;
}

/* Fills memory by private mappings of the file where possible: they take memory only for pages that are written. */
static void fill_with_junk(char *begin, size_t bytes)
{
    const int file = fills_on_demand && bytes >= FILLED_AT_ONCE ? open_junk() : -1;
    size_t mapped = 0;
    while (file >= 0 && bytes - mapped >= JUNK_BYTES &&
           mmap(begin + mapped, JUNK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_NORESERVE | MAP_FIXED,
                file, 0) != MAP_FAILED)
        mapped += JUNK_BYTES;
#ifdef MADV_POPULATE_WRITE
    if (bytes - mapped >= (size_t)POPULATED * MEMORY_PAGE) /* else each page costs a page fault */
        madvise(begin + mapped, bytes - mapped, MADV_POPULATE_WRITE);
#endif
    memset(begin + mapped, MEMORY_JUNK, bytes - mapped);
}

struct region *memory_allocate(size_t bytes, enum memory_space space, const void *site)
{
    if (sparse && bytes >= SPARSE_BYTES && (ptrdiff_t)bytes > 0)
        return allocate_sparse(bytes, space, site);
    struct zone *zone = current_thread ? &of_kernels : &of_host;
    if (!arena_reserve() || bytes == 0 || (!sparse && bytes > total - zone->in_use) || (ptrdiff_t)bytes < 0)
        return NULL;
    size_t pages = (bytes + MEMORY_PAGE - 1) / MEMORY_PAGE + 1;
    if (pages > zone->end - zone->next || !open_pages(zone, zone->next + pages))
        return NULL;
    struct region *region = calloc(1, sizeof *region);
    if (!region)
        return NULL;
    char *begin = page_at(zone->next);
    if (!sparse) /* sparse memory is zero because its pages are fresh */
        fill_with_junk(begin, bytes);
    if (!sparse) /* a short array takes a page, too */
        budget_spend_for(BUDGET_ALLOCATES, bytes, (uint64_t)pages * MEMORY_PAGE);
    /* Writes by the host to memory that both sides share are not all recorded, so only global memory has this map. */
    uint64_t *written = space == MEMORY_GLOBAL && !sparse ? calloc((bytes + 63) / 64, sizeof *written) : NULL;
    *region = (struct region){.begin = begin,
                              .bytes = bytes,
                              .pages = pages,
                              .space = space,
                              .array = begin,
                              .array_bytes = bytes,
                              .serial = ++serial,
                              .alloc_site = site,
                              .previous = newest,
                              .written = written};
    newest = region;
    for (size_t i = 0; i < pages; i++)
        memory_page_region[zone->next + i] = region;
    zone->next += pages;
    zone->in_use += bytes;
    return region;
}

bool memory_free(void *pointer, const void *site)
{
    struct region *region = memory_find(pointer);
    if (!region || region->begin != pointer || region->freed)
        return false;
    region->freed = true;
    region->free_site = site;
    zone_of(region)->in_use -= region->bytes;
    free(region->written);
    region->written = NULL;
    if (range_holds(memory_sparse, region->begin))
        close_sparse(region->begin, region->pages * MEMORY_PAGE);
    else
        close_pages(region);
    return true;
}

const struct region *memory_newest(void)
{
    return newest;
}

size_t memory_in_use(void)
{
    return of_host.in_use;
}

size_t memory_total(void)
{
    return arena_reserve() ? total : 0;
}

struct region *memory_nearest(const void *address)
{
    struct region *region = memory_find(address);
    const char *at = address;
    if (!region || at < region->begin + region->bytes)
        return region;
    const char *end = region->begin + region->pages * MEMORY_PAGE;
    struct region *next = memory_find(end);
    return next && !next->freed && end - at < at - (region->begin + region->bytes) ? next : region;
}

enum memory_space memory_classify(const void *address, struct region **region)
{
    *region = memory_find(address);
    if (*region)
        return (*region)->space;
    if (shared_holds(address))
        return MEMORY_SHARED;
    if (stacks_hold(address))
        return MEMORY_LOCAL;
    for (size_t i = 0; i < module_count(); i++) {
        const struct module *module = module_at(i);
        if (range_holds(module->device, address))
            return MEMORY_VARIABLE;
        if (range_holds(module->constant, address))
            return MEMORY_CONSTANT;
        if (range_holds(module->managed, address))
            return MEMORY_MANAGED;
        if (range_holds(module->shared, address))
            return MEMORY_SHARED;
    }
    return MEMORY_HOST;
}

/* The number of bytes from the address to the end of the region or the section of variables that contains it. */
static size_t bytes_from(const void *address, enum memory_space space, const struct region *region)
{
    if (region) {
        const char *end = region->begin + region->bytes;
        return region->freed || (const char *)address >= end ? 0 : (size_t)(end - (const char *)address);
    }
    const struct module *module = module_of_data(address);
    if (!module)
        return 0;
    struct range range = space == MEMORY_VARIABLE   ? module->device
                         : space == MEMORY_CONSTANT ? module->constant
                                                    : module->managed;
    return (size_t)(range.begin + range.bytes - (const char *)address);
}

bool memory_may_be_known(const void *address)
{
    const struct range arena = {__atomic_load_n(&memory_arena.begin, __ATOMIC_RELAXED),
                                __atomic_load_n(&memory_arena.bytes, __ATOMIC_RELAXED)};
    bool may = range_holds(arena, address) || range_holds(memory_sparse, address) ||
               registered_may_hold(address) || guard_is_on();
    for (size_t i = 0; i < module_count() && !may; i++)
        may = module_holds_variable(module_at(i), address);
    return may;
}

bool memory_range_is_device(const void *address, size_t bytes)
{
    struct region *region;
    enum memory_space space = memory_classify(address, &region);
    switch (space) {
    case MEMORY_GLOBAL:
    case MEMORY_MANAGED:
    case MEMORY_PINNED:
    case MEMORY_VARIABLE:
    case MEMORY_CONSTANT:
        return bytes <= bytes_from(address, space, region);
    default:
        return false;
    }
}

bool memory_is_on_device(const void *address)
{
    struct region *region;
    const enum memory_space space = memory_classify(address, &region);
    return space == MEMORY_GLOBAL || space == MEMORY_MANAGED || space == MEMORY_VARIABLE;
}

/* The allocation that begins at this address and is not freed; null when there is none. */
static struct region *live_allocation(const void *pointer)
{
    struct region *region = memory_find(pointer);
    return region && !region->freed && region->begin == pointer ? region : NULL;
}

bool simt_name_allocation(const void *pointer, size_t offset, const char *name, size_t element_size)
{
    struct region *region = live_allocation(pointer);
    if (!region || offset > region->bytes)
        return false;
    region->array = region->begin + offset;
    region->array_bytes = region->bytes - offset;
    region->name = name;
    region->element_size = element_size;
    return true;
}

bool simt_mark_output(const void *pointer)
{
    struct region *region = live_allocation(pointer);
    if (!region)
        return false;
    region->is_output = true;
    return true;
}

/* The byte that a harness fills output arrays with. */
static unsigned char filling = MEMORY_JUNK;

bool memory_is_junk(unsigned char byte)
{
    return byte == MEMORY_JUNK || byte == filling;
}

bool simt_fill_allocation(void *pointer, unsigned char byte)
{
    struct region *region = live_allocation(pointer);
    if (!region)
        return false;
    memset(region->begin, byte, region->bytes);
    filling = byte;
    return true;
}

bool simt_renew_allocation(void *pointer)
{
    struct region *region = live_allocation(pointer);
    if (!region)
        return false;
    observe_release(region);
    region->is_input = region->is_output = false;
    region->name = NULL;
    region->element_size = 0;
    region->array = region->begin;
    region->array_bytes = region->bytes;
    memset(region->begin, MEMORY_JUNK, region->bytes);
    if (region->written)
        memset(region->written, 0, (region->bytes + 63) / 64 * sizeof *region->written);
    return true;
}

bool simt_mark_input(const void *pointer)
{
    struct region *region = live_allocation(pointer);
    if (!region)
        return false;
    region->is_input = true;
    return true;
}

uint64_t simt_heap_mark(void)
{
    return serial;
}

size_t simt_heap_release(uint64_t mark)
{
    size_t released = 0;
    for (struct region *region = newest; region && region->serial > mark; region = region->previous) {
        if (!region->freed) {
            observe_release(region);
            memory_free(region->begin, NULL);
            region->outlived = mark > 0;
            released++;
        }
    }
    return released;
}
