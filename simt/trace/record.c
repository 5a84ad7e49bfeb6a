/* The recorder: writes what happens in kernels, event by event, into the file that SIMT_TRACE names. RECORD.md says
 * what stands there. It is an observer like any other, and looks only where that variable is set.
 *
 * A hook comes before a write does, so a write is kept until the next event, when its value can be read. */
#include "record.h"
#include "shared.h"
#include "source.h"
#include "variables.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    VERSION = 1,
    MOST_EVENTS = 2000000, /* then the record ends, and says so */
    MOST_BYTES = 1 << 16,  /* of one access or copy whose value is written down */
    BUFFER = 1 << 20
};

void (*record_request)(const struct record_request *request);
void (*record_finding)(int number, const struct simt_finding *finding);

static FILE *file; /* null: nobody records */
static uint64_t events;
static bool cut;

/* ---- text ---------------------------------------------------------------------------------------------------- */

static void put_text(const char *text)
{
    fputc('"', file);
    for (; *text; text++) {
        const unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            fprintf(file, "\\%c", c);
        else if (c == '\n')
            fputs("\\n", file);
        else if (c < ' ' || c > '~')
            fprintf(file, "\\u%04x", c);
        else
            fputc(c, file);
    }
    fputc('"', file);
}

/* The bytes of a value in hexadecimal, as they lie in memory; of long ones, the first. */
static void put_bytes(const void *bytes, size_t count)
{
    const unsigned char *byte = bytes;
    fputs(",\"", file);
    for (size_t i = 0; i < count && i < MOST_BYTES; i++)
        fprintf(file, "%02x", byte[i]);
    fputc('"', file);
}

/* ---- numbers for code addresses and arrays -------------------------------------------------------------------- */

/* Two tables that grow: what was first asked for gets number 0, and a line that describes it. */
static struct {
    const void **address;
    int *line;
    size_t count, room;
} sites;

struct array {
    uint64_t serial; /* of a region; 0: a variable, or dynamic shared memory */
    uint64_t launch; /* of dynamic shared memory: it is another array in each launch */
    const char *begin;
    size_t bytes;
};
static struct {
    struct array *array;
    size_t count, room;
} arrays;

static void *room_for(void *memory, size_t count, size_t *room, size_t size)
{
    if (count < *room)
        return memory;
    *room = *room ? 2 * *room : 64;
    memory = realloc(memory, *room * size);
    if (!memory)
        abort(); /* a record with gaps would be a wrong one */
    return memory;
}

static size_t number_of_site(const void *site)
{
    for (size_t i = sites.count; i-- > 0;)
        if (sites.address[i] == site)
            return i;
    size_t room = sites.room;
    sites.address = room_for(sites.address, sites.count, &sites.room, sizeof *sites.address);
    sites.line = room_for(sites.line, sites.count, &room, sizeof *sites.line);
    sites.address[sites.count] = site;
    struct simt_place place = {0};
    if (site)
        source_place(site, &place);
    sites.line[sites.count] = place.line;
    fprintf(file, "[\"site\",%zu,", sites.count);
    put_text(place.file);
    fprintf(file, ",%d,", place.line);
    put_text(place.function);
    fputs("]\n", file);
    return sites.count++;
}

static const char *const space_names[] = {
    [MEMORY_HOST] = "host",     [MEMORY_GLOBAL] = "global",     [MEMORY_MANAGED] = "managed",
    [MEMORY_PINNED] = "pinned", [MEMORY_VARIABLE] = "variable", [MEMORY_CONSTANT] = "constant",
    [MEMORY_SHARED] = "shared", [MEMORY_LOCAL] = "local"};

