/* The recorder: writes the events of kernels one by one into the file that SIMT_TRACE names. RECORD.md describes
 * the format. It is an observer like any other, and is active only when that variable is set.
 *
 * A hook is called before a write happens. So a write is kept until the next event, when its value can be read. */
#include "meters/requests.h"
#include "report/finding.h"
#include "trace/record_names.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    VERSION = 1,
    MOST_EVENTS = 2000000, /* after that the record ends with a line that says so */
    BUFFER = 1 << 20
};

FILE *record_file;
static uint64_t events;
static bool cut;

/* ---- the event that is still pending -------------------------------------------------------------------------- */

static struct {
    bool write, combine, fill;
    bool passed; /* the write was followed by the read of its own struct copy */
    struct access access;
    size_t array, site;
    uint64_t block;
    unsigned thread;
    unsigned char before[RECORD_MOST_BYTES];
} kept;

/* Called when the pending write, combine or fill has happened: records it. */
static void settle(void)
{
    if (kept.write) {
        fprintf(record_file, "[\"w\",%" PRIu64 ",%u,%zu,%zu,%zu,%zu,%u", kept.block, kept.thread, kept.site,
                kept.array, (size_t)(kept.access.address - record_begin(kept.array)), kept.access.bytes,
                kept.access.kind);
        record_bytes(kept.before, kept.access.bytes);
        record_bytes(kept.access.address, kept.access.bytes);
        fputs("]\n", record_file);
    } else if (kept.combine) {
        fprintf(record_file, "[\"c\",%" PRIu64 ",%u,%zu]\n", kept.block, kept.thread, kept.site);
    } else if (kept.fill) {
        fprintf(record_file, "[\"copy\",%zu,null,0,%zu,%zu,%zu", kept.site, kept.array,
                (size_t)(kept.access.address - record_begin(kept.array)), kept.access.bytes);
        record_bytes(kept.access.address, kept.access.bytes);
        fputs("]\n", record_file);
    }
    kept.write = kept.combine = kept.fill = kept.passed = false;
}

/* Returns true if another event may be recorded. */
static bool begin_event(void)
{
    settle();
    if (events < MOST_EVENTS) {
        events++;
        return true;
    }
    if (!cut)
        fprintf(record_file, "[\"cut\",%d]\n", MOST_EVENTS);
    cut = true;
    return false;
}

/* ---- polls ---------------------------------------------------------------------------------------------------- */

/* A spinning thread reads the same value again and again. Such reads are counted, not recorded. */
struct poll {
    uint64_t block;
    unsigned thread;
    const void *site;
    const char *address;
    uint64_t value;
    uint64_t times; /* repetitions after the first read */
};
static struct poll polls[4096];

static struct poll *poll_of(uint64_t block, unsigned thread)
{
    return &polls[(block * 1031 + thread) % (sizeof polls / sizeof *polls)];
}

static void end_poll(struct poll *poll)
{
    if (poll->times > 0)
        fprintf(record_file, "[\"p\",%" PRIu64 ",%u,%" PRIu64 "]\n", poll->block, poll->thread, poll->times);
    poll->times = 0;
    poll->site = NULL;
}

static bool repeats(const struct access *access)
{
    struct poll *poll = poll_of(current_block->number, current_thread->number);
    uint64_t value = 0;
    const bool may = (access->kind & (ACCESS_VOLATILE | ACCESS_ATOMIC)) && access->bytes <= sizeof value &&
                     !(access->kind & ACCESS_WRITE);
    if (may)
        memcpy(&value, access->address, access->bytes);
    if (may && poll->site == access->site && poll->address == access->address && poll->value == value &&
        poll->block == current_block->number && poll->thread == current_thread->number) {
        poll->times++;
        return true;
    }
    end_poll(poll);
    if (may)
        *poll = (struct poll){
            current_block->number, current_thread->number, access->site, access->address, value, 0};
    return false;
}

/* ---- events --------------------------------------------------------------------------------------------------- */

static bool wanted(void)
{
    return record_file != NULL;
}

static void begin_run(void)
{
    settle();
    fputs("[\"run\"]\n", record_file);
    memset(polls, 0, sizeof polls);
}

