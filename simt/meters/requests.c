/* Combines the accesses of a warp's lanes into requests and counts these: see requests.h. The meters:
 *
 *     shared wavefronts    wavefronts in which shared memory serves the requests
 *     excess wavefronts    the part of them that bank conflicts cause
 *     global requests      warp instructions that access global memory
 *     global sectors       sectors of 32 bytes that they move
 *     uncached sectors     the part of them that would miss in an unlimited cache of the block
 *     copied sectors       the same as global sectors, for cudaMemcpy and cudaMemset within device memory
 *     idle lanes           lanes that take no part, summed over all memory instructions and combines
 *
 * Each lane keeps a list of its accesses at each code address. When a step ends, the first
 * accesses in the lists of all lanes are combined, then the second ones, and so on. */
#include "meters/requests.h"
#include "core/observer.h"
#include "meters/lines.h"

#include <stdlib.h>
#include <string.h>

enum {
    WARPS = MAX_THREADS_PER_BLOCK / WARP_SIZE,
    FIRST_ENTRIES = 8,   /* initial capacity of a list */
    MOST_KEPT = 1 << 24, /* accesses in all lists; when there are more, all are counted at once */
    SECTOR = 32,
    WORD = 4
};

/* An access is packed into 64 bits, from the lowest: address, enum entry_kind, bytes, and whether it is done word
 * by word. */
enum { ADDRESS_BITS = 48, KIND_BITS = 2, BYTES_BITS = 13, MOST_BYTES = 1 << 12 };
enum entry_kind { IN_SHARED, IN_GLOBAL, COMBINE };
#define ADDRESS_MASK (((uint64_t)1 << ADDRESS_BITS) - 1)

/* A lane's accesses at one code address, oldest first. */
struct list {
    uint64_t *entry;
    uint32_t count, capacity;
};

/* The accesses of a warp's lanes at one code address since the last step. */
struct site {
    struct list lane[WARP_SIZE];
    bool used;
    unsigned kind;                            /* flags of enum access_kind */
    uint64_t first[WARP_SIZE][FIRST_ENTRIES]; /* first storage of the lists */
};

struct warp_log {
    struct site **site; /* by the site's number; null until the warp gets there */
    unsigned sites;
    unsigned *used; /* numbers of the sites of this step, in order; room for `sites` */
    unsigned used_count;
};

struct block_log {
    const struct block *block; /* null: the log is free for another block */
    struct warp_log warp[WARPS];
    struct cache cache;
};

static struct block_log **logs; /* one for each block that is or was resident */
static size_t logs_used;
static struct block_log *current;   /* the one used last, or null */
static size_t kept;                 /* entries in all lists */
static struct counted_request seen; /* the request being counted, for a recorder */

void (*request_counted)(const struct counted_request *request);

static struct {
    uint64_t wavefronts, excess, requests, sectors, uncached, copied, idle;
} total;

/* ---- counting -------------------------------------------------------------------------------------------- */

static void count_request(struct block_log *log, struct simt_line *line, unsigned access_kind,
                          enum entry_kind kind, const struct request *request)
{
    const unsigned idle = WARP_SIZE - (unsigned)__builtin_popcount(request->lanes);
    unsigned needed = 0, least = 0;
    line->instructions++;
    line->idle_lanes += idle;
    total.idle += idle;
    if (kind == COMBINE) {
        line->combines += WARP_SIZE - idle;
    } else if (kind == IN_GLOBAL) {
        struct sectors sectors = sectors_count(request, access_kind, &log->cache);
        line->global_requests++;
        line->global_sectors += sectors.moved;
        line->excess_sectors += sectors.moved - sectors.least;
        total.requests++;
        needed = sectors.moved, least = sectors.least;
        total.sectors += sectors.moved;
        total.uncached += sectors.fresh;
    } else {
        struct wavefronts wavefronts = banks_count(request);
        line->shared_requests++;
        line->shared_wavefronts += wavefronts.needed;
        line->excess_wavefronts += wavefronts.needed - wavefronts.least;
        total.wavefronts += wavefronts.needed;
        needed = wavefronts.needed, least = wavefronts.least;
        total.excess += wavefronts.needed - wavefronts.least;
    }
    if (request_counted) {
        static const enum request_kind kinds[] = {
            [IN_SHARED] = REQUEST_SHARED, [IN_GLOBAL] = REQUEST_GLOBAL, [COMBINE] = REQUEST_COMBINE};
        seen.kind = kinds[kind];
        seen.request = request;
        seen.needed = needed;
        seen.least = least;
        request_counted(&seen);
    }
}