static size_t describe_array(const struct array *array, enum memory_space space, const char *name,
                             const struct source_extent *extent, const void *site)
{
    const bool has_site = site != NULL;
    const size_t number_of_allocation = has_site ? number_of_site(site) : 0;
    arrays.array = room_for(arrays.array, arrays.count, &arrays.room, sizeof *arrays.array);
    arrays.array[arrays.count] = *array;
    fprintf(file, "[\"array\",%zu,\"%s\",", arrays.count, space_names[space]);
    put_text(name);
    fprintf(file, ",%zu,%zu,\"%c\",[", array->bytes, extent->element, extent->kind ? extent->kind : '?');
    for (int i = 0; i < extent->dimensions; i++)
        fprintf(file, "%s%zu", i > 0 ? "," : "", extent->extent[i]);
    if (has_site)
        fprintf(file, "],%zu]\n", number_of_allocation);
    else
        fputs("],null]\n", file);
    return arrays.count++;
}

static size_t number_of_region(const struct region *region)
{
    for (size_t i = arrays.count; i-- > 0;)
        if (arrays.array[i].serial == region->serial)
            return i;
    const struct source_extent extent = {.element = region->element_size};
    return describe_array(&(struct array){region->serial, 0, region->array, region->array_bytes},
                          region->space, region->name ? region->name : "", &extent, region->alloc_site);
}

/* A variable, or shared memory: told by its address. */
static size_t number_of_variable(const char *address, enum memory_space space)
{
    const bool dynamic = space == MEMORY_SHARED && shared_dynamic_distance(address) >= 0;
    const uint64_t launch = dynamic && current_launch ? current_launch->number : 0;
    for (size_t i = arrays.count; i-- > 0;) {
        const struct array *array = &arrays.array[i];
        if (array->serial == 0 && array->launch == launch && (size_t)(address - array->begin) < array->bytes)
            return i;
    }
    struct source_extent extent;
    if (!source_extent(address, &extent))
        extent = (struct source_extent){.begin = address, .bytes = 1, .element = 1};
    return describe_array(&(struct array){0, launch, extent.begin, extent.bytes}, space, extent.name, &extent,
                          NULL);
}

static size_t number_of_array(const char *address, enum memory_space space, const struct region *region)
{
    return region ? number_of_region(region) : number_of_variable(address, space);
}

/* ---- what waits for the next event ---------------------------------------------------------------------------- */

static struct {
    bool write, combine, fill;
    bool passed; /* the write: by the read of its own struct copy */
    struct access access;
    size_t array, site;
    uint64_t block;
    unsigned thread;
    unsigned char before[MOST_BYTES];
} kept;

/* The write, combine or fill before this event has happened: writes it down. */
static void settle(void)
{
    if (kept.write) {
        fprintf(file, "[\"w\",%" PRIu64 ",%u,%zu,%zu,%zu,%zu,%u", kept.block, kept.thread, kept.site,
                kept.array, (size_t)(kept.access.address - arrays.array[kept.array].begin), kept.access.bytes,
                kept.access.kind);
        put_bytes(kept.before, kept.access.bytes);
        put_bytes(kept.access.address, kept.access.bytes);
        fputs("]\n", file);
    } else if (kept.combine) {
        fprintf(file, "[\"c\",%" PRIu64 ",%u,%zu]\n", kept.block, kept.thread, kept.site);
    } else if (kept.fill) {
        fprintf(file, "[\"copy\",%zu,null,0,%zu,%zu,%zu", kept.site, kept.array,
                (size_t)(kept.access.address - arrays.array[kept.array].begin), kept.access.bytes);
        put_bytes(kept.access.address, kept.access.bytes);
        fputs("]\n", file);
    }
    kept.write = kept.combine = kept.fill = kept.passed = false;
}

/* Whether another event is to be written down. */
static bool begin_event(void)
{
    settle();
    if (events < MOST_EVENTS) {
        events++;
        return true;
    }
    if (!cut)
        fprintf(file, "[\"cut\",%d]\n", MOST_EVENTS);
    cut = true;
    return false;
}

/* ---- polls ---------------------------------------------------------------------------------------------------- */

/* A thread that spins reads the same again and again: such reads are counted, not written down. */
struct poll {
    uint64_t block;
    unsigned thread;
    const void *site;
    const char *address;
    uint64_t value;
    uint64_t times; /* beyond the first */
};
static struct poll polls[4096];

