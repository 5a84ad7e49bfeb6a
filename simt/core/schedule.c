/* The scheduler: CUDA threads are fibers, all on one OS thread. Those of a block that never wait follow each other on
 * the same one.
 *
 * Within a block the threads take turns in a ring: each runs until it waits (at a barrier, for its warp),
 * yields (before a volatile or atomic access) or returns, and then jumps straight to the next that is
 * ready. Only when no thread of the block can move, or all of them spin and nothing changes, control goes
 * back to the host fiber, which lets another resident block run or starts one. So a launch whose blocks
 * do not wait for each other runs block after block in one place, and its shared memory is never copied.
 * In random order a yield, too, gives another block its turn now and then, and so does a barrier in a launch
 * that has yielded before: blocks that talk to each other through volatile and atomic accesses then meet in
 * more states than "finished" and "not started". */
#define _GNU_SOURCE
#include "core/core.h"
#include "core/judge.h"
#include "core/fiber.h"
#include "core/observer.h"
#include "core/order.h"
#include "core/sampler.h"
#include "core/shared.h"
#include "core/stacks.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct thread *current_thread;
struct block *current_block;
struct launch *current_launch;
uint64_t schedule_progress, schedule_returned;

/* What kernels see as threadIdx, blockIdx, blockDim and gridDim. */
struct index3 simt_thread_index, simt_block_index, simt_block_dim, simt_grid_dim;

/* Yields by one block with nothing changing, a thread, before another block gets its turn. */
static const unsigned IDLE_ROUNDS = 2;
/* Yields in one turn of a block, though things do change: a loop that polls may count its turns in memory. */
static const unsigned TURN_YIELDS = 1 << 16;
/* Turns of all resident blocks with nothing changing before it is called a deadlock: loops that give up
 * after a bounded number of tries are shorter than that. */
static const unsigned IDLE_PASSES = 2000;
static const unsigned SAMPLED_IDLE_PASSES = 20; /* the same where nobody else runs */

static struct thread host;     /* the fiber that called the launch */
static struct block *resident; /* [resident_used] slots */
static unsigned resident_used, resident_limit;
static kernel_body *body;
static void *arguments;
static int abandoned;         /* the error that ended the launch */
static bool dropped;          /* the running block of a sampled run is given up */
static unsigned grid_waiting; /* threads at the grid's barrier */
static uint64_t yields;       /* of the launch so far */

/* ---- fibers ------------------------------------------------------------------------------------------ */

static inline void arrive(struct transfer transfer)
{
    ((struct thread *)transfer.data)->context = transfer.from;
}

static void thread_main(struct transfer transfer);

static inline void switch_to(struct thread *to)
{
    struct thread *from = current_thread ? current_thread : &host;
    /* The fibers of a block do not fit the first cache: fetch the one after this one meanwhile. */
    const char *soon = to->next->context;
    if (soon) {
        __builtin_prefetch(soon);
        __builtin_prefetch(soon + 64);
        __builtin_prefetch(soon + 128);
    }
    __builtin_prefetch(to->next->next);
    if (__builtin_expect(!to->context, 0))
        to->context = make_fcontext(to->stack_high, (size_t)(to->stack_high - to->stack_low), thread_main);
    current_thread = to;
    to->state = THREAD_READY;
    simt_thread_index = to->index;
    arrive(fiber_jump(to->context, from));
}

/* Goes on as `to`, which has not begun, on the fiber of the current thread, which has ended: without a jump, and
 * on memory that the cache has. The two change stacks, and whatever fiber rests on that of `to`. */
static void become(struct thread *to)
{
    struct thread *from = current_thread;
    char *low = from->stack_low, *high = from->stack_high;
    from->context = to->context;
    from->stack_low = to->stack_low;
    from->stack_high = to->stack_high;
    to->stack_low = low;
    to->stack_high = high;
    current_thread = to;
    simt_thread_index = to->index;
}

static void switch_to_host(void)
{
    struct thread *from = current_thread;
    current_thread = NULL;
    arrive(fiber_jump(host.context, from));
}

