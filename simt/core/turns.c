#define _GNU_SOURCE
#include "core/turns.h"
#include "core/budget.h"
#include "core/explore.h"
#include "core/fiber.h"
#include "core/judge.h"
#include "core/schedule_order.h"
#include "core/schedule.h"
#include "core/warp.h"

struct block *current_block;
struct launch *current_launch;
struct running running;
uint64_t schedule_progress, schedule_returned;

/* The value of threadIdx in kernels. */
struct index3 simt_thread_index;

/* The number of yields without progress, for each thread of a block, after which another block gets its turn. */
static const unsigned IDLE_ROUNDS = 2;
/* The maximum of yields in one turn of a block, even with progress: a polling loop may count its tries in memory. */
static const unsigned TURN_YIELDS = 1 << 16;
static const unsigned WATCHED_TURN_YIELDS = 4; /* for each thread, while a polling kernel is watched */

static struct thread host; /* the fiber that launched */

/* ---- fibers ------------------------------------------------------------------------------------------ */

static void thread_main(void);

/* The next turn begins here. */
static inline void end_turn(struct thread *thread)
{
    thread->executed += (uint32_t)(budget_of_turn - budget_left);
    budget_of_turn = budget_left;
}

/* `to` has a fiber. */
static inline void switch_to_fiber(struct thread *from, struct thread *to)
{
    end_turn(from);
    /* The fibers of a block do not fit into the L1 cache, so the next one is prefetched. */
    const char *soon = to->next->context;
    if (soon) {
        __builtin_prefetch(soon);
        __builtin_prefetch(soon + 64);
        __builtin_prefetch(soon + 128);
    }
    __builtin_prefetch(to->next->next);
    current_thread = to;
    to->state = THREAD_READY;
    simt_thread_index = to->index;
    fiber_switch(&from->context, to->context);
}

static inline void switch_from(struct thread *from, struct thread *to)
{
    if (__builtin_expect(!to->context, 0))
        to->context = fiber_new(to->stack_low, to->stack_high, thread_main);
    switch_to_fiber(from, to);
}

/* Continues as `to`, which has not begun, on the fiber of the current thread, which has ended. This saves a jump
 * and reuses memory that is in the cache. The two threads exchange their stacks, and the fiber that may rest on the
 * stack of `to`. */
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
    end_turn(from);
    current_thread = NULL;
    budget_stop_counting();
    fiber_switch(&from->context, host.context);
}

_Noreturn void schedule_abandon(int error)
{
    running.abandoned = error;
    switch_to_host();
    __builtin_unreachable();
}

_Noreturn void schedule_drop(void)
{
    running.dropped = true;
    switch_to_host();
    __builtin_unreachable();
}

/* Leaves the current thread, which may not run on now. Returns when it has its turn again. */
static inline void run_another(struct thread *self)
{
    struct thread *next = thread_next_ready(self);
    if (next == self)
        return;
    if (next)
        switch_from(self, next);
    else
        switch_to_host();
}

void schedule_wait(enum thread_state state, const void *site)
{
    struct thread *self = current_thread;
    if (explore_watches && state != THREAD_HELD)
        explore_pass();
    running.yielded.thread = NULL;
    self->wait_site = site;
    self->state = state;
    run_another(self);
}

void schedule_wake(struct thread *thread)
{
    thread->state = THREAD_READY;
}

/* Should another block get its turn now, although this one could continue? */
static bool interrupted(void)
{
    return running.resident_limit > 1 && order_interrupts(running.yields++);
}

/* Gives another block its turn. The next turn of this block begins with the threads after `self`. If it always
 * began with the same ones, these could spin forever while the thread for which they wait never runs. */
static void leave_block(struct thread *self)
{
    self->block->resume = self->next;
    switch_to_host();
}

static inline uint64_t most_yields(const struct block *block)
{
    return running.watched ? (uint64_t)WATCHED_TURN_YIELDS * block->unfinished : TURN_YIELDS;
}

/* If a thread changes nothing and no other thread runs between two yields, it has made one iteration of a loop that
 * waits. Such an iteration is free, because the number of iterations depends on the order of blocks and not on the
 * code. */
static void end_poll(const struct thread *self)
{
    const int64_t spent = running.yielded.budget - budget_left; /* negative when more was granted */
    if (running.yielded.thread == self && running.yielded.progress == schedule_progress && spent >= 0 &&
        spent <= BUDGET_OF_POLL && budget_free_polls > 0) {
        budget_free_polls--;
        budget_left = running.yielded.budget;
        budget_of_turn = running.yielded.of_turn;
    }
}