/* Counts one access of lanes that access alike, as one instruction or as one for each word. */
static void count_alike(struct block_log *log, struct simt_line *line, unsigned access_kind, uint64_t like,
                        struct request *request)
{
    const enum entry_kind kind = like & ((1 << KIND_BITS) - 1);
    const unsigned bytes = like >> KIND_BITS & ((1 << BYTES_BITS) - 1);
    const bool words = like >> (KIND_BITS + BYTES_BITS);
    request->atomic = access_kind & ACCESS_ATOMIC;
    request->bytes = words && bytes > WORD ? WORD : bytes;
    for (unsigned done = 0;;) {
        count_request(log, line, access_kind, kind, request);
        done += request->bytes;
        if (done >= bytes)
            return;
        for (unsigned lane = 0; lane < WARP_SIZE; lane++)
            request->address[lane] += WORD;
        if (request->bytes > bytes - done)
            request->bytes = bytes - done;
    }
}

/* Counts the k-th access of each lane at a site. They may differ in kind if a pointer can lead to any memory. */
static void count_row(struct block_log *log, struct simt_line *line, const struct site *site, uint32_t k)
{
    uint64_t row[WARP_SIZE];
    uint32_t left = 0;
    for (unsigned lane = 0; lane < WARP_SIZE; lane++)
        if (site->lane[lane].count > k) {
            row[lane] = site->lane[lane].entry[k];
            left |= (uint32_t)1 << lane;
        }
    while (left) {
        struct request request;
        const uint64_t like = row[__builtin_ctz(left)] >> ADDRESS_BITS;
        request.lanes = 0;
        for (uint32_t lanes = left; lanes; lanes &= lanes - 1) {
            const unsigned lane = (unsigned)__builtin_ctz(lanes);
            if (row[lane] >> ADDRESS_BITS != like)
                continue;
            request.lanes |= (uint32_t)1 << lane;
            request.address[lane] = row[lane] & ADDRESS_MASK;
        }
        left &= ~request.lanes;
        count_alike(log, line, site->kind, like, &request);
    }
}

static void end_warp_step(struct block_log *log, struct warp_log *warp)
{
    for (unsigned i = 0; i < warp->used_count; i++) {
        struct site *site = warp->site[warp->used[i]];
        uint32_t rows = 0;
        if (request_counted)
            seen = (struct counted_request){.block = log->block,
                                            .warp = (unsigned)(warp - log->warp),
                                            .site = lines_site_at(warp->used[i])};
        for (unsigned lane = 0; lane < WARP_SIZE; lane++)
            if (site->lane[lane].count > rows)
                rows = site->lane[lane].count;
        for (uint32_t k = 0; k < rows; k++)
            count_row(log, lines_at(warp->used[i]), site, k);
        for (unsigned lane = 0; lane < WARP_SIZE; lane++) {
            kept -= site->lane[lane].count;
            site->lane[lane].count = 0;
        }
        site->used = false;
    }
    warp->used_count = 0;
}

static void end_block_step(struct block_log *log)
{
    for (unsigned i = 0; i < WARPS; i++)
        end_warp_step(log, &log->warp[i]);
}

/* ---- logs ------------------------------------------------------------------------------------------------ */