_Noreturn void schedule_abandon(int error)
{
    abandoned = error;
    switch_to_host();
    __builtin_unreachable();
}

_Noreturn void schedule_drop(void)
{
    dropped = true;
    switch_to_host();
    __builtin_unreachable();
}

/* The next thread after `from` in the ring that can run; null when none can. */
static inline struct thread *next_ready(const struct thread *from)
{
    struct thread *thread = from->next;
    while (!thread_is_ready(thread)) {
        if (thread == from)
            return NULL;
        thread = thread->next;
    }
    return thread;
}

/* Leaves the current thread, which may not run on now. Returns when it has its turn again. */
static inline void run_another(struct thread *self)
{
    if (__builtin_expect(fault_time_is_up, 0))
        fault_time_limit(self->wait_site);
    struct thread *next = next_ready(self);
    if (next == self)
        return;
    if (next)
        switch_to(next);
    else
        switch_to_host();
}

void schedule_wait(enum thread_state state, const void *site)
{
    struct thread *self = current_thread;
    self->wait_site = site;
    self->state = state;
    run_another(self);
}

void schedule_wake(struct thread *thread)
{
    thread->state = THREAD_READY;
}

/* Whether another block gets its turn here, though this one could run on. */
static bool interrupted(void)
{
    return resident_limit > 1 && order_interrupts(yields++);
}

/* Another block gets its turn. In this one's next, the threads after `self` are first: were it always the same ones, they
 * could spin for ever, waiting for one that never runs. */
static void leave_block(struct thread *self)
{
    self->block->resume = self->next;
    switch_to_host();
}

void schedule_yield(const void *site)
{
    struct thread *self = current_thread;
    if (!self)
        return;
    struct block *block = self->block;
    self->wait_site = site;
    if (interrupted() || ++block->turn_yields > TURN_YIELDS) {
        leave_block(self);
        return;
    }
    if (block->seen_progress != schedule_progress) {
        block->seen_progress = schedule_progress;
        block->idle_yields = 0;
    } else if (++block->idle_yields > IDLE_ROUNDS * (uint64_t)block->unfinished) {
        block->idle_yields = 0;
        leave_block(self);
        return;
    }
    run_another(self);
}

/* ---- barriers ------------------------------------------------------------------------------------------ */

static void release_barrier(struct block *block)
{
    observe_barrier(block);
    block->released_count = block->at_barrier;
    block->released_true = block->true_count;
    block->at_barrier = 0;
    block->true_count = 0;
    block->barrier_mixed = false;
    block->epoch++;
    schedule_progress++;
}

struct barrier_result schedule_barrier(const void *site, int predicate)
{
    struct thread *self = current_thread;
    struct block *block = self->block;
    self->wait_site = self->barrier_site = site;
    block->true_count += predicate != 0;
    if (block->at_barrier++ == 0)
        block->barrier_site = site;
    else if (site != block->barrier_site)
        block->barrier_mixed = true;
    self->state = THREAD_AT_BARRIER;
    self->barrier_epoch = block->epoch;
    if (block->at_barrier == block->unfinished) {
        release_barrier(block);
        self->state = THREAD_READY;
        if (yields > 0 && interrupted())
            switch_to_host();
        else if (block->ring != self)
            switch_to(block->ring);
    } else {
        run_another(self);
    }
    return (struct barrier_result){block->released_true, block->released_count};
}

static void release_grid(void)
{
    observe_grid();
    grid_waiting = 0;
    schedule_progress++;
    for (unsigned i = 0; i < resident_used; i++) {
        struct block *block = &resident[i];
        block->at_grid = 0;
        for (struct thread *t = block->threads;
             block->active && t < block->threads + current_launch->block_threads; t++) {
            if (t->state == THREAD_AT_GRID)
                t->state = THREAD_READY;
        }
    }
}

void schedule_grid_barrier(const void *site)
{
    current_block->at_grid++;
    grid_waiting++;
    schedule_wait(THREAD_AT_GRID, site);
}

/* ---- a thread's life ------------------------------------------------------------------------------------ */

