/* The scheduler. CUDA threads are fibers, and all fibers of a launch run on the host thread that launches. Threads
 * of a block that never wait run one after another on the same fiber.
 *
 * Within a block the threads take turns in a ring. Each runs until it waits (at a barrier, for its warp), yields
 * (before a volatile or atomic access) or returns, and then jumps straight to the next one that is ready. Control
 * returns to the host fiber only when no thread of the block can move, or when all of them spin and nothing
 * changes. The host fiber then lets another resident block run or starts one. So a launch whose blocks do not wait
 * for each other runs block after block in one slot, and its shared memory is never copied. In random order a yield
 * also gives another block its turn now and then, and so does a barrier in a launch that has yielded before. Blocks
 * that communicate by volatile and atomic accesses then meet in more states than "finished" and "not started". */
#include "core/schedule.h"
#include "core/budget.h"
#include "core/error.h"
#include "core/explore.h"
#include "core/hold.h"
#include "core/judge.h"
#include "core/late.h"
#include "core/schedule_order.h"
#include "core/sampler.h"
#include "core/shared.h"
#include "core/stacks.h"
#include "core/turns.h"
#include "simt.h"

#include <stdlib.h>
#include <string.h>

/* The values of blockDim and gridDim in kernels. */
struct index3 simt_block_dim, simt_grid_dim;

/* The number of turns of all resident blocks without any change after which it is a deadlock. A loop that gives up
 * after a bounded number of tries must be shorter. */
static const unsigned IDLE_PASSES = 2000;
/* Another host thread may write the value that the kernel waits for: the device is lent to them this many times,
 * each time for a millisecond. */
static const unsigned MOST_LOANS = 10000;
/* Yields of other blocks while one is held up. That is more than they take to finish; blocks that count in memory how often
 * they poll would never be idle. */
static const uint64_t HELD_YIELDS = 1 << 22;
static const unsigned SAMPLED_IDLE_PASSES = 20; /* the same in a sampled run, where no other block runs */

static struct block *resident; /* [resident_used] slots */
static unsigned resident_used;
static uint64_t started; /* blocks of the launch */

/* ---- life of a block --------------------------------------------------------------------------------------- */

/* Fibers are kept after a launch, too. A thread that runs on another host thread than before gets a new fiber,
 * because compiled code may keep the address of a thread-local variable. */
static struct thread threads[MAX_RESIDENT_THREADS]; /* the threads of a slot are adjacent */
static unsigned prepared;                           /* number of threads with stacks and usable fibers */
static const struct host_thread *prepared_by;       /* null: the last launch did not run to its end */

static bool slot_prepare(struct block *block)
{
    const unsigned count = current_launch->block_threads;
    const unsigned end = ((unsigned)(block - resident) + 1) * count;
    block->threads = &threads[end - count];
    if (end <= prepared)
        return true;
    if (!stacks_reserve(end))
        return false;
    for (; prepared < end; prepared++) {
        struct thread *thread = &threads[prepared];
        memset(thread, 0, sizeof *thread);
        stacks_get(prepared, &thread->stack_low, &thread->stack_high);
    }
    return true;
}

static void block_start(struct block *block, uint64_t number)
{
    const struct launch *launch = current_launch;
    const unsigned count = launch->block_threads;
    struct thread *of_block = block->threads;

    budget_spend(BUDGET_OF_BLOCK + (uint64_t)count * BUDGET_OF_THREAD);
    block->number = number;
    block->index.x = (unsigned)(number % launch->grid.x);
    block->index.y = (unsigned)(number / launch->grid.x % launch->grid.y);
    block->index.z = (unsigned)(number / launch->grid.x / launch->grid.y);
    block->unfinished = count;
    block->at_barrier = block->at_grid = block->at_warp = block->true_count = 0;
    block->barrier_mixed = false;
    block->epoch = 0;
    block->idle_yields = 0;
    block->active = true;

    /* Blocks of a sampled run are compared by their first threads, so their order must be the same. */
    const unsigned *order = order_of_threads(count, sampler ? 0 : number);
    struct thread *last = &of_block[order[count - 1]];
    for (unsigned i = 0; i < count; i++) {
        struct thread *thread = &of_block[order[i]];
        thread->block = block;
        unsigned n = thread->number = order[i];
        thread->index = (struct index3){n, 0, 0};
        if (n >= launch->dim.x)
            thread->index = (struct index3){n % launch->dim.x, n / launch->dim.x % launch->dim.y,
                                            n / launch->dim.x / launch->dim.y};
        thread->state = THREAD_READY;
        thread->begun = false;
        thread->wait_site = NULL;
        thread->request = NULL;
        thread->locals = NULL;
        thread->warp_site = NULL;
        thread->warp_active = 0;
        thread->barrier_site = NULL;
        thread->left_site = NULL;
        thread->previous = last;
        last->next = thread;
        last = thread;
    }
    block->ring = &of_block[order[0]];
    block->resume = NULL;
    shared_begin_block(block);
    observe_begin_block(block);
}

