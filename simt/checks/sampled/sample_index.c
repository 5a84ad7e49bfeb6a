/* Finds indices that have wrapped around. The first blocks of a launch show by how many bytes an access moves from
 * block to block, and from iteration to iteration of a loop. If the address of a later block differs from this
 * progression by a multiple of 2^32, in bytes or in elements, and the block never gets to the predicted one, it was
 * computed in 32 bits. A right kernel differs by exactly that only in a loop whose stride is the grid, of 2^32 bytes: a
 * later block makes an access in an earlier turn than the first blocks do, and is at the predicted address in theirs.
 * Where a block is dropped, its loop would get there at some time, but not in a number of turns that any block makes. */
#include "checks/sampled/sample.h"
#include "core/error.h"
#include "core/fault.h"
#include "report/finding.h"
#include "report/source.h"

#include <stdint.h>
#include <string.h>

enum {
    SITES = 512, /* number of access sites in a kernel; further ones are not checked */
    AXES = 3
};

#define WRAP ((int64_t)1 << 32)

/* One access in the code, as made by the thread that gets there first in a block. */
struct site {
    const void *code; /* null: a free slot */
    size_t bytes;
    uint64_t block;  /* serial of the last block that got here */
    unsigned first;  /* the thread that got here first in that block */
    unsigned thread; /* the same in the block where the progression begins */
    bool has_origin;
    intptr_t origin;     /* its address there */
    int64_t step[AXES];  /* bytes from block to block */
    bool has_step[AXES]; /* one step is known */
    bool follows[AXES];  /* a second step was equal */
    intptr_t lawful; /* address of that access if this is a later block and the address is right; else 0 */
    intptr_t last;   /* address of the previous access of thread `first` */
    int64_t turn;    /* bytes between its last two accesses */
    unsigned equal_turns; /* number of equal turns in a row */
    struct early *early;  /* not null if that access may be the one of a later turn of the first blocks */
};

/* An access with another address than the predicted one. */
struct early {
    const struct site *site;
    struct access access;
    struct simt_thread thread;
    intptr_t expected; /* 0: the thread got there in a later turn */
};

static struct site sites[SITES];
static struct early early[SITES]; /* of the running block */
static size_t early_count;
static bool lawful; /* whether the last access was: see index_is_lawful */
static uint64_t serial;
static struct index3 grid, at, origin; /* of the launch; of the block; where the progression begins */

static unsigned axis_of(struct index3 index, unsigned axis)
{
    return axis == 0 ? index.x : axis == 1 ? index.y : index.z;
}

/* Tile 0 is often a special case, so the progression begins at block 1 if there are enough blocks. */
static unsigned origin_on(unsigned extent)
{
    return extent >= 4 ? 1 : 0;
}

void index_begin_launch(const struct launch *launch)
{
    memset(sites, 0, sizeof sites);
    grid = launch->grid;
    origin = (struct index3){origin_on(grid.x), origin_on(grid.y), origin_on(grid.z)};
}

void index_begin_block(const struct block *block)
{
    serial++;
    at = block->index;
    early_count = 0;
}

static struct site *find_site(const struct access *access)
{
    const uintptr_t code = (uintptr_t)access->site;
    size_t i = (code ^ code >> 9) % SITES;
    for (size_t tries = 0; tries < SITES; tries++, i = (i + 1) % SITES) {
        if (sites[i].code == access->site)
            return &sites[i];
        if (!sites[i].code) {
            sites[i] = (struct site){.code = access->site, .bytes = access->bytes};
            return &sites[i];
        }
    }
    return NULL;
}

/* The element at an address, which may be outside the region. */
static struct simt_variable element_at(const struct region *region, intptr_t address, size_t element)
{
    struct simt_variable variable = finding_named(region->name);
    variable.memory = SIMT_IN_ALLOCATION;
    variable.is_element = true;
    variable.index = (address - (intptr_t)region->array) / (int64_t)element;
    variable.length = region->array_bytes / element;
    variable.element = (uint32_t)element;
    return variable;
}