static void begin_launch(const struct launch *launch)
{
    settle();
    const size_t site = record_site(launch->site);
    fprintf(record_file, "[\"launch\",%" PRIu64 ",", launch->number);
    record_text(launch->kernel);
    fprintf(record_file, ",%zu,[%u,%u,%u],[%u,%u,%u],%zu,%s]\n", site, launch->grid.x, launch->grid.y,
            launch->grid.z, launch->dim.x, launch->dim.y, launch->dim.z, launch->dynamic_bytes,
            launch->harness ? "true" : "false");
}

static void end_launch(const struct launch *launch, bool faulted)
{
    (void)launch;
    settle();
    for (size_t i = 0; i < sizeof polls / sizeof *polls; i++)
        end_poll(&polls[i]);
    fprintf(record_file, "[\"end\",%s]\n", faulted ? "true" : "false");
    fflush(record_file);
}

static void of_block(const char *word, const struct block *block)
{
    settle();
    if (!cut)
        fprintf(record_file, "[\"%s\",%" PRIu64 "]\n", word, block->number);
}

static void begin_block(const struct block *block)
{
    of_block("block", block);
}

static void end_block(const struct block *block)
{
    of_block("done", block);
}

static void turn(const struct block *block)
{
    of_block("turn", block);
}

static void leave(const struct block *block)
{
    of_block("leave", block);
}

/* For the copy of a struct, g++ calls the hook of the write, then that of the read, and copies after both. */
static bool is_read_of_kept_copy(const struct access *access, size_t site)
{
    return kept.write && !kept.passed && !(access->kind & ACCESS_WRITE) &&
           kept.thread == current_thread->number && kept.block == current_block->number &&
           access->bytes == kept.access.bytes && access->bytes >= 8 && access->bytes <= RECORD_MOST_BYTES &&
           access->address != kept.access.address && record_line(site) == record_line(kept.site) &&
           memcmp(kept.before, kept.access.address, access->bytes) == 0;
}

static void put_read(const struct access *access, size_t site, size_t array)
{
    fprintf(record_file, "[\"r\",%" PRIu64 ",%u,%zu,%zu,%zu,%zu,%u", current_block->number,
            current_thread->number, site, array, (size_t)(access->address - record_begin(array)),
            access->bytes, access->kind);
    record_bytes(access->address, access->bytes);
    fputs("]\n", record_file);
}

static void look(const struct access *access)
{
    if (access->space == MEMORY_LOCAL || access->space == MEMORY_HOST || repeats(access))
        return;
    const size_t site = record_site(access->site);
    if (is_read_of_kept_copy(access, site))
        kept.passed = true;
    else if (!begin_event())
        return;
    const size_t array = record_array(access->address, access->space, access->region);
    if (!(access->kind & ACCESS_WRITE)) {
        put_read(access, site, array);
        return;
    }
    kept.block = current_block->number;
    kept.thread = current_thread->number;
    kept.site = site;
    kept.write = true;
    kept.access = *access;
    kept.array = array;
    memcpy(kept.before, access->address,
           access->bytes < RECORD_MOST_BYTES ? access->bytes : RECORD_MOST_BYTES);
}

static void combine(const void *site)
{
    if (!begin_event())
        return;
    kept.combine = true;
    kept.block = current_block->number;
    kept.thread = current_thread->number;
    kept.site = record_site(site);
}

void simt_trace_combine(uint64_t left, uint64_t right, uint64_t made, unsigned bytes)
{
    if (!record_file || !current_thread || !kept.combine)
        return;
    kept.combine = false;
    fprintf(record_file, "[\"c\",%" PRIu64 ",%u,%zu", kept.block, kept.thread, kept.site);
    record_bytes(&left, bytes);
    record_bytes(&right, bytes);
    record_bytes(&made, bytes);
    fputs("]\n", record_file);
}

static void barrier(const struct block *block)
{
    settle();
    if (cut)
        return;
    const size_t site = record_site(block->barrier_site);
    fprintf(record_file, "[\"barrier\",%" PRIu64 ",%zu]\n", block->number, site);
}

static void grid(void)
{
    settle();
    fputs("[\"grid\"]\n", record_file);
}

static void warp(const struct thread *first, uint32_t mask, uint32_t arrived, int operation)
{
    (void)operation;
    if (!begin_event())
        return;
    const size_t site = record_site(first[__builtin_ctz(arrived ? arrived : 1)].wait_site);
    fprintf(record_file, "[\"warp\",%" PRIu64 ",%u,%zu,%u,%u]\n", first->block->number,
            first->number / WARP_SIZE, site, mask, arrived);
}