/* Runs a block until it is finished, idle or stuck. */
static void block_turn(struct block *block)
{
    struct thread *first = block->resume ? block->resume : block->ring;
    block->resume = NULL;
    if (!thread_is_ready(first))
        first = thread_next_ready(first);
    if (!first)
        return;
    shared_load(block);
    current_block = block;
    explore_set_index(block);
    observe_turn(block);
    block->idle_yields = block->turn_yields = 0;
    block->seen_progress = schedule_progress;
    threads_run(first);
    observe_leave(block);
    if (!running.abandoned && !block->ring) {
        block->active = false;
        current_launch->blocks_done++;
        observe_end_block(block);
    }
}

/* ---- life of a launch -------------------------------------------------------------------------------------- */

static struct block *free_slot(void)
{
    for (unsigned i = 0; i < resident_used; i++) {
        if (!resident[i].active)
            return &resident[i];
    }
    if (resident_used == running.resident_limit || !slot_prepare(&resident[resident_used]))
        return NULL;
    return &resident[resident_used++];
}

static void wake_all(struct block *block, enum thread_state state)
{
    for (struct thread *t = block->threads; t < block->threads + current_launch->block_threads; t++) {
        if (t->state == state)
            t->state = THREAD_READY;
    }
}

static void release_held(void)
{
    wake_all(running.held, THREAD_HELD);
    running.held = NULL;
}

/* Lets threads and stores that come late go on. Returns false when there are none. */
static bool release_late(void)
{
    const bool stores = late_arrive(), threads = running.late;
    for (unsigned i = 0; i < resident_used && threads; i++)
        if (resident[i].active)
            wake_all(&resident[i], THREAD_HELD);
    running.late = false;
    return stores || threads;
}

static void release_grid(void)
{
    observe_grid();
    if (explore_watches)
        explore_meet_grid(resident, resident_used);
    running.grid_waiting = 0;
    schedule_progress++;
    for (unsigned i = 0; i < resident_used; i++) {
        struct block *block = &resident[i];
        block->at_grid = 0;
        if (block->active)
            wake_all(block, THREAD_AT_GRID);
    }
}

/* Gives each resident block one turn. A finished block is replaced at once by the next one of the grid. An
 * additional block is started only when the running ones are stuck or spin. */
static void run_blocks(void)
{
    unsigned idle_passes = 0, loans = 0;
    const uint64_t grid_blocks = current_launch->grid_blocks;

    while (!running.abandoned) {
        uint64_t before = schedule_progress;
        unsigned active = 0;
        const bool filling =
            order_in_step() && resident_used < running.resident_limit && started < grid_blocks;
        const bool last_first = order_last_first();
        for (unsigned i = 0;
             i < resident_used && !running.abandoned && !filling && last_first == order_last_first(); i++) {
            struct block *block = &resident[last_first ? resident_used - 1 - i : i];
            if (block->active)
                block_turn(block);
            while (!running.abandoned && !block->active && started < grid_blocks &&
                   !current_launch->cooperative) {
                block_start(block, order_of_block(started++, grid_blocks));
                block_turn(block);
            }
            active += block->active;
        }
        if (last_first != order_last_first())
            continue;
        if (running.abandoned || (active == 0 && started == grid_blocks))
            return;
        if (started < grid_blocks) {
            struct block *block = free_slot();
            if (block) {
                block_start(block, order_of_block(started++, grid_blocks));
                block_turn(block);
                continue;
            }
            running.resident_limit = resident_used; /* no memory for another block */
            if (resident_used == 0) {
                running.abandoned = ERROR_OUT_OF_MEMORY;
                return;
            }
        }
        if (running.grid_waiting && running.grid_waiting == grid_blocks * current_launch->block_threads) {
            release_grid();
            continue;
        }
        bool stuck = true;
        for (unsigned i = 0; i < resident_used; i++)
            stuck = stuck && (!resident[i].active ||
                              (!thread_is_ready(resident[i].ring) && !thread_next_ready(resident[i].ring)));
        idle_passes = before == schedule_progress ? idle_passes + 1 : 0;
        if (running.held &&
            (stuck || idle_passes > IDLE_PASSES || running.yields - running.held_at > HELD_YIELDS)) {
            release_held();
            idle_passes = 0;
            continue;
        }
        if (late_watches && (stuck || idle_passes > IDLE_PASSES) && release_late()) {
            idle_passes = 0;
            continue;
        }
        if (idle_passes == 0)
            loans = 0;
        if (!stuck && idle_passes > IDLE_PASSES && !host_is_alone() && loans++ < MOST_LOANS) {
            host_lend();
        } else if (stuck || idle_passes > IDLE_PASSES) {
            judge->deadlock(resident, resident_used, started);
            running.abandoned = ERROR_LAUNCH_TIMEOUT;
        }
    }
}

static bool has_ready(const struct block *block)
{
    return block->active && (thread_is_ready(block->ring) || thread_next_ready(block->ring));
}

