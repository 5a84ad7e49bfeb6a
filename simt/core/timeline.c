#include "core/timeline.h"
#include "core/budget.h"
#include "core/host.h"
#include "include/driver_types.h"

#include <stdlib.h>
#include <string.h>

struct stream {
    void *handle;
    bool blocking;       /* it and the legacy default stream wait for each other */
    bool destroyed;      /* its slot can be reused when the host has waited for everything in it */
    struct moment after; /* what is done before its next operation begins */
    struct operation *operations;
    size_t used, room; /* operations, from `begin` on those that the host has not waited for */
    size_t begin;      /* the first such operation */
};

enum { LEGACY = 0 }; /* index of the legacy default stream */

static struct stream *streams;
static unsigned stream_count;
static struct moment now, host;
static struct operation current;
static uint64_t operations;
static uint32_t next_identity = 1;
bool timeline_running;

/* ---- moments ------------------------------------------------------------------------------------------------ */

static void grow(struct moment *moment, unsigned count)
{
    if (moment->streams >= count)
        return;
    moment->done = realloc(moment->done, count * sizeof *moment->done);
    if (!moment->done)
        abort();
    memset(moment->done + moment->streams, 0, (count - moment->streams) * sizeof *moment->done);
    moment->streams = count;
}

static void join(struct moment *into, const struct moment *from)
{
    grow(into, from->streams);
    budget_spend(from->streams);
    for (unsigned i = 0; i < from->streams; i++)
        into->done[i] = from->done[i] > into->done[i] ? from->done[i] : into->done[i];
}

static uint64_t done(const struct moment *moment, unsigned stream)
{
    return stream < moment->streams ? moment->done[stream] : 0;
}

/* ---- streams ------------------------------------------------------------------------------------------------ */

static unsigned add_stream(void *handle, bool blocking)
{
    struct stream *grown = realloc(streams, (stream_count + 1) * sizeof *streams);
    if (!grown)
        abort();
    streams = grown;
    streams[stream_count] = (struct stream){.handle = handle, .blocking = blocking};
    return stream_count++;
}

static unsigned index_of(void *handle)
{
    if (stream_count == 0)
        add_stream(NULL, true);
    if (handle == (void *)cudaStreamLegacy)
        handle = NULL;
    if (handle == (void *)cudaStreamPerThread)
        handle = &host_thread;
    budget_spend(stream_count);
    for (unsigned i = stream_count; i-- > 0;) { /* if a handle was reused, the newest stream has it */
        if (streams[i].handle == handle)
            return i;
    }
    return add_stream(handle, true);
}

static bool host_knows_all(const struct stream *stream)
{
    for (unsigned i = 0; i < stream->after.streams; i++) {
        if (stream->after.done[i] > done(&host, i))
            return false;
    }
    return stream->begin == stream->used;
}

/* Moments have an entry for each stream. So a program that creates streams again and again reuses their slots. */
void timeline_add_stream(void *handle, bool blocking)
{
    index_of(NULL);
    for (unsigned i = LEGACY + 1; i < stream_count; i++) {
        struct stream *stream = &streams[i];
        if (!stream->destroyed || !host_knows_all(stream))
            continue;
        if (stream->after.streams > 0)
            memset(stream->after.done, 0, stream->after.streams * sizeof *stream->after.done);
        stream->handle = handle;
        stream->blocking = blocking;
        stream->destroyed = false;
        return;
    }
    add_stream(handle, blocking);
}

void timeline_destroy_stream(void *handle)
{
    streams[index_of(handle)].destroyed = true;
}

unsigned timeline_stream_number(const void *handle)
{
    return index_of((void *)handle);
}

bool timeline_has_streams(void)
{
    return stream_count > 1;
}

/* The operations that are done when all operations of the stream are done. */
static void all_of(struct moment *moment, unsigned stream)
{
    join(moment, &streams[stream].after);
    for (unsigned i = 0; stream == LEGACY && i < stream_count; i++) {
        if (streams[i].blocking)
            join(moment, &streams[i].after);
    }
}

/* ---- operations --------------------------------------------------------------------------------------------- */

static void remember(struct stream *stream, const struct operation *operation)
{
    if (stream->begin > 0 && stream->begin == stream->used)
        stream->begin = stream->used = 0;
    if (stream->used == stream->room) {
        stream->room = stream->room ? 2 * stream->room : 16;
        stream->operations = realloc(stream->operations, stream->room * sizeof *stream->operations);
        if (!stream->operations)
            abort();
    }
    stream->operations[stream->used++] = *operation;
}

/* The first operation of the stream that is not done at that moment; null when all are done. */
static const struct operation *first_unknown(unsigned stream, const struct moment *moment)
{
    const struct stream *of = &streams[stream];
    const uint64_t known = done(moment, stream);
    size_t low = of->begin, high = of->used;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (of->operations[middle].number <= known)
            low = middle + 1;
        else
            high = middle;
    }
    return low < of->used ? &of->operations[low] : NULL;
}

