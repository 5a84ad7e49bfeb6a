#include "checks/sampled/sample.h"
#include "core/error.h"
#include "core/fault.h"
#include "core/module.h"
#include "report/finding.h"
#include "report/source.h"
#include "simt.h"

#include <stdio.h>
#include <string.h>

enum {
    MOST_TARGETS = 6,
    MOST_PLANNED = 96,     /* blocks that run in a launch */
    MOST_PAGES = 33 << 10, /* of long arrays, accessed by a block one after another: each costs 10 us */
    PATIENCE = 4,          /* blocks in a call that may use all of that; later ones may use a part */
    IMPATIENCE = 32,       /* the divisor for that part */
    MOST_LAUNCHES = 5000,  /* in a call; no algorithm with n log n work makes so many */
    MOST_SEARCHES = 100,   /* launches in which the last working block is searched for */
    MOST_REACHES = 256,    /* pairs of a kernel and an array */
    HOST_SHARE = 32 /* far_index / HOST_SHARE accesses of host code are allowed: several for each tile */
};
static const uint64_t MOST_IN_CALL = (uint64_t)1 << 24; /* accesses; further launches do not run */
static const size_t LONG_BYTES = (size_t)1 << 30;       /* size of arrays that are checked */
static const size_t LONG_COPY = (size_t)1 << 22;        /* bytes; longer copies are not done */
static const size_t WRAP = (size_t)1 << 32;

/* How far the blocks of a kernel get in an array, over all launches of the call. */
struct reach {
    char kernel[96];
    struct region *region;
    size_t end;       /* in bytes */
    size_t expected;  /* bytes for which its grid is made, if more than `end`; else 0 */
    const void *site; /* site of the access that should reach that far */
    size_t element;
    bool dropped;
    bool truncated; /* its grid is made for the lower 32 bits of the length */
};

static struct {
    size_t far_index;
    bool reporting, unsure, given_up;
    unsigned launches, searches, exhausted;
    uint64_t accesses, host_accesses;
    struct reach reaches[MOST_REACHES];
    size_t reach_count;
    const void *last_site; /* site of the last launch */
} run;

/* The last of the blocks that do something, and the first later one that does not; 0: none. */
struct last_block {
    uint64_t does, does_not;
};

/* A long array that blocks of the launch access. */
struct target {
    struct region *region;
    struct last_block accesses;
    struct last_block reaches; /* at least as far as the first block that accesses it */
    size_t first_end, end;     /* how far that block and the running one get, in bytes */
};

/* Called when an argument of a launch has lost upper bits in its conversion to the parameter: see simt_launch.h. */
void simt_narrow_argument(const void *kernel, uint64_t value, unsigned bits);
void simt_narrow_argument(const void *kernel, uint64_t value, unsigned bits)
{
    if (!sampler || value < run.far_index / 2 || value >> 63)
        return;
    sample_report(&(struct finding_facts){.rule = SIMT_RULE_PARAMETER_NARROW,
                                          .site = __builtin_return_address(0),
                                          .hint = SIMT_HINT_PARAMETER_AS_SIZE,
                                          .fact = {FACT_TEXT(KERNEL, source_function(kernel)),
                                                   FACT_NUMBER(VALUE, value), FACT_NUMBER(BITS, bits)}});
}

static struct {
    const struct launch *launch;
    uint64_t plan[MOST_PLANNED];
    size_t planned, next;
    uint64_t running, accesses, pages;
    const void *page; /* accessed last */
    struct target targets[MOST_TARGETS];
    size_t target_count;
    bool searching, exhausted, dropped /* the running block */;
} now;

/* A sampled run reports only findings of its own, because others may follow from blocks that did not run. Remembers
 * the line of a dropped finding: arrays that no block reached are reported there. */
static bool is_dropped(enum simt_finding_kind kind, const void *site)
{
    if (run.reporting || (kind == SIMT_OUT_OF_BOUNDS && current_thread && index_is_lawful()))
        return false;
    if (site && module_of_code(site)) /* but not a line of the harness */
        run.last_site = site;
    return true;
}

void sample_report(const struct finding_facts *facts)
{
    run.reporting = true;
    finding_report(facts);
    run.reporting = false;
}

bool sample_is_long(const struct region *region)
{
    return region->array_bytes >= LONG_BYTES;
}

size_t sample_far_offset(const struct region *region, size_t element)
{
    (void)region;
    return run.far_index * element;
}

/* ---- the choice of blocks --------------------------------------------------------------------------------- */

