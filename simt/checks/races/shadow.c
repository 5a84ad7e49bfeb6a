#define _GNU_SOURCE
#include "checks/races/shadow.h"
#include "checks/races/stream.h"
#include "checks/races/vector_clock.h"
#include "core/arch.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* ---- the pool ----------------------------------------------------------------------------------------------- */

struct record *shadow_chunks[CHUNKS];
static uint32_t next_record = 1, free_record;
static struct cell *free_parts; /* linked by their keys */

uint32_t shadow_new_record(void)
{
    uint32_t index = free_record;
    if (index) {
        free_record = shadow_record(index)->next;
        return index;
    }
    if (next_record == 0)
        abort();
    struct record **chunk = &shadow_chunks[next_record >> CHUNK_BITS];
    if (!*chunk && !(*chunk = malloc(CHUNK_RECORDS * sizeof **chunk)))
        abort();
    return next_record++;
}

static struct cell *parts_of(const struct record *record)
{
    return (struct cell *)(uintptr_t)record->key;
}

static void free_parts_of(struct record *record)
{
    struct cell *parts = parts_of(record);
    for (unsigned i = 0; i < WORD_BYTES; i++)
        shadow_clear(&parts[i]);
    parts->key = (uintptr_t)free_parts;
    free_parts = parts;
}

void shadow_unlink(uint32_t *link)
{
    const uint32_t index = *link;
    struct record *record = shadow_record(index);
    *link = record->next;
    if (record_kind(record) == RECORD_SPLIT)
        free_parts_of(record);
    if (record_kind(record) == RECORD_MESSAGE && current_launch &&
        record->site == (uint32_t)current_launch->number)
        vector_clock_drop((struct message *)(uintptr_t)record->key);
    record->next = free_record;
    free_record = index;
}

void shadow_clear(struct cell *cell)
{
    while (cell->record.next)
        shadow_unlink(&cell->record.next);
    cell->record.key = 0;
}

/* ---- split words ---------------------------------------------------------------------------------------------- */

/* The first record of a split word has its parts. */
struct cell *shadow_parts(const struct cell *cell)
{
    if (!cell->record.next)
        return NULL;
    const struct record *record = shadow_record(cell->record.next);
    return record_kind(record) == RECORD_SPLIT ? parts_of(record) : NULL;
}

static void copy_records(struct cell *to, const struct cell *from)
{
    *to = *from;
    to->record.next = 0;
    for (uint32_t at = from->record.next; at; at = shadow_record(at)->next) {
        uint32_t index = shadow_new_record();
        struct record *copy = shadow_record(index);
        *copy = *shadow_record(at);
        if (record_kind(copy) == RECORD_MESSAGE && current_launch &&
            copy->site == (uint32_t)current_launch->number)
            vector_clock_copy((struct message *)(uintptr_t)copy->key);
        copy->next = to->record.next;
        to->record.next = index;
    }
}

void shadow_split(struct cell *cell)
{
    struct cell *parts = free_parts;
    if (parts)
        free_parts = (struct cell *)(uintptr_t)parts->key;
    else if (!(parts = malloc(WORD_BYTES * sizeof *parts)))
        abort();
    for (unsigned i = 0; i < WORD_BYTES; i++)
        copy_records(&parts[i], cell);
    shadow_clear(cell);
    uint32_t index = shadow_new_record();
    *shadow_record(index) =
        (struct record){.key = (uintptr_t)parts, .who = (uint32_t)RECORD_SPLIT << KIND_SHIFT};
    cell->record.next = index;
}

/* ---- allocations ------------------------------------------------------------------------------------------------ */

enum {
    HUGE = 4 << 20, /* size from which large pages are worthwhile */
    SMALL = 1 << 20 /* size up to which clearing is faster than a separate mapping */
};

/* The lines of one allocation. */
struct shadow {
    struct shadow *next, *previous;
    struct line *lines;
    size_t bytes; /* size of the lines */
};

static struct shadow *shadows;

static struct line *map(size_t bytes)
{
    if (bytes <= SMALL)
        return calloc(1, bytes);
    void *lines =
        mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (lines == MAP_FAILED)
        return NULL;
    if (bytes >= HUGE)
        madvise(lines, bytes, MADV_HUGEPAGE);
    return lines;
}

static void unmap(struct line *lines, size_t bytes)
{
    if (bytes <= SMALL)
        free(lines);
    else
        munmap(lines, bytes);
}

struct line *shadow_of_region(struct region *region)
{
    if (region->lines)
        return region->lines;
    struct shadow *shadow = calloc(1, sizeof *shadow);
    if (!shadow)
        return NULL;
    shadow->bytes = (region->bytes + LINE_BYTES - 1) / LINE_BYTES * sizeof *shadow->lines;
    shadow->lines = map(shadow->bytes);
    if (!shadow->lines) {
        free(shadow);
        return NULL;
    }
    shadow->next = shadows;
    if (shadows)
        shadows->previous = shadow;
    shadows = shadow;
    region->shadow = shadow;
    region->lines = shadow->lines;
    return shadow->lines;
}

static struct cell *free_cells; /* of lines, linked by the keys of the first ones */

static struct cell *take_cells(void)
{
    enum { AT_ONCE = 512 /* lines */ };
    if (!free_cells) {
        struct cell *cells = malloc((size_t)AT_ONCE * LINE_WORDS * sizeof *cells);
        if (!cells)
            abort();
        for (size_t i = AT_ONCE; i-- > 0;) {
            cells[i * LINE_WORDS].key = (uintptr_t)free_cells;
            free_cells = &cells[i * LINE_WORDS];
        }
    }
    struct cell *cells = free_cells;
    free_cells = (struct cell *)(uintptr_t)cells->key;
    return cells;
}