static void yield(struct thread *self, const void *site)
{
    struct block *block = self->block;
    self->wait_site = site;
    if (interrupted() || ++block->turn_yields > most_yields(block)) {
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

void schedule_yield(const void *site)
{
    struct thread *self = current_thread;
    if (!self)
        return;
    end_poll(self);
    yield(self, site);
    running.yielded.thread = self;
    running.yielded.progress = schedule_progress;
    running.yielded.budget = budget_left;
    running.yielded.of_turn = budget_of_turn;
    budget_spend(BUDGET_OF_YIELD);
}

void schedule_hold(const void *site)
{
    if (!running.has_held) {
        running.has_held = true;
        running.held = current_block;
        running.held_number = current_block->number;
        running.held_at = running.yields;
    }
    if (running.held == current_block)
        schedule_wait(THREAD_HELD, site);
}

void schedule_come_late(const void *site)
{
    running.late = true;
    schedule_wait(THREAD_HELD, site);
}

struct held schedule_held(void)
{
    return (struct held){running.has_held, running.held != NULL, running.held_number};
}

/* ---- barriers ------------------------------------------------------------------------------------------ */

static void release_barrier(struct block *block, unsigned times)
{
    for (unsigned i = 0; i < times; i++)
        observe_barrier(block);
    if (explore_watches)
        explore_meet_block(block);
    block->released_count = block->at_barrier;
    block->released_true = block->true_count;
    block->at_barrier = 0;
    block->true_count = 0;
    block->barrier_mixed = false;
    block->epoch++;
    schedule_progress++;
}

/* From now on the thread waits at the barrier. */
static inline void arrive(struct thread *self, struct block *block, const void *site)
{
    running.yielded.thread = NULL;
    self->wait_site = self->barrier_site = site;
    if (block->at_barrier++ == 0)
        block->barrier_site = site;
    else if (site != block->barrier_site)
        block->barrier_mixed = true;
    self->state = THREAD_AT_BARRIER;
    self->barrier_epoch = block->epoch;
}

static inline __attribute__((always_inline)) struct barrier_result
come_to_barrier(const void *site, int predicate, unsigned times)
{
    struct thread *self = current_thread;
    struct block *block = self->block;
    if (explore_watches)
        explore_pass();
    arrive(self, block, site);
    block->true_count += predicate != 0;
    if (block->at_barrier == block->unfinished) {
        release_barrier(block, times);
        self->state = THREAD_READY;
        if (running.yields > 0 && interrupted())
            switch_to_host();
        else if (block->ring != self)
            switch_from(self, block->ring);
    } else {
        run_another(self);
    }
    return (struct barrier_result){block->released_true, block->released_count};
}

struct barrier_result schedule_barrier(const void *site, int predicate)
{
    return come_to_barrier(site, predicate, 1);
}

void schedule_barriers(const void *site, unsigned times)
{
    come_to_barrier(site, 0, times);
}

/* The usual case, in which the thread waits and the next one is ready, saves no registers before the switch. */
void schedule_block_barrier(const void *site)
{
    struct thread *self = current_thread, *next = self->next;
    struct block *block = self->block;
    if (explore_watches || block->at_barrier + 1 == block->unfinished || !thread_is_ready(next) ||
        !next->context) {
        schedule_barriers(site, 1);
        return;
    }
    arrive(self, block, site);
    switch_to_fiber(self, next);
}

void schedule_grid_barrier(const void *site)
{
    current_block->at_grid++;
    running.grid_waiting++;
    schedule_wait(THREAD_AT_GRID, site);
}

/* ---- life of a thread ----------------------------------------------------------------------------------- */

static void count_work(struct thread *self)
{
    end_turn(self);
    if (current_launch->harness)
        return;
    thread_work.all += self->executed;
    if (self->executed > thread_work.busiest_of_launch)
        thread_work.busiest_of_launch = self->executed;
}

static void thread_exit(struct thread *self)
{
    count_work(self);
    struct block *block = self->block;
    if (explore_watches)
        explore_pass();
    struct thread *next = thread_next_ready(self);
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
        release_barrier(block, 1);
    if (next == self || !next) {
        next = block->ring;
        if (!thread_is_ready(next))
            next = thread_next_ready(next);
    }
    if (!next)
        switch_to_host();
    else if (next->begun)
        switch_from(self, next);
    else
        become(next);
}

/* These three functions are called by thread_main. They must not be inlined into it. */
static __attribute__((noinline)) void begin_thread(void)
{
    struct thread *self = current_thread;
    self->begun = true;
    self->executed = 0;
    self->local_high = self->stack_high;
    self->returns.depth = 0;
}

static __attribute__((noinline)) void run_thread(void)
{
    running.body(running.arguments);
}

static __attribute__((noinline)) void end_thread(void)
{
    thread_exit(current_thread);
}

/* Fibers outlive threads and blocks: when thread_exit returns, the current thread is another one, of this block or
 * of the next in its slot. So this function may keep nothing in a register, because the kernel has restored the
 * registers from its own frame. */
static void thread_main(void)
{
    for (;;) {
        begin_thread();
        run_thread();
        end_thread();
    }
}

void threads_run(struct thread *first)
{
    switch_from(&host, first);
}