static uint64_t number_of(unsigned x, unsigned y, unsigned z)
{
    const struct index3 grid = now.launch->grid;
    return x + (uint64_t)grid.x * (y + (uint64_t)grid.y * z);
}

static void plan(uint64_t number)
{
    for (size_t i = 0; i < now.planned; i++)
        if (now.plan[i] == number)
            return;
    if (now.planned < MOST_PLANNED)
        now.plan[now.planned++] = number;
}

/* Plans block 0; the three blocks on each axis from which the progression of the addresses is learnt; and the last
 * ones. */
static void plan_launch(void)
{
    const struct index3 grid = now.launch->grid;
    const unsigned x = grid.x >= 4, y = grid.y >= 4, z = grid.z >= 4;
    plan(0);
    plan(number_of(x, y, z));
    for (unsigned i = 1; i <= 2; i++) {
        if (x + i < grid.x)
            plan(number_of(x + i, y, z));
        if (y + i < grid.y)
            plan(number_of(x, y + i, z));
        if (z + i < grid.z)
            plan(number_of(x, y, z + i));
    }
    plan(number_of(grid.x - 1, y, z));
    plan(number_of(x, grid.y - 1, z));
    plan(number_of(x, y, grid.z - 1));
    if (now.launch->grid_blocks > 1)
        plan(now.launch->grid_blocks - 2);
    plan(now.launch->grid_blocks - 1);
}

static bool begin_launch(const struct launch *launch)
{
    memset(&now, 0, sizeof now);
    now.launch = launch;
    run.last_site = launch->site;
    if (++run.launches > MOST_LAUNCHES) {
        sample_report(&(struct finding_facts){.rule = SIMT_RULE_HOST_LAUNCHES_ENDLESSLY,
                                              .site = launch->site,
                                              .note = {SIMT_NOTE_LAUNCHES},
                                              .hint = SIMT_HINT_STRIDE_AS_SIZE,
                                              .fact = {FACT_NUMBER(LAUNCHES, run.launches)}});
        return false;
    }
    if (run.accesses > MOST_IN_CALL)
        run.given_up = run.unsure = true;
    else
        plan_launch();
    index_begin_launch(launch);
    ghost_begin_launch();
    return true;
}

/* The last blocks did not access a long array that others did, or did not get as far as the first one. Searches for
 * the last block that does, because two-dimensional grids may have spare rows, padded arrays are longer than others, and
 * in the last turn of a loop whose stride is the grid there may be work for the first blocks only. */
static bool plan_search(void)
{
    for (size_t i = 0; !now.exhausted && i < 2 * now.target_count && now.planned < MOST_PLANNED; i++) {
        const struct target *target = &now.targets[i / 2];
        const struct last_block *last = i % 2 ? &target->reaches : &target->accesses;
        if (last->does_not < last->does + 2)
            continue;
        run.searches += !now.searching;
        now.searching = true;
        if (run.searches > MOST_SEARCHES)
            return false;
        plan(last->does + (last->does_not - last->does) / 2);
        if (now.next < now.planned)
            return true;
    }
    return false;
}

static bool next_block(uint64_t *number)
{
    if (now.next == now.planned && !plan_search())
        return false;
    *number = now.running = now.plan[now.next++];
    now.accesses = now.pages = 0;
    now.dropped = false;
    ghost_begin_block(now.running);
    return true;
}

static void extend(size_t *end, const struct region *region, const void *address, size_t bytes)
{
    const size_t reached = (size_t)((const char *)address + bytes - region->array);
    if (reached > *end)
        *end = reached;
}

static void note_block(struct last_block *last, bool does)
{
    if (now.running <= last->does)
        return;
    if (does)
        last->does = now.running;
    else if (last->does_not <= last->does || now.running < last->does_not)
        last->does_not = now.running;
}

static void end_block(void)
{
    run.accesses += now.accesses;
    ghost_end_block();
    index_end_block(now.dropped);
    for (size_t i = 0; i < now.target_count; i++) {
        struct target *target = &now.targets[i];
        note_block(&target->accesses, target->end > 0);
        if (target->first_end == 0)
            target->first_end = target->end;
        note_block(&target->reaches, target->end >= target->first_end);
        target->end = 0;
    }
}

static void note_target(struct region *region, const struct access *access)
{
    size_t i = 0;
    while (i < now.target_count && now.targets[i].region != region)
        i++;
    if (i == MOST_TARGETS)
        return;
    if (i == now.target_count)
        now.targets[now.target_count++] = (struct target){.region = region};
    extend(&now.targets[i].end, region, access->address, access->bytes);
}