static void copy(const struct copy *copy)
{
    struct region *to = NULL, *from = NULL;
    const enum memory_space to_space = memory_classify(copy->to, &to);
    const enum memory_space from_space = copy->from ? memory_classify(copy->from, &from) : MEMORY_HOST;
    if (to_space == MEMORY_HOST || copy->bytes == 0 || !begin_event())
        return;
    const size_t site = record_site(copy->site);
    const size_t target = record_array(copy->to, to_space, to);
    if (!copy->from) {
        kept.fill = true;
        kept.site = site;
        kept.array = target;
        kept.access = (struct access){.address = copy->to, .bytes = copy->bytes};
        return;
    }
    const bool known = from_space != MEMORY_HOST;
    const size_t source = known ? record_array(copy->from, from_space, from) : 0;
    fprintf(record_file, "[\"copy\",%zu,", site);
    if (known)
        fprintf(record_file, "%zu,%zu", source, (size_t)((const char *)copy->from - record_begin(source)));
    else
        fputs("null,0", record_file);
    fprintf(record_file, ",%zu,%zu,%zu", target, (size_t)((char *)copy->to - record_begin(target)),
            copy->bytes);
    record_bytes(copy->from, copy->bytes);
    fputs("]\n", record_file);
}

/* An array is recorded at its first access. The order of allocation distinguishes arrays that are allocated on one line. */
static void allocate(const struct region *region)
{
    settle();
    if (!region->alloc_site || cut)
        return;
    const size_t site = record_site(region->alloc_site);
    fprintf(record_file, "[\"allocation\",%zu]\n", site);
}

/* The memory can be read for the last time, so a pending write to it is recorded now. */
static void release(const struct region *region)
{
    (void)region;
    settle();
}

static void see_request(const struct counted_request *seen)
{
    static const char *const kinds[] = {"shared", "global", "combine"};
    if (!begin_event())
        return;
    const size_t site = record_site(seen->site);
    fprintf(record_file, "[\"request\",%" PRIu64 ",%u,%zu,\"%s\",%u,%u,%u,%u]\n", seen->block->number,
            seen->warp, site, kinds[seen->kind], seen->request->lanes, seen->request->bytes, seen->needed,
            seen->least);
}

static void see_finding(int number, const struct simt_finding *finding)
{
    static struct simt_finding_words words;
    simt_finding_words(finding, &words);
    settle();
    fprintf(record_file, "[\"finding\",%d,", number);
    if (current_thread)
        fprintf(record_file, "%" PRIu64 ",%u,", current_block->number, current_thread->number);
    else
        fputs("null,null,", record_file);
    record_text(simt_finding_name(finding->kind));
    fprintf(record_file, ",%s,", finding->warning ? "true" : "false");
    record_text(finding->where.file);
    fprintf(record_file, ",%d,%d,", finding->where.line, finding->other.line);
    record_text(words.variable);
    fputc(',', record_file);
    record_text(words.title);
    fputc(',', record_file);
    record_text(words.detail);
    fputc(',', record_file);
    record_text(words.hint);
    fputs("]\n", record_file);
}

const struct observer record_observer = {.name = "record",
                                         .wanted = wanted,
                                         .begin_run = begin_run,
                                         .begin_launch = begin_launch,
                                         .end_launch = end_launch,
                                         .begin_block = begin_block,
                                         .end_block = end_block,
                                         .access = look,
                                         .turn = turn,
                                         .leave = leave,
                                         .barrier = barrier,
                                         .grid = grid,
                                         .warp = warp,
                                         .combine = combine,
                                         .allocate = allocate,
                                         .release = release,
                                         .copy = copy};

/* ---- the record of a process ----------------------------------------------------------------------------------- */

static __attribute__((constructor(200))) void open_record(void)
{
    const char *path = getenv("SIMT_TRACE");
    if (!path || !path[0])
        return;
    record_file = fopen(path, "we");
    if (!record_file) {
        fprintf(stderr, "simt: SIMT_TRACE=%s: %s\n", path, strerror(errno));
        exit(2);
    }
    setvbuf(record_file, NULL, _IOFBF, BUFFER);
    fprintf(record_file, "[\"simt record\",%d]\n", VERSION);
    request_counted = see_request;
    finding_seen = see_finding;
    simt_measure(true);
}

static __attribute__((destructor)) void close_record(void)
{
    if (!record_file)
        return;
    settle();
    fputs("[\"close\"]\n", record_file);
    fclose(record_file);
    record_file = NULL;
}