static int line_of_allocation(const struct region *region)
{
    struct simt_location location = {.line = 0};
    if (region->alloc_site)
        source_location(region->alloc_site, &location);
    return location.line;
}

static bool is_in_array(const struct region *region, intptr_t address, size_t bytes)
{
    const intptr_t offset = address - (intptr_t)region->array;
    return offset >= 0 && (size_t)offset + bytes <= region->array_bytes;
}

/* Does the address differ from the expected one, which is in a long array, as if it had been computed in 32 bits? */
static bool has_wrapped(const struct access *access, intptr_t expected)
{
    const int64_t off = (intptr_t)access->address - expected;
    const struct region *region = off != 0 && off % WRAP == 0 ? memory_find((const void *)expected) : NULL;
    return region && !region->freed && sample_is_long(region) && is_in_array(region, expected, access->bytes);
}

static void report(const struct site *site, const struct access *access, struct simt_thread thread,
                   intptr_t expected, enum simt_note why)
{
    const struct region *region = memory_find((const void *)expected);
    const size_t element = region->element_size ? region->element_size : site->bytes;
    const struct simt_variable intended = element_at(region, expected, element);
    sample_report(&(struct finding_facts){
        .rule = region->name ? SIMT_RULE_INDEX_WRAPPED : SIMT_RULE_UNNAMED_INDEX_WRAPPED,
        .site = access->site,
        .variable = element_at(region, (intptr_t)access->address, element),
        .operation = finding_operation(access->kind),
        .bytes = access->bytes,
        .thread = thread,
        .note = {why},
        .hint = SIMT_HINT_INDEX_AS_SIZE,
        .fact = {FACT_NUMBER(EXPECTED, intended.index), FACT_NUMBER(LINE, line_of_allocation(region))}});
}

/* The blocks next to the origin on each axis show the steps. Returns true if this is one of them. */
static bool learn(struct site *site, intptr_t address)
{
    unsigned away = 0, axis = 0, distance = 0;
    for (unsigned i = 0; i < AXES; i++) {
        const int64_t d = (int64_t)axis_of(at, i) - (int64_t)axis_of(origin, i);
        if (d != 0) {
            away++;
            axis = i;
            distance = d > 0 && d <= 2 ? (unsigned)d : 3;
        }
    }
    if (away == 0) {
        site->has_origin = true;
        site->origin = address;
        site->thread = site->first;
        return true;
    }
    if (away > 1 || distance > 2 || !site->has_origin || site->first != site->thread)
        return false;
    if (distance == 1) {
        site->step[axis] = address - site->origin;
        site->has_step[axis] = true;
    } else {
        site->follows[axis] = site->has_step[axis] && address - site->origin == 2 * site->step[axis];
    }
    return true;
}

/* The address that the progression predicts. Returns false if it predicts nothing for this block. */
static bool expect(const struct site *site, struct index3 block, intptr_t *address)
{
    *address = site->origin;
    if (!site->has_origin)
        return false;
    for (unsigned i = 0; i < AXES; i++) {
        const int64_t d = (int64_t)axis_of(block, i) - (int64_t)axis_of(origin, i);
        if (d != 0 && !site->follows[i])
            return false;
        *address += d * site->step[i];
    }
    return true;
}

/* The progression leads out of the array, so this block's access would be out of bounds in a complete run, too. */
static void judge_end(const struct site *site, const struct access *access)
{
    const struct region *region = memory_find((const void *)site->origin);
    if (!region || region->freed || site->origin < (intptr_t)region->array ||
        is_in_array(region, (intptr_t)access->address, access->bytes))
        return;
    const size_t element = region->element_size ? region->element_size : site->bytes;
    sample_report(&(struct finding_facts){.rule = region->name ? SIMT_RULE_OUTSIDE_ARRAY
                                                               : SIMT_RULE_OUTSIDE_UNNAMED_ARRAY,
                                          .site = access->site,
                                          .variable = element_at(region, (intptr_t)access->address, element),
                                          .operation = access->kind & ACCESS_WRITE ? SIMT_WRITE : SIMT_READ,
                                          .bytes = access->bytes,
                                          .note = {SIMT_NOTE_THREAD_AND_LENGTH},
                                          .hint = SIMT_HINT_BYTES_AS_SIZE,
                                          .fact = {FACT_NUMBER(ELEMENTS, region->array_bytes / element),
                                                   FACT_NUMBER(LINE, line_of_allocation(region))}});
    fault_raise(ERROR_ILLEGAL_ADDRESS);
}