/* ---- how far blocks get ------------------------------------------------------------------------------------- */

static struct reach *find_reach(struct region *region)
{
    static struct reach *last;
    if (last && last >= run.reaches && last < run.reaches + run.reach_count && last->region == region &&
        strcmp(last->kernel, now.launch->kernel) == 0)
        return last;
    for (size_t i = 0; i < run.reach_count; i++) {
        last = &run.reaches[i];
        if (last->region == region && strncmp(last->kernel, now.launch->kernel, sizeof last->kernel - 1) == 0)
            return last;
    }
    if (run.reach_count == MOST_REACHES)
        return last = NULL;
    last = &run.reaches[run.reach_count++];
    *last = (struct reach){.region = region};
    snprintf(last->kernel, sizeof last->kernel, "%s", now.launch->kernel);
    return last;
}

static void drop(void)
{
    run.unsure = now.dropped = true;
    for (size_t i = 0; i < run.reach_count; i++)
        if (strncmp(run.reaches[i].kernel, now.launch->kernel, sizeof run.reaches[i].kernel - 1) == 0)
            run.reaches[i].dropped = true;
}

static void access(const struct access *access)
{
    now.accesses++;
    index_see(access);
    const unsigned part = run.exhausted < PATIENCE ? 1 : IMPATIENCE;
    if (now.accesses <= SAMPLE_MOST_ACCESSES / part && now.pages <= MOST_PAGES / part)
        return;
    run.exhausted++;
    if (now.planned > now.next + 1) /* the others are as long, so only the last one is run */
        now.next = now.planned - 1;
    now.exhausted = true;
    fault_raise(ERROR_LAUNCH_TIMEOUT);
}

bool simt_sample_fill(const void *pointer, enum simt_sample_values values)
{
    struct region *region = memory_find(pointer);
    if (!region || region->freed || region->begin != pointer)
        return false;
    region->sample.values = values;
    return true;
}

/* Fills a page at its first access. The last word shows whether it is filled, because it is then not zero. */
static void fill_page(const struct region *region, const void *address)
{
    uint32_t *page = (uint32_t *)((uintptr_t)address / MEMORY_PAGE * MEMORY_PAGE);
    const size_t words = MEMORY_PAGE / sizeof *page;
    if (page[words - 1] != 0)
        return;
    const uint32_t first = (uint32_t)(page - (uint32_t *)region->array);
    for (uint32_t i = 0; i < words; i++)
        page[i] = region->sample.values == SIMT_INDICES ? first + i : 1;
}

static void reach(const struct access *access)
{
    struct region *region = access->region;
    ghost_see(access);
    if (!sample_is_long(region))
        return;
    if (region->sample.values)
        fill_page(region, access->address);
    note_target(region, access);
    const void *page = (const void *)((uintptr_t)access->address / MEMORY_PAGE);
    now.pages += page != now.page && page != region->sample.page;
    now.page = region->sample.page = page;
    extend(access->kind & ACCESS_WRITE ? &region->sample.written : &region->sample.read, region,
           access->address, access->bytes);
    region->sample.site = access->site;
    struct reach *reach = find_reach(region);
    if (reach)
        extend(&reach->end, region, access->address, access->bytes);
}

bool sample_copy(const struct copy *copy)
{
    struct region *to = memory_find(copy->to), *from = copy->from ? memory_find(copy->from) : NULL;
    if (to && sample_is_long(to))
        extend(&to->sample.written, to, copy->to, copy->bytes);
    if (from && sample_is_long(from))
        extend(&from->sample.read, from, copy->from, copy->bytes);
    return copy->bytes <= LONG_COPY;
}

/* Is the kernel's grid made for more of an array than its blocks access? */
static void compare_with_grid(struct reach *reach)
{
    const void *site = NULL;
    size_t element = 0, step = 0, end = index_expected_end(reach->region, &site, &element, &step);
    if (end == 0)
        return;
    const size_t length = reach->region->array_bytes / element, rest = length % WRAP * element;
    const size_t far = sample_far_offset(reach->region, element);
    if (reach->region->array_bytes <= far)
        return; /* an array that ends there has nothing behind it */
    if (end > far && end <= reach->region->array_bytes + step) {
        reach->expected = end;
    } else if (length >= WRAP && end >= rest && end < rest + step && now.launch->grid_blocks > 1) {
        reach->expected = end;
        reach->truncated = true;
    } else {
        return;
    }
    reach->site = site;
    reach->element = element;
}