static struct block_log *log_of(const struct block *block)
{
    if (current && current->block == block)
        return current;
    for (size_t i = 0; i < logs_used; i++)
        if (logs[i]->block == block)
            return current = logs[i];
    return NULL;
}

static void free_site(struct site *site)
{
    for (unsigned lane = 0; site && lane < WARP_SIZE; lane++)
        if (site->lane[lane].entry != site->first[lane])
            free(site->lane[lane].entry);
    free(site);
}

static void free_logs(void)
{
    for (size_t i = 0; i < logs_used; i++) {
        for (struct warp_log *warp = logs[i]->warp; warp < logs[i]->warp + WARPS; warp++) {
            for (unsigned p = 0; p < warp->sites; p++)
                free_site(warp->site[p]);
            free(warp->site);
            free(warp->used);
        }
        cache_free(&logs[i]->cache);
        free(logs[i]);
    }
    logs_used = 0;
    kept = 0;
    current = NULL;
}

/* The warp's site with this number, which is added if it is new. */
static struct site *site_of(struct warp_log *warp, unsigned number, unsigned kind)
{
    if (number >= warp->sites) {
        unsigned more = 2 * number + 16;
        warp->site = lines_grown(warp->site, more * sizeof *warp->site);
        warp->used = lines_grown(warp->used, more * sizeof *warp->used);
        memset(warp->site + warp->sites, 0, (more - warp->sites) * sizeof *warp->site);
        warp->sites = more;
    }
    struct site *site = warp->site[number];
    if (!site) {
        site = warp->site[number] = lines_grown(NULL, sizeof *site);
        site->used = false;
        for (unsigned lane = 0; lane < WARP_SIZE; lane++)
            site->lane[lane] = (struct list){site->first[lane], 0, FIRST_ENTRIES};
    }
    if (!site->used) {
        site->used = true;
        site->kind = kind;
        warp->used[warp->used_count++] = number;
    }
    return site;
}

static void grow_list(struct list *list, const uint64_t *first)
{
    uint64_t *entry =
        lines_grown(list->entry == first ? NULL : list->entry, 2 * list->capacity * sizeof *entry);
    if (list->entry == first)
        memcpy(entry, first, list->count * sizeof *entry);
    list->entry = entry;
    list->capacity *= 2;
}

static void keep(struct block_log *log, unsigned number, unsigned kind, uint64_t entry)
{
    const unsigned lane = thread_lane(current_thread);
    struct site *site = site_of(&log->warp[current_thread->number / WARP_SIZE], number, kind);
    struct list *list = &site->lane[lane];
    if (list->count == list->capacity)
        grow_list(list, site->first[lane]);
    list->entry[list->count++] = entry;
    if (++kept > MOST_KEPT)
        for (size_t i = 0; i < logs_used; i++)
            end_block_step(logs[i]);
}

/* ---- events ---------------------------------------------------------------------------------------------- */

static void begin_run(void)
{
    free_logs();
    lines_begin_run();
    memset(&total, 0, sizeof total);
}

static void begin_block(const struct block *block)
{
    struct block_log *log = log_of(NULL);
    if (!log) {
        logs = lines_grown(logs, (logs_used + 1) * sizeof *logs);
        log = logs[logs_used++] = memset(lines_grown(NULL, sizeof *log), 0, sizeof *log);
    }
    log->block = block;
    cache_empty(&log->cache);
}

static uint64_t entry_of(uintptr_t address, enum entry_kind kind, size_t bytes, bool words)
{
    return (uint64_t)words << (ADDRESS_BITS + KIND_BITS + BYTES_BITS) |
           (uint64_t)bytes << (ADDRESS_BITS + KIND_BITS) | (uint64_t)kind << ADDRESS_BITS |
           (address & ADDRESS_MASK);
}

