/* Simulates the effects of blocks that do not run, as far as others wait for them: tickets drawn from a counter,
 * and marks such as "published". The first blocks show by how much a counter advances in each block, which marks
 * each block sets, and their distances. Before a later block runs, its counters get the values that they would have
 * if all blocks before it had run, and the marks of its direct predecessors are set. */
#include "checks/sampled/sample.h"

#include <string.h>

enum {
    COUNTERS = 8,
    MARKS = 32,       /* in one block */
    TEACHERS = 3,     /* blocks 0, 1 and 2 show the progress of counters; 1 and 2 that of marks */
    PREDECESSORS = 32 /* number of blocks whose marks are set: a warp may check this many at once */
};

static struct counter {
    char *address;
    size_t bytes;
    uint64_t begin[TEACHERS], end[TEACHERS]; /* its value before and after each of these blocks */
    unsigned seen;                           /* number of these blocks, in order, that accessed it */
} counters[COUNTERS];
static size_t counter_count;

static struct mark {
    char *address;
    size_t bytes;
} marks[TEACHERS][MARKS];
static size_t mark_count[TEACHERS]; /* more than MARKS: too many */

static uint64_t running;

static uint64_t load(const struct counter *counter)
{
    uint64_t value = 0;
    memcpy(&value, counter->address, counter->bytes);
    return value;
}

void ghost_begin_launch(void)
{
    counter_count = 0;
    memset(mark_count, 0, sizeof mark_count);
}

/* Does the counter advance by the same amount in each of the first blocks? */
static bool is_steady(const struct counter *counter)
{
    const uint64_t step = counter->end[0] - counter->begin[0];
    if (counter->seen < TEACHERS)
        return false;
    for (unsigned i = 1; i < TEACHERS; i++)
        if (counter->begin[i] != counter->end[i - 1] || counter->end[i] - counter->begin[i] != step)
            return false;
    return true;
}

bool ghost_is_unsure(void)
{
    for (size_t i = 0; i < counter_count; i++)
        if (!is_steady(&counters[i]))
            return true;
    return false;
}

static void set_marks_of(uint64_t block)
{
    for (size_t i = 0; i < mark_count[2]; i++) {
        const struct mark *one = &marks[1][i], *two = &marks[2][i];
        char *to = two->address + (two->address - one->address) * (int64_t)(block - 2);
        const struct region *region = memory_find(two->address);
        if (region && memory_find(to) == region && !region->freed && to >= region->array &&
            (size_t)(to - region->array) + two->bytes <= region->array_bytes)
            memcpy(to, two->address, two->bytes);
    }
}

static bool marks_are_steady(void)
{
    if (mark_count[2] == 0 || mark_count[1] != mark_count[2] || mark_count[2] > MARKS)
        return false;
    for (size_t i = 0; i < mark_count[2]; i++)
        if (marks[1][i].bytes != marks[2][i].bytes ||
            memcmp(marks[1][i].address, marks[2][i].address, marks[1][i].bytes) != 0)
            return false;
    return true;
}

void ghost_begin_block(uint64_t block)
{
    running = block;
    if (block < TEACHERS)
        return;
    for (size_t i = 0; i < counter_count; i++)
        if (is_steady(&counters[i])) {
            const uint64_t value = counters[i].begin[0] + (counters[i].end[0] - counters[i].begin[0]) * block;
            memcpy(counters[i].address, &value, counters[i].bytes);
        }
    if (marks_are_steady())
        for (uint64_t back = 1; back <= PREDECESSORS && block - back >= TEACHERS; back++)
            set_marks_of(block - back);
}

static void see_counter(const struct access *access)
{
    size_t i = 0;
    while (i < counter_count && counters[i].address != access->address)
        i++;
    if (i == COUNTERS || (i == counter_count && running > 0) || access->bytes > sizeof(uint64_t))
        return;
    if (i == counter_count)
        counters[counter_count++] = (struct counter){.address = access->address, .bytes = access->bytes};
    if (counters[i].seen == running) {
        counters[i].begin[running] = load(&counters[i]);
        counters[i].seen++;
    }
}

static void see_mark(const struct access *access)
{
    size_t *count = &mark_count[running];
    for (size_t i = 0; i < *count && i < MARKS; i++)
        if (marks[running][i].address == access->address)
            return;
    if (*count < MARKS)
        marks[running][*count] = (struct mark){access->address, access->bytes};
    if (*count <= MARKS)
        ++*count;
}

void ghost_see(const struct access *access)
{
    if (running >= TEACHERS || !(access->kind & ACCESS_WRITE))
        return;
    if (access->kind & ACCESS_CHAINED)
        see_counter(access);
    else if (access->kind & (ACCESS_VOLATILE | ACCESS_ATOMIC))
        see_mark(access);
}

/* Marks are words that are not zero at the end of the block. */
void ghost_end_block(void)
{
    static const char zeros[16];
    if (running >= TEACHERS)
        return;
    for (size_t i = 0; i < counter_count; i++)
        if (counters[i].seen == running + 1)
            counters[i].end[running] = load(&counters[i]);
    if (mark_count[running] > MARKS)
        return;
    size_t kept = 0;
    for (size_t i = 0; i < mark_count[running]; i++)
        if (memcmp(marks[running][i].address, zeros, marks[running][i].bytes) != 0)
            marks[running][kept++] = marks[running][i];
    mark_count[running] = kept;
}
