/* The race check as an observer: launches, blocks, barriers, copies and host code. */
#include "checks/races/race_report.h"
#include "checks/races/race_suspects.h"
#include "checks/races/races.h"
#include "core/module.h"
#include "core/registered.h"
#include "core/shared.h"
#include "core/timeline.h"
#include "core/warp.h"
#include "include/simt_device_api.h"
#include "report/finding.h"
#include "simt.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static bool enabled;
static struct race_block *blocks_used, *blocks_free;

/* ---- blocks ------------------------------------------------------------------------------------------------- */

static struct race_block *block_take(void)
{
    struct race_block *block = blocks_free;
    if (block)
        blocks_free = block->next;
    else if (!(block = calloc(1, sizeof *block)))
        abort();
    block->next = blocks_used;
    blocks_used = block;
    return block;
}

static bool sampling;
static struct races_sampled sampled;

void races_sample(void)
{
    sampling = true;
}

struct races_sampled races_sampled(void)
{
    return sampled;
}

/* The first and the last blocks, which are special in many kernels, and pairs of neighbours between them. */
static bool is_in_sample(uint64_t number, uint64_t blocks)
{
    enum { AT_ENDS = SAMPLE_OF / 4, PAIRS = SAMPLE_OF / 4 };
    return number < AT_ENDS || blocks - number <= AT_ENDS || number % (blocks / PAIRS) < 2;
}

static void put_in_place(const struct block *block)
{
    race_now.skips = block->races->skips;
    race_now.key = block->races->key;
    race_now.cells = block->races->cells;
}

static void begin_block(const struct block *block)
{
    if (race_now.state == RACES_OFF)
        return;
    races_settle();
    if (!block->races)
        ((struct block *)block)->races = block_take(); /* the field belongs to this check */
    struct race_block *races = block->races;
    races->key = (uint64_t)(race_launch.first + (uint32_t)block->number) << 32 | race_launch.epoch;
    races->must_join = false;
    races->skips = race_launch.sampled && !is_in_sample(block->number, current_launch->grid_blocks);
    sampled.blocks += sampling;
    sampled.looked_at += sampling && !races->skips;
    races->cells = shadow_of_shared(races->cells, &races->room, shared_layout.bytes / WORD_BYTES + 1);
    for (unsigned i = 0; i < current_launch->block_threads; i++) {
        block->threads[i].clock = i << CLOCK_BITS;
        memset(block->threads[i].volatile_read, 0, sizeof block->threads[i].volatile_read);
    }
}

static void turn(const struct block *block)
{
    if (race_now.state != RACES_OFF)
        put_in_place(block);
}

static void leave(const struct block *block)
{
    (void)block;
    races_settle();
}

static void end_block(const struct block *block)
{
    if (race_now.state == RACES_OFF)
        return;
    vector_clock_end_block(block);
    if (race_launch.state)
        race_launch.state[block->number] |= BLOCK_DONE;
}

static void barrier(const struct block *block)
{
    if (race_now.state == RACES_OFF)
        return;
    races_settle();
    if (block->races->must_join)
        vector_clock_join_block(block);
    race_now.key = ++block->races->key;
}

static void warp(const struct thread *first, uint32_t mask, uint32_t arrived, int operation)
{
    (void)mask;
    race_launch.warps = true;
    if (race_now.state == RACES_OFF || operation != WARP_SYNC || (arrived & (arrived - 1)) == 0)
        return;
    races_settle();
    vector_clock_join_warp(first->block->threads + first->number, arrived);
}

static void fence(const struct thread *thread, int scope, int order)
{
    if (race_now.state == RACES_OFF)
        return;
    races_settle();
    vector_clock_fence(thread->block->threads + thread->number, scope, order);
}