static void thread_exit(struct thread *self)
{
    struct block *block = self->block;
    struct thread *next = next_ready(self);
    self->state = THREAD_EXITED;
    self->previous->next = self->next;
    self->next->previous = self->previous;
    if (block->ring == self)
        block->ring = self->next == self ? NULL : self->next;
    block->unfinished--;
    schedule_returned++;
    schedule_progress++;
    if (!block->ring) {
        switch_to_host();
        return;
    }
    if (block->at_warp)
        warp_lane_exits(self);
    if (block->at_barrier && block->at_barrier == block->unfinished)
        release_barrier(block);
    if (next == self || !next) {
        next = block->ring;
        if (!thread_is_ready(next))
            next = next_ready(next);
    }
    if (!next)
        switch_to_host();
    else if (next->begun)
        switch_to(next);
    else
        become(next);
}

/* Fibers outlive threads and blocks: after thread_exit comes back, the current thread is another one, of this block
 * or of the next in its slot. */
static void thread_main(struct transfer transfer)
{
    arrive(transfer);
    for (;;) {
        current_thread->begun = true;
        body(arguments);
        thread_exit(current_thread);
    }
}

/* ---- a block's life --------------------------------------------------------------------------------------- */

static bool slot_prepare(struct block *block)
{
    const unsigned count = current_launch->block_threads;
    const unsigned slot = (unsigned)(block - resident);
    if (!block->threads) {
        block->threads = aligned_alloc(_Alignof(struct thread), count * sizeof *block->threads);
        if (!block->threads || !stacks_reserve(slot + 1, count))
            return false;
    }
    for (unsigned i = 0; i < count; i++) {
        struct thread *thread = &block->threads[i];
        memset(thread, 0, sizeof *thread);
        stacks_get(slot * count + i, &thread->stack_low, &thread->stack_high);
        thread->block = block;
    }
    return true;
}