static void end_launch(void)
{
    if (now.launch->grid_blocks > 1 && ghost_is_unsure())
        drop();
    for (size_t i = 0; i < run.reach_count; i++)
        if (strncmp(run.reaches[i].kernel, now.launch->kernel, sizeof run.reaches[i].kernel - 1) == 0)
            compare_with_grid(&run.reaches[i]);
    now.launch = NULL;
}

/* ---- the verdict ------------------------------------------------------------------------------------------- */

static void report_kernel(const struct reach *reach)
{
    sample_report(&(struct finding_facts){
        .rule = SIMT_RULE_KERNEL_STOPS_EARLY,
        .site = reach->site,
        .variable = finding_named(reach->region->name),
        .note = {reach->truncated ? SIMT_NOTE_ELEMENTS_AND_LOWER_BLOCKS : SIMT_NOTE_ELEMENTS_AND_ALL_BLOCKS},
        .hint = SIMT_HINT_LENGTHS_AS_SIZE,
        .fact = {FACT_TEXT(KERNEL, reach->kernel), FACT_NUMBER(END, reach->end / reach->element),
                 FACT_NUMBER(ELEMENTS, reach->region->array_bytes / reach->element)}});
}

static void report_array(const struct region *region, bool written, size_t end)
{
    const size_t element = region->element_size ? region->element_size : 1;
    sample_report(&(struct finding_facts){
        .rule = written ? SIMT_RULE_END_NOT_WRITTEN : SIMT_RULE_END_NOT_READ,
        .site = region->sample.site ? region->sample.site : run.last_site,
        .variable = finding_named(region->name),
        .note = {SIMT_NOTE_ELEMENTS},
        .hint = SIMT_HINT_LENGTHS_AS_SIZE_EVERYWHERE,
        .fact = {FACT_NUMBER(END, end / element), FACT_NUMBER(ELEMENTS, region->array_bytes / element)}});
}

bool simt_sample_expect(const void *pointer, bool written)
{
    struct region *region = memory_find(pointer);
    if (!region || region->freed || region->begin != pointer)
        return false;
    region->sample.must_be_read |= !written;
    region->sample.must_be_written |= written;
    return true;
}

void simt_sample_judge(void)
{
    if (!sampler)
        return;
    bool reached = false;
    const struct region *unread = NULL;
    for (size_t i = 0; i < run.reach_count; i++) {
        const struct reach *reach = &run.reaches[i];
        if (reach->expected && !reach->dropped && (reach->truncated || reach->end < reach->expected) &&
            reach->end <= sample_far_offset(reach->region, reach->element))
            report_kernel(reach);
    }
    if (run.unsure || simt_finding_count() > 0)
        return;
    for (const struct region *region = memory_newest(); region; region = region->previous) {
        const size_t element = region->element_size ? region->element_size : 1;
        const size_t far = sample_far_offset(region, element);
        if (region->freed || far >= region->array_bytes)
            continue;
        if (region->sample.must_be_read && region->sample.read <= far)
            unread = region;
        reached |= region->sample.must_be_read && region->sample.read > far;
        if (region->sample.must_be_written && region->sample.written <= far)
            report_array(region, true, region->sample.written);
    }
    if (unread && !reached)
        report_array(unread, false, unread->sample.read);
}

/* Ends host code by the amount of its work, not by time, which would depend on the machine. */
static void see_host(const void *site)
{
    if (++run.host_accesses != run.far_index / HOST_SHARE)
        return;
    sample_report(&(struct finding_facts){.rule = SIMT_RULE_HOST_ENDLESS,
                                          .site = site,
                                          .note = {SIMT_NOTE_HOST_AT_ACCESS},
                                          .hint = SIMT_HINT_HOST_LOOP_AS_SIZE,
                                          .fact = {FACT_NUMBER(ACCESSES, run.host_accesses)}});
    fault_raise(ERROR_LAUNCH_TIMEOUT);
}

/* ---- on and off -------------------------------------------------------------------------------------------- */

static const struct sampler table = {.begin_launch = begin_launch,
                                     .next_block = next_block,
                                     .begin_block = index_begin_block,
                                     .drop = drop,
                                     .end_block = end_block,
                                     .end_launch = end_launch,
                                     .access = access,
                                     .in_region = reach,
                                     .elsewhere = ghost_see,
                                     .host = see_host};

void simt_sample(size_t far_index)
{
    if (!far_index && !sampler)
        return;
    memset(&run, 0, sizeof run);
    run.far_index = far_index;
    sampler = far_index > 0 ? &table : NULL;
    finding_is_dropped = sampler ? is_dropped : NULL;
    memory_begin_sparse(sampler);
    observers_activate();
}
