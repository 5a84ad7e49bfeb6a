/* Meters by source line: a row of counts for each code address. The rows of a line are added up on demand. */
#include "meters/lines.h"
#include "report/source.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_SLOTS = 256 /* a power of two */ };

/* A hash table from code addresses to row numbers; at most half full. */
struct slot {
    const void *site; /* null: empty */
    unsigned number;
};
static struct slot *slots;
static size_t slots_size;

static struct simt_line *rows; /* by number */
static const void **sites;     /* by number */
static unsigned used, capacity;

static struct simt_line *lines; /* the sums by source line */
static size_t lines_used;

void *lines_grown(void *memory, size_t bytes)
{
    void *more = realloc(memory, bytes);
    if (!more)
        abort();
    return more;
}

static struct slot *find(const void *site)
{
    size_t at = ((uintptr_t)site * 0x9e3779b97f4a7c15u >> 32) & (slots_size - 1);
    while (slots[at].site && slots[at].site != site)
        at = (at + 1) & (slots_size - 1);
    return &slots[at];
}

static void rehash(size_t size)
{
    slots_size = size;
    slots = lines_grown(slots, size * sizeof *slots);
    memset(slots, 0, size * sizeof *slots);
    for (unsigned i = 0; i < used; i++)
        *find(sites[i]) = (struct slot){sites[i], i};
}

unsigned lines_site(const void *site)
{
    if (2 * (size_t)used >= slots_size)
        rehash(slots_size ? 2 * slots_size : FIRST_SLOTS);
    struct slot *slot = find(site);
    if (slot->site)
        return slot->number;
    if (used == capacity) {
        capacity = capacity ? 2 * capacity : FIRST_SLOTS;
        rows = lines_grown(rows, capacity * sizeof *rows);
        sites = lines_grown(sites, capacity * sizeof *sites);
    }
    memset(&rows[used], 0, sizeof *rows);
    sites[used] = site;
    *slot = (struct slot){site, used};
    return used++;
}

const void *lines_site_at(unsigned number)
{
    return sites[number];
}

struct simt_line *lines_at(unsigned number)
{
    return &rows[number];
}

void lines_begin_run(void)
{
    used = 0;
    lines_used = 0;
    if (slots)
        memset(slots, 0, slots_size * sizeof *slots);
}

/* ---- by source line ------------------------------------------------------------------------------------- */

static int by_place(const void *left, const void *right)
{
    const struct simt_location *a = &((const struct simt_line *)left)->where;
    const struct simt_location *b = &((const struct simt_line *)right)->where;
    int order = strcmp(a->file, b->file);
    if (order == 0)
        order = (a->line > b->line) - (a->line < b->line);
    return order;
}

static void add(struct simt_line *to, const struct simt_line *from)
{
    to->combines += from->combines;
    to->barriers += from->barriers;
    to->instructions += from->instructions;
    to->idle_lanes += from->idle_lanes;
    to->shared_requests += from->shared_requests;
    to->shared_wavefronts += from->shared_wavefronts;
    to->excess_wavefronts += from->excess_wavefronts;
    to->global_requests += from->global_requests;
    to->global_sectors += from->global_sectors;
    to->excess_sectors += from->excess_sectors;
    to->atomics += from->atomics;
}

size_t simt_line_count(void)
{
    lines = lines_grown(lines, (used + 1) * sizeof *lines);
    for (unsigned i = 0; i < used; i++) {
        lines[i] = rows[i];
        source_location(sites[i], &lines[i].where);
    }
    qsort(lines, used, sizeof *lines, by_place);
    lines_used = 0;
    for (unsigned i = 0; i < used; i++) {
        if (lines_used > 0 && by_place(&lines[lines_used - 1], &lines[i]) == 0)
            add(&lines[lines_used - 1], &lines[i]);
        else
            lines[lines_used++] = lines[i];
    }
    return lines_used;
}

const struct simt_line *simt_line_at(size_t i)
{
    return i < lines_used ? &lines[i] : NULL;
}