void shadow_open(struct line *line)
{
    bool mixed; /* never: one word */
    line->cells = take_cells();
    for (unsigned i = 0; i < LINE_WORDS; i++) {
        struct cell *cell = &line->cells[i];
        *cell = (struct cell){0};
        const struct stream *wrote = stream_of_all(line->wrote, (uint32_t)1 << i, &mixed);
        if (wrote) {
            cell->key = wrote->key;
            cell->site = wrote->site;
            cell->clock = stream_clock(wrote, i);
        }
        const struct stream *read = stream_of_all(line->read, (uint32_t)1 << i, &mixed);
        if (read) {
            const uint32_t clock = stream_clock(read, i);
            cell->record = (struct record){.key = read->key,
                                           .site = read->site,
                                           .lanes = (uint32_t)1 << (clock >> CLOCK_BITS & 31),
                                           .who = record_who(clock, RECORD_READ)};
        }
    }
}

struct cell *shadow_cell(struct region *region, size_t offset)
{
    struct line *lines = shadow_of_region(region);
    if (!lines)
        return shadow_of_word(region->begin + offset);
    struct line *line = &lines[offset / LINE_BYTES];
    if (!line->cells)
        shadow_open(line);
    return &line->cells[offset % LINE_BYTES / WORD_BYTES];
}

static void clear_range(struct line *lines, size_t first, size_t last)
{
    for (size_t i = first; i < last; i++) {
        struct cell *cells = lines[i].cells;
        if (!cells)
            continue;
        for (unsigned word = 0; word < LINE_WORDS; word++)
            if (cells[word].record.next)
                shadow_clear(&cells[word]);
        cells->key = (uintptr_t)free_cells;
        free_cells = cells;
        lines[i].cells = NULL;
    }
}

/* Frees the cells of all lines. Pages that were never accessed are not read. */
static void clear_lines(struct shadow *shadow)
{
    enum { LOOK = 1024 };
    const size_t page_bytes = arch_kernel_page();
    const size_t lines = shadow->bytes / sizeof *shadow->lines;
    if (shadow->bytes <= SMALL) {
        clear_range(shadow->lines, 0, lines);
        return;
    }
    unsigned char touched[LOOK];
    for (size_t at = 0; at < shadow->bytes; at += LOOK * page_bytes) {
        size_t bytes = shadow->bytes - at < LOOK * page_bytes ? shadow->bytes - at : LOOK * page_bytes;
        size_t pages = (bytes + page_bytes - 1) / page_bytes;
        if (mincore((char *)shadow->lines + at, bytes, touched) != 0)
            memset(touched, 1, sizeof touched);
        for (size_t page = 0; page < pages; page++) {
            if (!(touched[page] & 1))
                continue;
            size_t first = (at + page * page_bytes) / sizeof *shadow->lines;
            size_t last = (at + (page + 1) * page_bytes + sizeof *shadow->lines - 1) / sizeof *shadow->lines;
            clear_range(shadow->lines, first, last < lines ? last : lines);
        }
    }
}

void shadow_drop(struct region *region)
{
    struct shadow *shadow = region->shadow;
    if (!shadow)
        return;
    clear_lines(shadow);
    unmap(shadow->lines, shadow->bytes);
    if (shadow->next)
        shadow->next->previous = shadow->previous;
    if (shadow->previous)
        shadow->previous->next = shadow->next;
    else
        shadows = shadow->next;
    free(shadow);
    region->shadow = NULL;
    region->lines = NULL;
}

/* ---- other memory ------------------------------------------------------------------------------------------------ */

enum { PAGES = 1021, PAGE_BYTES = 4096, PAGE_WORDS = PAGE_BYTES / WORD_BYTES };

struct page {
    struct page *next;
    uintptr_t number; /* number of the page of memory */
    struct cell cells[PAGE_WORDS];
};

static struct page *pages[PAGES];

struct cell *shadow_of_word(const void *address)
{
    static struct page *last;
    const uintptr_t number = (uintptr_t)address / PAGE_BYTES;
    const size_t word = (uintptr_t)address % PAGE_BYTES / WORD_BYTES;
    if (last && last->number == number)
        return &last->cells[word];
    struct page **chain = &pages[number % PAGES], *page = *chain;
    while (page && page->number != number)
        page = page->next;
    if (!page) {
        page = calloc(1, sizeof *page);
        if (!page)
            abort();
        page->number = number;
        page->next = *chain;
        *chain = page;
    }
    last = page;
    return &page->cells[word];
}

struct cell *shadow_of_shared(struct cell *cells, size_t *room, size_t words)
{
    if (words <= *room)
        return cells;
    for (size_t i = 0; i < *room; i++)
        shadow_clear(&cells[i]);
    free(cells);
    cells = calloc(words, sizeof *cells);
    if (!cells)
        abort();
    *room = words;
    return cells;
}

void shadow_forget(void)
{
    for (struct shadow *shadow = shadows; shadow; shadow = shadow->next) {
        clear_lines(shadow);
        memset(shadow->lines, 0, shadow->bytes);
    }
    for (size_t i = 0; i < PAGES; i++) {
        for (struct page *page = pages[i]; page; page = page->next) {
            for (size_t k = 0; k < PAGE_WORDS; k++) {
                shadow_clear(&page->cells[k]);
                page->cells[k] = (struct cell){0};
            }
        }
    }
}