static uint32_t floor_of(const struct moment *moment)
{
    uint32_t floor = next_identity;
    for (unsigned i = 0; i < stream_count; i++) {
        const struct operation *unknown = first_unknown(i, moment);
        if (unknown && unknown->first < floor)
            floor = unknown->first;
    }
    return floor;
}

bool timeline_begin(struct operation *operation)
{
    if (operation->count > UINT32_MAX - next_identity)
        return false;
    const unsigned stream = index_of(operation->stream);
    struct stream *in = &streams[stream];
    grow(&now, stream_count);
    memset(now.done, 0, now.streams * sizeof *now.done);
    join(&now, &host);
    all_of(&now, stream);
    if (in->blocking)
        join(&now, &streams[LEGACY].after);

    operation->number = ++operations;
    operation->first = next_identity;
    next_identity += operation->count;
    join(&in->after, &now);
    grow(&in->after, stream_count);
    in->after.done[stream] = operation->number;
    current = *operation;
    remember(in, operation);
    timeline_running = true;
    return true;
}

const struct operation *timeline_unjoined(void)
{
    index_of(NULL);
    grow(&now, stream_count);
    memset(now.done, 0, now.streams * sizeof *now.done);
    join(&now, &host);
    all_of(&now, LEGACY);
    for (unsigned i = 0; i < stream_count; i++) {
        const struct operation *unknown = first_unknown(i, &now);
        const struct operation *end = streams[i].operations + streams[i].used;
        while (unknown && unknown < end && unknown->kind == OPERATION_FREE) /* a free makes no results */
            unknown++;
        if (unknown && unknown < end)
            return unknown;
    }
    return NULL;
}

void timeline_restart(void)
{
    timeline_wait_for_device();
    next_identity = 1;
}

static const struct operation *find(uint32_t identity, unsigned *stream)
{
    for (unsigned i = 0; i < stream_count; i++) {
        const struct stream *in = &streams[i];
        size_t low = in->begin, high = in->used;
        while (low < high) {
            size_t middle = (low + high) / 2;
            if (in->operations[middle].first <= identity)
                low = middle + 1;
            else
                high = middle;
        }
        if (low > in->begin && identity - in->operations[low - 1].first < in->operations[low - 1].count) {
            *stream = i;
            return &in->operations[low - 1];
        }
    }
    return NULL;
}

static bool knows(const struct moment *moment, uint32_t identity)
{
    unsigned stream;
    const struct operation *operation = find(identity, &stream);
    return !operation || operation->number <= done(moment, stream);
}

bool timeline_happened_before(uint32_t identity)
{
    return knows(&now, identity);
}

bool timeline_happened_before_host(uint32_t identity)
{
    return knows(&host, identity);
}

uint32_t timeline_floor(void)
{
    uint32_t floor = floor_of(&now);
    return floor < current.first ? floor : current.first;
}

uint32_t timeline_host_floor(void)
{
    return floor_of(&host);
}

const struct operation *timeline_operation(uint32_t identity)
{
    unsigned stream;
    return find(identity, &stream);
}

/* ---- waiting ------------------------------------------------------------------------------------------------ */

static void host_learns(const struct moment *moment)
{
    join(&host, moment);
    budget_spend(stream_count);
    timeline_running = false;
    for (unsigned i = 0; i < stream_count; i++) {
        struct stream *stream = &streams[i];
        while (stream->begin < stream->used && stream->operations[stream->begin].number <= done(&host, i))
            stream->begin++;
        timeline_running = timeline_running || stream->begin < stream->used;
    }
}

void timeline_wait_for_stream(void *handle)
{
    struct moment moment = {0};
    all_of(&moment, index_of(handle));
    host_learns(&moment);
    free(moment.done);
}

void timeline_wait_for_device(void)
{
    for (unsigned i = 0; i < stream_count; i++)
        host_learns(&streams[i].after);
}

void timeline_record(struct moment *moment, void *handle)
{
    free(moment->done);
    *moment = (struct moment){0};
    all_of(moment, index_of(handle));
}

void timeline_stream_waits(void *handle, const struct moment *moment)
{
    unsigned stream = index_of(handle);
    join(&streams[stream].after, moment);
}

void timeline_host_waits(const struct moment *moment)
{
    host_learns(moment);
}

void timeline_host_sees(uint32_t identity)
{
    unsigned stream;
    const struct operation *operation = find(identity, &stream);
    if (!operation)
        return;
    struct moment moment = {0};
    grow(&moment, stream + 1);
    moment.done[stream] = operation->number;
    host_learns(&moment);
    free(moment.done);
}