static struct poll *poll_of(uint64_t block, unsigned thread)
{
    return &polls[(block * 1031 + thread) % (sizeof polls / sizeof *polls)];
}

static void end_poll(struct poll *poll)
{
    if (poll->times > 0)
        fprintf(file, "[\"p\",%" PRIu64 ",%u,%" PRIu64 "]\n", poll->block, poll->thread, poll->times);
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
    return file != NULL;
}

static void begin_run(void)
{
    settle();
    fputs("[\"run\"]\n", file);
    memset(polls, 0, sizeof polls);
}

static void begin_launch(const struct launch *launch)
{
    settle();
    const size_t site = number_of_site(launch->site);
    fprintf(file, "[\"launch\",%" PRIu64 ",", launch->number);
    put_text(launch->kernel);
    fprintf(file, ",%zu,[%u,%u,%u],[%u,%u,%u],%zu,%s]\n", site, launch->grid.x, launch->grid.y,
            launch->grid.z, launch->dim.x, launch->dim.y, launch->dim.z, launch->dynamic_bytes,
            launch->harness ? "true" : "false");
}

static void end_launch(const struct launch *launch, bool faulted)
{
    (void)launch;
    settle();
    for (size_t i = 0; i < sizeof polls / sizeof *polls; i++)
        end_poll(&polls[i]);
    fprintf(file, "[\"end\",%s]\n", faulted ? "true" : "false");
    fflush(file);
}