/* All blocks start at once, and each thread runs until it waits to be chosen. */
static void run_explored(void)
{
    while (started < current_launch->grid_blocks && !running.abandoned) {
        struct block *block = free_slot();
        if (!block)
            running.abandoned = ERROR_OUT_OF_MEMORY;
        else
            block_start(block, started++);
    }
    while (!running.abandoned && current_launch->blocks_done < current_launch->grid_blocks) {
        bool moved = false;
        for (unsigned i = 0; i < resident_used && !running.abandoned; i++)
            if (has_ready(&resident[i])) {
                block_turn(&resident[i]);
                moved = true;
            }
        if (moved || running.abandoned)
            continue;
        if (running.grid_waiting &&
            running.grid_waiting == current_launch->grid_blocks * current_launch->block_threads) {
            release_grid();
            continue;
        }
        struct thread *next = explore_next(resident, resident_used);
        if (next) {
            schedule_wake(next);
            continue;
        }
        for (unsigned i = 0; i < resident_used; i++)
            if (resident[i].active)
                wake_all(&resident[i], THREAD_HELD); /* so that the report lists the threads that spin */
        judge->deadlock(resident, resident_used, started);
        running.abandoned = ERROR_LAUNCH_TIMEOUT;
    }
}

bool schedule_judge_polling(void)
{
    const bool all_have_begun =
        current_launch && (started == current_launch->grid_blocks || resident_used == running.resident_limit);
    if (!current_thread || sampler || running.held || running.late || !all_have_begun ||
        !judge->polls_in_vain(resident, resident_used))
        return false;
    judge->deadlock(resident, resident_used, started);
    return true;
}

/* In a sampled run only the chosen blocks run, one after another. A block that waits for another one is abandoned,
 * because the other may never run. */
static void run_sampled_block(struct block *block)
{
    running.dropped = false;
    for (unsigned idle = 0; block->active && !running.dropped; idle++) {
        const uint64_t before = schedule_progress;
        block_turn(block);
        if (running.grid_waiting > 0 && running.grid_waiting == block->unfinished)
            release_grid();
        else if (before != schedule_progress)
            idle = 0;
        else
            running.dropped |= idle > SAMPLED_IDLE_PASSES;
    }
    if (!running.dropped)
        return;
    sampler->drop();
    running.grid_waiting = 0;
    block->active = false;
    current_thread = NULL;
    prepared = 0; /* its fibers have not run to their ends */
    slot_prepare(block);
}

static void run_sampled(void)
{
    uint64_t number;
    struct block *block = free_slot();
    if (!block) {
        running.abandoned = ERROR_OUT_OF_MEMORY;
        return;
    }
    while (sampler->next_block(&number)) {
        block_start(block, number);
        sampler->begin_block(block);
        run_sampled_block(block);
        sampler->end_block();
    }
    sampler->end_launch();
}

static unsigned most_resident(const struct launch *launch)
{
    uint64_t limit = simt_get_schedule().resident_blocks;
    if (launch->cooperative || explore_is_wanted())
        limit = launch->grid_blocks;
    if (limit > MAX_RESIDENT_THREADS / launch->block_threads)
        limit = MAX_RESIDENT_THREADS / launch->block_threads;
    if (limit > launch->grid_blocks)
        limit = launch->grid_blocks;
    return (unsigned)limit;
}

int schedule_run(struct launch *launch, kernel_body *kernel, void *kernel_arguments)
{
    running = (struct running){
        .body = kernel, .arguments = kernel_arguments, .resident_limit = most_resident(launch)};
    if (launch->cooperative && running.resident_limit < launch->grid_blocks)
        return ERROR_COOPERATIVE_TOO_LARGE;
    resident = calloc(running.resident_limit, sizeof *resident);
    if (!resident)
        return ERROR_OUT_OF_MEMORY;
    if (prepared_by != &host_thread)
        prepared = 0;
    prepared_by = NULL;
    shared_begin_launch(launch);
    hold_begin_launch(running.resident_limit);
    resident_used = 0;
    started = 0;
    current_launch = launch;
    current_block = NULL;
    simt_block_dim = launch->dim;
    simt_grid_dim = launch->grid;

    thread_work.busiest_of_launch = 0;
    observe_begin_launch(launch);
    explore_begin_launch(running.resident_limit >= launch->grid_blocks);
    if (explore_watches)
        run_explored();
    else if (!sampler)
        run_blocks();
    else if (sampler->begin_launch(launch))
        run_sampled();
    else
        running.abandoned = ERROR_LAUNCH_TIMEOUT;
    late_arrive();
    explore_end_launch();
    observe_end_launch(launch, running.abandoned != 0);
    thread_work.busiest += thread_work.busiest_of_launch;

    for (unsigned i = 0; i < running.resident_limit; i++)
        shared_drop_images(&resident[i]);
    prepared_by = running.abandoned ? NULL : &host_thread;
    free(resident);
    resident = NULL;
    current_launch = NULL;
    current_block = NULL;
    current_thread = NULL;
    shared_end_launch();
    return running.abandoned;
}