static void report_early(struct early *early)
{
    report(early->site, &early->access, early->thread, early->expected, SIMT_NOTE_WRAPPED_SINCE_BLOCK);
    early->expected = 0;
}

static void first_of_block(struct site *site, const struct access *access)
{
    const intptr_t address = (intptr_t)access->address;
    intptr_t expected;
    site->block = serial;
    site->first = current_thread->number;
    site->last = address;
    site->equal_turns = 0;
    site->turn = 0;
    site->lawful = 0;
    site->early = NULL;
    if (learn(site, address) || site->first != site->thread || !expect(site, at, &expected))
        return;
    if (expected == address && (site->step[0] | site->step[1] | site->step[2]) != 0)
        site->lawful = address;
    if (expected == address) {
        judge_end(site, access);
    } else if (has_wrapped(access, expected)) {
        site->early = &early[early_count++];
        *site->early = (struct early){site, *access, finding_thread(current_thread), expected};
        if (!is_in_array(memory_find((const void *)expected), address, access->bytes))
            report_early(site->early);
    }
}

/* May the thread of an access get to the predicted address in a later turn of its loop? */
static bool may_get_there(const struct early *early)
{
    const struct site *site = early->site;
    const int64_t way = early->expected - site->last;
    return site->equal_turns < 2 || site->turn == 0 ||
           (way / site->turn >= 0 && way / site->turn < SAMPLE_MOST_ACCESSES);
}

void index_end_block(bool dropped)
{
    for (size_t i = 0; i < early_count; i++)
        if (early[i].expected && !(dropped && may_get_there(&early[i])))
            report_early(&early[i]);
}

static void see(struct site *site, const struct access *access)
{
    if (site->block != serial) {
        first_of_block(site, access);
        return;
    }
    if (site->first != current_thread->number)
        return;
    const intptr_t address = (intptr_t)access->address;
    const int64_t turn = address - site->last;
    if (site->early && address == site->early->expected)
        site->early->expected = 0;
    if (turn == site->turn) {
        site->equal_turns++;
    } else {
        if (site->equal_turns >= 2 && has_wrapped(access, site->last + site->turn))
            report(site, access, finding_thread(current_thread), site->last + site->turn,
                   SIMT_NOTE_WRAPPED_SINCE_TURN);
        site->equal_turns = 0;
    }
    site->turn = turn;
    site->last = address;
}

bool index_is_lawful(void)
{
    return lawful;
}

void index_see(const struct access *access)
{
    enum { NEAR = 1 << 20 /* bytes that one block may access */ };
    struct site *site = find_site(access);
    lawful = false;
    if (!site)
        return;
    see(site, access);
    lawful = site->lawful && (intptr_t)access->address - site->lawful < NEAR &&
             site->lawful - (intptr_t)access->address < NEAR;
}

size_t index_expected_end(const struct region *region, const void **code, size_t *element, size_t *step)
{
    size_t farthest = 0;
    if (grid.y > 1 || grid.z > 1)
        return 0;
    for (size_t i = 0; i < SITES; i++) {
        const struct site *site = &sites[i];
        intptr_t last;
        if (!site->code || !expect(site, (struct index3){grid.x - 1, 0, 0}, &last) || site->step[0] <= 0 ||
            memory_find((const void *)site->origin) != region)
            continue;
        const size_t end = (size_t)(last + site->step[0] - (intptr_t)region->array);
        if (end > farthest) {
            farthest = end;
            *code = site->code;
            *element = region->element_size ? region->element_size : site->bytes;
            *step = (size_t)site->step[0];
        }
    }
    return farthest;
}