static void look(const struct access *access)
{
    enum entry_kind kind = IN_GLOBAL;
    if (access->space == MEMORY_SHARED)
        kind = IN_SHARED;
    else if (access->space == MEMORY_LOCAL || access->space == MEMORY_CONSTANT)
        return;
    if (harness_works)
        return; /* the cost of a stock function on a GPU is unknown */
    struct block_log *log = log_of(current_block);
    if (!log)
        return;
    const unsigned number = lines_site(access->site);
    if (access->kind & ACCESS_CHAINED)
        lines_at(number)->atomics++;
    const size_t bytes = access->bytes;
    const bool words = (access->kind & ACCESS_UNALIGNED) || bytes > 16 || (bytes & (bytes - 1)) != 0;
    for (size_t done = 0; done < bytes; done += MOST_BYTES)
        keep(log, number, access->kind,
             entry_of((uintptr_t)access->address + done, kind,
                      bytes - done < MOST_BYTES ? bytes - done : MOST_BYTES, words));
}

static void combine(const void *site)
{
    struct block_log *log = log_of(current_block);
    if (log)
        keep(log, lines_site(site), 0, entry_of(0, COMBINE, 1, false));
}

static void barrier(const struct block *block)
{
    struct block_log *log = log_of(block);
    if (!log)
        return;
    end_block_step(log);
    lines_at(lines_site(block->barrier_site))->barriers++;
}

static void grid(void)
{
    for (size_t i = 0; i < logs_used; i++)
        end_block_step(logs[i]);
}

static void meet(const struct thread *first, uint32_t mask, uint32_t arrived, int operation)
{
    (void)mask, (void)arrived, (void)operation;
    struct block_log *log = log_of(first->block);
    if (log)
        end_warp_step(log, &log->warp[first->number / WARP_SIZE]);
}

static void end_block(const struct block *block)
{
    struct block_log *log = log_of(block);
    if (!log)
        return;
    end_block_step(log);
    log->block = NULL;
}

/* A fault leaves blocks unfinished. */
static void end_launch(const struct launch *launch, bool faulted)
{
    (void)launch, (void)faulted;
    for (size_t i = 0; i < logs_used; i++) {
        end_block_step(logs[i]);
        logs[i]->block = NULL;
    }
}

static uint64_t sectors_of(const void *begin, size_t bytes)
{
    const uintptr_t address = (uintptr_t)begin;
    return bytes > 0 ? (address + bytes - 1) / SECTOR - address / SECTOR + 1 : 0;
}

static void copy(const struct copy *copy)
{
    if (!memory_is_on_device(copy->to) || (copy->from && !memory_is_on_device(copy->from)))
        return;
    total.copied += sectors_of(copy->to, copy->bytes);
    if (copy->from)
        total.copied += sectors_of(copy->from, copy->bytes);
}

#define METER(field)                                                                                         \
    static uint64_t field##_value(void)                                                                      \
    {                                                                                                        \
        return total.field;                                                                                  \
    }
METER(wavefronts)
METER(excess)
METER(requests)
METER(sectors)
METER(uncached)
METER(copied)
METER(idle)

const struct observer wavefronts_observer = {.name = "requests",
                                             .meter = "shared wavefronts",
                                             .value = wavefronts_value,
                                             .detailed = true,
                                             .begin_run = begin_run,
                                             .end_launch = end_launch,
                                             .begin_block = begin_block,
                                             .end_block = end_block,
                                             .access = look,
                                             .barrier = barrier,
                                             .grid = grid,
                                             .warp = meet,
                                             .combine = combine,
                                             .copy = copy};
#define METER_OBSERVER(name_, meter_, field)                                                                 \
    const struct observer name_ = {.name = meter_, .meter = meter_, .value = field##_value, .detailed = true}
METER_OBSERVER(excess_observer, "excess wavefronts", excess);
METER_OBSERVER(global_requests_observer, "global requests", requests);
METER_OBSERVER(global_sectors_observer, "global sectors", sectors);
METER_OBSERVER(uncached_sectors_observer, "uncached sectors", uncached);
METER_OBSERVER(copied_sectors_observer, "copied sectors", copied);
METER_OBSERVER(idle_observer, "idle lanes", idle);