/* All threads of the grid have arrived: everything that has happened is before everything that follows. */
static void grid(void)
{
    if (race_now.state == RACES_OFF)
        return;
    races_settle();
    for (struct race_block *block = blocks_used; block; block = block->next)
        race_launch.epoch =
            (uint32_t)block->key >= race_launch.epoch ? (uint32_t)block->key + 1 : race_launch.epoch;
    for (struct race_block *block = blocks_used; block; block = block->next)
        block->key = block->key >> 32 << 32 | race_launch.epoch;
}

/* ---- launches -------------------------------------------------------------------------------------------------- */

/* Identities have 32 bits. When they run out, everything starts again. */
static bool begin_operation(struct operation *operation)
{
    if (timeline_begin(operation))
        return true;
    shadow_forget();
    timeline_restart();
    return timeline_begin(operation);
}

static void begin_launch(const struct launch *launch)
{
    race_now.state = RACES_OFF;
    if (!enabled || launch->grid_blocks > UINT32_MAX / 2)
        return;
    struct operation operation = {.kind = OPERATION_LAUNCH,
                                  .count = (uint32_t)launch->grid_blocks,
                                  .kernel = launch->kernel,
                                  .site = launch->site,
                                  .stream = launch->stream,
                                  .grid = launch->grid,
                                  .dim = launch->dim};
    if (!begin_operation(&operation))
        return;
    const struct module *module = module_of_code(launch->site);
    race_launch = (struct race_launch){.first = operation.first,
                                       .blocks = operation.count,
                                       .epoch = 1,
                                       .fences = module && module->fences,
                                       .sampled = sampling && launch->grid_blocks > SAMPLE_OF};
    if (race_launch.fences) {
        void *state = mmap(NULL, operation.count, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        race_launch.state = state == MAP_FAILED ? NULL : state;
    }
    vector_clock_begin_launch(launch->grid_blocks);
    race_now.floor = (uint64_t)timeline_floor() << 32;
    race_now.state = RACES_ON;
}

static void end_launch(const struct launch *launch, bool faulted)
{
    (void)launch, (void)faulted;
    if (race_now.state == RACES_OFF)
        return;
    races_settle();
    suspects_end_launch();
    race_now.state = RACES_OFF;
    vector_clock_end_launch();
    if (race_launch.state)
        munmap(race_launch.state, race_launch.blocks);
    race_launch = (struct race_launch){0};
    while (blocks_used) {
        struct race_block *next = blocks_used->next;
        blocks_used->next = blocks_free;
        blocks_free = blocks_used;
        blocks_used = next;
    }
}

/* ---- accesses of a kernel ------------------------------------------------------------------------------------------ */

static bool is_watched(const struct access *access)
{
    return race_now.state != RACES_OFF && access->space != MEMORY_LOCAL && access->space != MEMORY_CONSTANT;
}

/* Every access of a kernel comes here, so the common cases come first. */
static void see(const struct access *access)
{
    if (!is_watched(access))
        return;
    races_settle();
    if (race_now.skips && !(access->kind & (ACCESS_VOLATILE | ACCESS_ATOMIC)))
        return;
    const bool shared = access->space == MEMORY_SHARED, write = access->kind & ACCESS_WRITE;
    struct region *region = access->region;
    struct line *lines = region ? shadow_of_region(region) : NULL;
    const unsigned words = (unsigned)(access->bytes / WORD_BYTES);
    const uint32_t site = (uint32_t)(uintptr_t)access->site;
    if ((!shared && !lines) || (access->kind & ~(unsigned)ACCESS_WRITE) || access->bytes % WORD_BYTES ||
        access->bytes > (size_t)4 * WORD_BYTES) {
        races_slow(access);
        return;
    }
    if (!shared && races_array(lines, access->offset, words, write, site))
        return;
    for (size_t i = 0; i < words; i++) {
        const size_t offset = access->offset + i * WORD_BYTES;
        struct cell *cell = shared ? &race_now.cells[offset / WORD_BYTES] : shadow_cell(region, offset);
        if (!races_plain(cell, write, shared, site))
            races_word(cell, access->address + i * WORD_BYTES, access);
    }
}

/* A compare-and-swap does write; until now it counted as a read. */
static void swap(const struct access *access)
{
    if (!is_watched(access))
        return;
    const struct race_actor actor = races_running(access);
    races_visit(&actor, access);
}

/* ---- copies and host code --------------------------------------------------------------------------------------- */

static bool is_shadowed(enum memory_space space)
{
    return space == MEMORY_GLOBAL || space == MEMORY_MANAGED || space == MEMORY_PINNED ||
           space == MEMORY_VARIABLE;
}

static bool is_device_only(enum memory_space space)
{
    return space == MEMORY_GLOBAL || space == MEMORY_VARIABLE || space == MEMORY_CONSTANT;
}

/* The kind of memory for the race check. Registered memory counts as pinned. */
static enum memory_space space_of(const void *address, struct region **region)
{
    size_t left;
    enum memory_space space = memory_classify(address, region);
    return space == MEMORY_HOST && registered_holds(address, &left) ? MEMORY_PINNED : space;
}

static void touch(const struct race_actor *actor, const void *address, size_t bytes, unsigned kind,
                  const void *site)
{
    struct region *region;
    struct access access = {.address = (char *)address, .bytes = bytes, .kind = kind, .site = site};
    access.space = space_of(address, &region);
    access.region = region;
    access.offset = region ? (size_t)(access.address - region->begin) : 0;
    if (is_shadowed(access.space))
        races_visit(actor, &access);
}

static void copy(const struct copy *copy)
{
    if (!enabled)
        return;
    struct region *region;
    const enum memory_space to = space_of(copy->to, &region);
    const enum memory_space from = copy->from ? space_of(copy->from, &region) : MEMORY_GLOBAL;
    struct operation operation = {.kind = copy->from ? OPERATION_COPY : OPERATION_FILL,
                                  .count = 1,
                                  .site = copy->site,
                                  .stream = copy->stream};
    if (!begin_operation(&operation))
        return;
    /* The host waits for all copies except those within the device, and fills of device memory. Copies to plain
     * host memory are done when they return, even asynchronous ones. */
    const bool waits =
        to == MEMORY_HOST || (!copy->asynchronous && !(is_device_only(to) && is_device_only(from)));
    const bool alone = timeline_floor() == operation.first;
    if (!alone || (!waits && (timeline_has_streams() || !is_device_only(to) || !is_device_only(from)))) {
        const struct race_actor actor = {.key = (uint64_t)operation.first << 32 | 1,
                                         .floor = (uint64_t)timeline_floor() << 32};
        if (copy->from)
            touch(&actor, copy->from, copy->bytes, ACCESS_READ, copy->site);
        touch(&actor, copy->to, copy->bytes, ACCESS_WRITE, copy->site);
    }
    if (waits)
        timeline_wait_for_stream(copy->stream);
}

/* Host code has atomically read a value that a kernel wrote atomically, so everything before that is done. It is
 * unknown whether the kernel had a fence in between, or what it wrote later. */
static void see_flag(const void *address, struct region *region)
{
    if (!region || !region->lines)
        return;
    const struct cell *cell = shadow_cell(region, (size_t)((const char *)address - region->begin));
    const struct cell *parts = shadow_parts(cell);
    for (const struct record *record = parts ? &parts[(uintptr_t)address % WORD_BYTES].record : &cell->record;
         record; record = record->next ? shadow_record(record->next) : NULL)
        if (record_kind(record) == RECORD_STRONG_WRITE)
            timeline_host_sees((uint32_t)(record->key >> 32));
}

/* Host code accesses memory that kernels may access, too. */
static void host(const void *address, size_t bytes, unsigned kind, const void *site)
{
    struct region *region;
    if (!enabled || !timeline_running)
        return;
    enum memory_space space = space_of(address, &region);
    if ((space != MEMORY_MANAGED && space != MEMORY_PINNED) ||
        (region && !region->shadow && !host_thread.callback.key))
        return;
    struct race_actor actor = {.key = host_thread.callback.key, .floor = host_thread.callback.floor};
    if (!actor.key)
        actor = (struct race_actor){.host = true, .floor = (uint64_t)timeline_host_floor() << 32};
    touch(&actor, address, bytes, kind & (ACCESS_WRITE | ACCESS_ATOMIC), site);
    if ((kind & ACCESS_ATOMIC) && (!(kind & ACCESS_WRITE) || (kind & ACCESS_CHAINED)))
        see_flag(address, region);
}

void races_begin_callback(void *stream, const void *site)
{
    struct operation operation = {.kind = OPERATION_CALLBACK, .count = 1, .site = site, .stream = stream};
    if (enabled && begin_operation(&operation)) {
        host_thread.callback.key = (uint64_t)operation.first << 32 | 1;
        host_thread.callback.floor = (uint64_t)timeline_floor() << 32;
    }
}

void races_end_callback(void)
{
    host_thread.callback.key = 0;
}

void simt_note_arrival(const void *array, size_t bytes)
{
    /* The first word represents the array, because code that reads an array also reads its first word. */
    struct operation operation = {.kind = OPERATION_ARRIVAL, .count = 1};
    if (!enabled || bytes == 0 || !begin_operation(&operation))
        return;
    const struct race_actor actor = {.key = (uint64_t)operation.first << 32 | 1,
                                     .floor = (uint64_t)timeline_floor() << 32};
    touch(&actor, array, bytes < WORD_BYTES ? bytes : WORD_BYTES, ACCESS_WRITE, NULL);
}

void simt_report_unjoined(void)
{
    const struct operation *left = enabled ? timeline_unjoined() : NULL;
    if (!left)
        return;
    finding_report(&(struct finding_facts){
        .rule = left->kernel ? SIMT_RULE_RESULTS_NOT_JOINED : SIMT_RULE_RESULTS_NOT_COPIED,
        .site = left->site,
        .note = {SIMT_NOTE_NON_BLOCKING_STREAM},
        .hint = SIMT_HINT_SYNC_STREAM,
        .fact = {FACT_TEXT(KERNEL, left->kernel),
                 FACT_NUMBER(STREAM, timeline_stream_number(left->stream))}});
}

/* ---- life --------------------------------------------------------------------------------------------------------- */

static void release(const struct region *region)
{
    races_settle();
    shadow_drop((struct region *)region); /* the shadow belongs to this check */
}

/* cudaFreeAsync counts as a write to the whole allocation, so any concurrent or later access races with it. */
static void release_queued(const struct region *region, void *stream, const void *site)
{
    struct operation operation = {.kind = OPERATION_FREE, .count = 1, .site = site, .stream = stream};
    if (!enabled || !begin_operation(&operation) || timeline_floor() == operation.first)
        return;
    const struct race_actor actor = {.key = (uint64_t)operation.first << 32 | 1,
                                     .floor = (uint64_t)timeline_floor() << 32};
    touch(&actor, region->begin, region->bytes, ACCESS_WRITE, site);
}

static void begin_run(void)
{
    timeline_wait_for_device();
    race_reports_forget();
}

static void enable(bool on)
{
    enabled = on;
}

const struct observer races_observer = {.name = "races",
                                        .check = true,
                                        .enable = enable,
                                        .begin_run = begin_run,
                                        .begin_launch = begin_launch,
                                        .end_launch = end_launch,
                                        .begin_block = begin_block,
                                        .end_block = end_block,
                                        .turn = turn,
                                        .leave = leave,
                                        .barrier = barrier,
                                        .grid = grid,
                                        .warp = warp,
                                        .fence = fence,
                                        .access = see,
                                        .swap = swap,
                                        .host = host,
                                        .release = release,
                                        .release_queued = release_queued,
                                        .copy = copy};
