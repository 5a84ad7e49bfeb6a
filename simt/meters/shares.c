/* Meters of how a launch's work is shared among threads and blocks. Five kinds of work are counted:
 *     accesses and combines    links of a chain: see chains.c
 *     joining combines         the combines that join two parts: see simt_count_join
 *     output writes            accesses that write to an array that a harness marked as an output
 *     local accesses           accesses to local arrays and to local variables that have an address
 *     instructions             executed instructions: see chains.c
 * Each is counted for all threads together. `by one thread` and `by one block` are the maximum of any thread or
 * block in a launch, added up over the launches. */
#include "meters/chains.h"

static uint64_t all[SHARES], by_thread[SHARES], by_block[SHARES];           /* of the launches that have
                                                                             * ended */
static uint64_t of_launch[SHARES], busy_thread[SHARES], busy_block[SHARES]; /* of the running launch */

static void begin_run(void)
{
    for (enum share share = 0; share < SHARES; share++)
        all[share] = by_thread[share] = by_block[share] = 0;
}

static void begin_launch(const struct launch *launch)
{
    (void)launch;
    for (enum share share = 0; share < SHARES; share++)
        of_launch[share] = busy_thread[share] = busy_block[share] = 0;
}

static void begin_block(const struct block *block)
{
    for (unsigned i = 0; i < current_launch->block_threads; i++)
        for (enum share share = 0; share < SHARES; share++)
            block->threads[i].share[share] = 0;
}

static void end_block(const struct block *block)
{
    for (enum share share = 0; share < SHARES; share++) {
        uint64_t sum = 0;
        for (unsigned i = 0; i < current_launch->block_threads; i++) {
            const uint64_t work = block->threads[i].share[share];
            sum += work;
            busy_thread[share] = work > busy_thread[share] ? work : busy_thread[share];
        }
        of_launch[share] += sum;
        busy_block[share] = sum > busy_block[share] ? sum : busy_block[share];
    }
}

static void end_launch(const struct launch *launch, bool faulted)
{
    (void)launch, (void)faulted;
    for (enum share share = 0; share < SHARES; share++) {
        all[share] += of_launch[share];
        by_thread[share] += busy_thread[share];
        by_block[share] += busy_block[share];
    }
}

static void look(const struct access *access)
{
    uint32_t *share = current_thread->share;
    share[SHARE_WORK] += chain_links(access);
    if (harness_works)
        return;
    share[SHARE_LOCAL] += access->space == MEMORY_LOCAL;
    share[SHARE_OUTPUTS] += access->kind & ACCESS_WRITE && access->region && access->region->is_output;
}

static void combine(const void *site)
{
    (void)site;
    current_thread->share[SHARE_WORK] += !harness_works;
}

static void join(const struct join *join)
{
    (void)join;
    if (current_thread)
        current_thread->share[SHARE_JOINS] += !harness_works;
}

/* Each value has an observer; the first one does the work. */
#define VALUE(NAME, METER, FROM)                                                                             \
    static uint64_t NAME##_value(void)                                                                       \
    {                                                                                                        \
        return FROM;                                                                                         \
    }                                                                                                        \
    const struct observer NAME##_observer = {                                                                \
        .name = METER, .meter = METER, .value = NAME##_value, .detailed = true, .of_sharing = true};

static uint64_t work_value(void)
{
    return all[SHARE_WORK];
}

const struct observer shares_observer = {.name = "shares",
                                         .meter = "accesses and combines",
                                         .value = work_value,
                                         .detailed = true,
                                         .of_sharing = true,
                                         .begin_run = begin_run,
                                         .begin_launch = begin_launch,
                                         .end_launch = end_launch,
                                         .begin_block = begin_block,
                                         .end_block = end_block,
                                         .access = look,
                                         .combine = combine,
                                         .join = join};

VALUE(thread_work, "accesses and combines by one thread", by_thread[SHARE_WORK])
VALUE(block_work, "accesses and combines by one block", by_block[SHARE_WORK])
VALUE(joining, "joining combines", all[SHARE_JOINS])
VALUE(thread_joining, "joining combines by one thread", by_thread[SHARE_JOINS])
VALUE(block_joining, "joining combines by one block", by_block[SHARE_JOINS])
VALUE(outputs, "output writes", all[SHARE_OUTPUTS])
VALUE(thread_outputs, "output writes by one thread", by_thread[SHARE_OUTPUTS])
VALUE(block_outputs, "output writes by one block", by_block[SHARE_OUTPUTS])
VALUE(instructions, "instructions", all[SHARE_INSTRUCTIONS])
VALUE(thread_instructions, "instructions by one thread", by_thread[SHARE_INSTRUCTIONS])
VALUE(thread_local_accesses, "local accesses by one thread", by_thread[SHARE_LOCAL])