static void of_block(const char *word, const struct block *block)
{
    settle();
    if (!cut)
        fprintf(file, "[\"%s\",%" PRIu64 "]\n", word, block->number);
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

/* g++ announces the copy of a struct as a write and then a read, and copies after both. */
static bool is_read_of_kept_copy(const struct access *access, size_t site)
{
    return kept.write && !kept.passed && !(access->kind & ACCESS_WRITE) &&
           kept.thread == current_thread->number && kept.block == current_block->number &&
           access->bytes == kept.access.bytes && access->bytes >= 8 && access->bytes <= MOST_BYTES &&
           access->address != kept.access.address && sites.line[site] == sites.line[kept.site] &&
           memcmp(kept.before, kept.access.address, access->bytes) == 0;
}

static void put_read(const struct access *access, size_t site, size_t array)
{
    fprintf(file, "[\"r\",%" PRIu64 ",%u,%zu,%zu,%zu,%zu,%u", current_block->number, current_thread->number,
            site, array, (size_t)(access->address - arrays.array[array].begin), access->bytes, access->kind);
    put_bytes(access->address, access->bytes);
    fputs("]\n", file);
}

static void look(const struct access *access)
{
    if (access->space == MEMORY_LOCAL || access->space == MEMORY_HOST || repeats(access))
        return;
    const size_t site = number_of_site(access->site);
    if (is_read_of_kept_copy(access, site))
        kept.passed = true;
    else if (!begin_event())
        return;
    const size_t array = number_of_array(access->address, access->space, access->region);
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
    memcpy(kept.before, access->address, access->bytes < MOST_BYTES ? access->bytes : MOST_BYTES);
}

static void combine(const void *site)
{
    if (!begin_event())
        return;
    kept.combine = true;
    kept.block = current_block->number;
    kept.thread = current_thread->number;
    kept.site = number_of_site(site);
}

void simt_trace_combine(uint64_t left, uint64_t right, uint64_t made, unsigned bytes)
{
    if (!file || !current_thread || !kept.combine)
        return;
    kept.combine = false;
    fprintf(file, "[\"c\",%" PRIu64 ",%u,%zu", kept.block, kept.thread, kept.site);
    put_bytes(&left, bytes);
    put_bytes(&right, bytes);
    put_bytes(&made, bytes);
    fputs("]\n", file);
}

static void barrier(const struct block *block)
{
    settle();
    if (cut)
        return;
    const size_t site = number_of_site(block->barrier_site);
    fprintf(file, "[\"barrier\",%" PRIu64 ",%zu]\n", block->number, site);
}

static void grid(void)
{
    settle();
    fputs("[\"grid\"]\n", file);
}

static void warp(const struct thread *first, uint32_t mask, uint32_t arrived, int operation)
{
    (void)operation;
    if (!begin_event())
        return;
    const size_t site = number_of_site(first[__builtin_ctz(arrived ? arrived : 1)].wait_site);
    fprintf(file, "[\"warp\",%" PRIu64 ",%u,%zu,%u,%u]\n", first->block->number, first->number / WARP_SIZE,
            site, mask, arrived);
}

static void copy(const struct copy *copy)
{
    struct region *to = NULL, *from = NULL;
    const enum memory_space to_space = memory_classify(copy->to, &to);
    const enum memory_space from_space = copy->from ? memory_classify(copy->from, &from) : MEMORY_HOST;
    if (to_space == MEMORY_HOST || copy->bytes == 0 || !begin_event())
        return;
    const size_t site = number_of_site(copy->site);
    const size_t target = number_of_array(copy->to, to_space, to);
    if (!copy->from) {
        kept.fill = true;
        kept.site = site;
        kept.array = target;
        kept.access = (struct access){.address = copy->to, .bytes = copy->bytes};
        return;
    }
    const bool known = from_space != MEMORY_HOST;
    const size_t source = known ? number_of_array(copy->from, from_space, from) : 0;
    fprintf(file, "[\"copy\",%zu,", site);
    if (known)
        fprintf(file, "%zu,%zu", source, (size_t)((const char *)copy->from - arrays.array[source].begin));
    else
        fputs("null,0", file);
    fprintf(file, ",%zu,%zu,%zu", target, (size_t)((char *)copy->to - arrays.array[target].begin),
            copy->bytes);
    put_bytes(copy->from, copy->bytes);
    fputs("]\n", file);
}

/* Its memory can be read for the last time. */
static void release(const struct region *region)
{
    (void)region;
    settle();
}

static void see_request(const struct record_request *seen)
{
    static const char *const kinds[] = {"shared", "global", "combine"};
    if (!begin_event())
        return;
    const size_t site = number_of_site(seen->site);
    fprintf(file, "[\"request\",%" PRIu64 ",%u,%zu,\"%s\",%u,%u,%u,%u]\n", seen->block->number, seen->warp,
            site, kinds[seen->kind], seen->request->lanes, seen->request->bytes, seen->needed, seen->least);
}

static void see_finding(int number, const struct simt_finding *finding)
{
    settle();
    fprintf(file, "[\"finding\",%d,", number);
    if (current_thread)
        fprintf(file, "%" PRIu64 ",%u,", current_block->number, current_thread->number);
    else
        fputs("null,null,", file);
    put_text(simt_finding_name(finding->kind));
    fprintf(file, ",%s,", finding->warning ? "true" : "false");
    put_text(finding->where.file);
    fprintf(file, ",%d,%d,", finding->where.line, finding->other.line);
    put_text(finding->variable);
    fputc(',', file);
    put_text(finding->title);
    fputc(',', file);
    put_text(finding->detail);
    fputc(',', file);
    put_text(finding->hint);
    fputs("]\n", file);
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
                                         .release = release,
                                         .copy = copy};

/* ---- a process's record ---------------------------------------------------------------------------------------- */

static __attribute__((constructor(200))) void open_record(void)
{
    const char *path = getenv("SIMT_TRACE");
    if (!path || !path[0])
        return;
    file = fopen(path, "we");
    if (!file) {
        fprintf(stderr, "simt: SIMT_TRACE=%s: %s\n", path, strerror(errno));
        exit(2);
    }
    setvbuf(file, NULL, _IOFBF, BUFFER);
    fprintf(file, "[\"simt record\",%d]\n", VERSION);
    record_request = see_request;
    record_finding = see_finding;
    simt_measure(true);
}

static __attribute__((destructor)) void close_record(void)
{
    if (!file)
        return;
    settle();
    fputs("[\"close\"]\n", file);
    fclose(file);
    file = NULL;
}