static void block_start(struct block *block, uint64_t number)
{
    const struct launch *launch = current_launch;
    const unsigned count = launch->block_threads;
    struct thread *threads = block->threads;

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

    /* Blocks of a sampled run are compared by their first threads. */
    const unsigned *order = order_of_threads(count, sampler ? 0 : number);
    struct thread *last = &threads[order[count - 1]];
    for (unsigned i = 0; i < count; i++) {
        struct thread *thread = &threads[order[i]];
        unsigned n = thread->number = order[i];
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
    block->ring = &threads[order[0]];
    block->resume = NULL;
    shared_begin_block(block);
    observe_begin_block(block);
}

/* Lets a block run until it is finished, idle or stuck. */
static void block_turn(struct block *block)
{
    struct thread *first = block->resume ? block->resume : block->ring;
    block->resume = NULL;
    if (!thread_is_ready(first))
        first = next_ready(first);
    if (!first)
        return;
    shared_put_in_place(block);
    current_block = block;
    simt_block_index = block->index;
    observe_turn(block);
    block->idle_yields = block->turn_yields = 0;
    block->seen_progress = schedule_progress;
    switch_to(first);
    observe_leave(block);
    if (!abandoned && !block->ring) {
        block->active = false;
        current_launch->blocks_done++;
        observe_end_block(block);
    }
}

/* ---- a launch's life --------------------------------------------------------------------------------------- */

static struct block *free_slot(void)
{
    for (unsigned i = 0; i < resident_used; i++) {
        if (!resident[i].active)
            return &resident[i];
    }
    if (resident_used == resident_limit || !slot_prepare(&resident[resident_used]))
        return NULL;
    return &resident[resident_used++];
}

/* One turn for each resident block. A block that is done makes room for the next one of the grid at once;
 * a further one is started only when those that run are stuck or spin. */
static void run_blocks(void)
{
    uint64_t started = 0;
    unsigned idle_passes = 0;
    const uint64_t grid_blocks = current_launch->grid_blocks;

    while (!abandoned) {
        uint64_t before = schedule_progress;
        unsigned active = 0;
        const bool filling = order_in_step() && resident_used < resident_limit && started < grid_blocks;
        const bool last_first = order_last_first();
        for (unsigned i = 0; i < resident_used && !abandoned && !filling && last_first == order_last_first();
             i++) {
            struct block *block = &resident[last_first ? resident_used - 1 - i : i];
            if (block->active)
                block_turn(block);
            while (!abandoned && !block->active && started < grid_blocks && !current_launch->cooperative) {
                block_start(block, order_of_block(started++, grid_blocks));
                block_turn(block);
            }
            active += block->active;
        }
        if (last_first != order_last_first())
            continue;
        if (abandoned || (active == 0 && started == grid_blocks))
            return;
        if (started < grid_blocks) {
            struct block *block = free_slot();
            if (block) {
                block_start(block, order_of_block(started++, grid_blocks));
                block_turn(block);
                continue;
            }
            resident_limit = resident_used; /* no memory for another */
            if (resident_used == 0) {
                abandoned = ERROR_OUT_OF_MEMORY;
                return;
            }
        }
        if (grid_waiting && grid_waiting == grid_blocks * current_launch->block_threads) {
            release_grid();
            continue;
        }
        bool stuck = true;
        for (unsigned i = 0; i < resident_used; i++)
            stuck = stuck && (!resident[i].active ||
                              (!thread_is_ready(resident[i].ring) && !next_ready(resident[i].ring)));
        idle_passes = before == schedule_progress ? idle_passes + 1 : 0;
        if (stuck || idle_passes > IDLE_PASSES) {
            judge->deadlock(resident, resident_used, started);
            abandoned = ERROR_LAUNCH_TIMEOUT;
        }
    }
}

/* In a sampled run: one block after the other, and only those that are chosen. One that waits for another is given
 * up, for the other may not run at all. */
static void run_sampled_block(struct block *block)
{
    dropped = false;
    for (unsigned idle = 0; block->active && !dropped; idle++) {
        const uint64_t before = schedule_progress;
        block_turn(block);
        if (grid_waiting > 0 && grid_waiting == block->unfinished)
            release_grid();
        else if (before != schedule_progress)
            idle = 0;
        else
            dropped |= idle > SAMPLED_IDLE_PASSES;
    }
    if (!dropped)
        return;
    sampler->drop();
    grid_waiting = 0;
    block->active = false;
    current_thread = NULL;
    slot_prepare(block); /* its fibers are in the middle of something */
}

static void run_sampled(void)
{
    uint64_t number;
    struct block *block = free_slot();
    if (!block) {
        abandoned = ERROR_OUT_OF_MEMORY;
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
    if (launch->cooperative)
        limit = launch->grid_blocks;
    if (limit > MAX_RESIDENT_THREADS / launch->block_threads)
        limit = MAX_RESIDENT_THREADS / launch->block_threads;
    if (limit > launch->grid_blocks)
        limit = launch->grid_blocks;
    return (unsigned)limit;
}

int schedule_run(struct launch *launch, kernel_body *kernel, void *kernel_arguments)
{
    resident_limit = most_resident(launch);
    if (launch->cooperative && resident_limit < launch->grid_blocks)
        return ERROR_COOPERATIVE_TOO_LARGE;
    resident = calloc(resident_limit, sizeof *resident);
    if (!resident)
        return ERROR_OUT_OF_MEMORY;
    shared_begin_launch(launch);
    body = kernel;
    arguments = kernel_arguments;
    abandoned = 0;
    grid_waiting = 0;
    yields = 0;
    resident_used = 0;
    current_launch = launch;
    current_block = NULL;
    simt_block_dim = launch->dim;
    simt_grid_dim = launch->grid;

    observe_begin_launch(launch);
    if (!sampler)
        run_blocks();
    else if (sampler->begin_launch(launch))
        run_sampled();
    else
        abandoned = ERROR_LAUNCH_TIMEOUT;
    observe_end_launch(launch, abandoned != 0);

    for (unsigned i = 0; i < resident_limit; i++) {
        free(resident[i].threads);
        shared_drop_images(&resident[i]);
    }
    free(resident);
    resident = NULL;
    current_launch = NULL;
    current_block = NULL;
    current_thread = NULL;
    shared_end_launch();
    return abandoned;
}
