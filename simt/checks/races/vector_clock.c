#include "checks/races/vector_clock.h"
#include "checks/races/arena.h"
#include "checks/races/clock_tree.h"
#include "checks/races/races.h"
#include "include/simt_device_api.h"

#include <stdlib.h>
#include <string.h>

/* For each lane of a warp, how many of its synchronisations are known to be done; 0: none. */
struct view {
    uint32_t references;
    uint32_t known[WARP_SIZE];
};

/* The state of a release fence. */
struct fence {
    bool set; /* not yet part of `released`; the next fields belong to it */
    uint32_t clock, epoch;
    struct view *view;
    struct tree *known;
    struct tree *released; /* the accesses that a strong write releases */
};

/* The clocks that a thread has received and that its next fence acquires. */
enum offer {
    NEAR,  /* from threads of the same block */
    FAR,   /* from other threads */
    DRAWN, /* the part of FAR that it received by a read-modify-write after a fence */
    OFFERS
};

struct vector_clock {
    struct view *view;
    struct tree *known;
    struct tree *offered[OFFERS];
    struct fence narrow, wide; /* the last fence of any scope, and of a scope wider than the block */
};

struct message {
    uint32_t references;
    uint64_t block;    /* block of the last writer */
    struct tree *near; /* for threads of the same block */
    struct tree *far;  /* for all threads */
};

static struct arena arena;

/* ---- views ------------------------------------------------------------------------------------------------ */

static struct view *view_keep(struct view *view)
{
    if (view)
        view->references++;
    return view;
}

static void view_drop(struct view *view)
{
    if (view && --view->references == 0)
        arena_free(&arena, view, sizeof *view);
}

/* ---- a thread's vector clock -------------------------------------------------------------------------------- */

static struct vector_clock *clock_of(struct thread *thread)
{
    if (!thread->vc) {
        thread->vc = arena_get(&arena, sizeof *thread->vc);
        memset(thread->vc, 0, sizeof *thread->vc);
    }
    return thread->vc;
}

static void tick(struct thread *thread)
{
    if (clock_count(thread->clock) < CLOCK_LAST)
        thread->clock++;
}

static void fence_drop(struct fence *fence)
{
    view_drop(fence->view);
    tree_drop(fence->known);
    tree_drop(fence->released);
    *fence = (struct fence){0};
}

static uint32_t epoch_of(const struct thread *thread)
{
    return (uint32_t)thread->block->races->key;
}

static void fence_set(struct fence *fence, const struct thread *thread)
{
    fence_drop(fence); /* the thread's clock covers all of it */
    *fence = (struct fence){.set = true,
                            .clock = thread->clock,
                            .epoch = epoch_of(thread),
                            .view = view_keep(thread->vc->view),
                            .known = tree_keep(thread->vc->known)};
}

void vector_clock_fence(struct thread *thread, int scope, int order)
{
    struct vector_clock *vc = clock_of(thread);
    thread->block->races->must_join = true;
    if (order & SIMT_FENCE_ACQUIRE)
        tree_add(&vc->known, vc->offered[NEAR]);
    if (order & SIMT_FENCE_ACQUIRE && scope != SIMT_SCOPE_BLOCK)
        tree_add(&vc->known, vc->offered[FAR]);
    if (!(order & SIMT_FENCE_RELEASE))
        return;
    fence_set(&vc->narrow, thread);
    if (scope != SIMT_SCOPE_BLOCK)
        fence_set(&vc->wide, thread);
    tick(thread);
}

static struct tree *release_of(struct fence *fence, const struct thread *thread)
{
    if (!fence->set)
        return fence->released;
    uint32_t clocks[WARP_SIZE], count = 0;
    const unsigned first = thread->number - thread_lane(thread);
    for (unsigned lane = 0; lane < WARP_SIZE; lane++) {
        if (first + lane == thread->number)
            clocks[count++] = fence->clock;
        else if (fence->view && fence->view->known[lane] > 0)
            clocks[count++] = (uint32_t)(first + lane) << CLOCK_BITS | (fence->view->known[lane] - 1);
    }
    struct tree *leaf = tree_leaf(fence->epoch, count);
    memcpy(leaf->clock, clocks, count * sizeof *clocks);
    struct tree *released = tree_of(thread->block->number, leaf);
    tree_add(&released, fence->known);
    fence_drop(fence);
    fence->released = released;
    return released;
}

static void share(struct tree **with, struct tree *tree)
{
    if (*with != tree)
        tree_set(with, tree);
}

/* The clocks that threads exchange where they meet. A fence of one of them then covers everything that any of them
 * has observed by then, whichever of them sets the flag. */
struct meeting {
    struct tree *known, *offered[OFFERS], *narrow, *wide;
};

static void meeting_add(struct meeting *meeting, struct thread *thread)
{
    struct vector_clock *vc = thread->vc;
    if (!vc)
        return;
    tree_add(&meeting->known, vc->known);
    for (int i = 0; i < OFFERS; i++)
        tree_add(&meeting->offered[i], vc->offered[i]);
    tree_add(&meeting->narrow, release_of(&vc->narrow, thread));
    tree_add(&meeting->wide, release_of(&vc->wide, thread));
}

static void meeting_share(const struct meeting *meeting, struct thread *thread)
{
    if (!meeting->known && !meeting->offered[NEAR] && !meeting->offered[FAR] && !meeting->narrow)
        return;
    struct vector_clock *vc = clock_of(thread);
    share(&vc->known, meeting->known);
    for (int i = 0; i < OFFERS; i++)
        share(&vc->offered[i], meeting->offered[i]);
    share(&vc->narrow.released, meeting->narrow);
    share(&vc->wide.released, meeting->wide);
}

static void meeting_drop(const struct meeting *meeting)
{
    tree_drop(meeting->known);
    for (int i = 0; i < OFFERS; i++)
        tree_drop(meeting->offered[i]);
    tree_drop(meeting->narrow);
    tree_drop(meeting->wide);
}

void vector_clock_join_warp(struct thread *first, uint32_t lanes)
{
    struct view *view = NULL, *only = NULL;
    struct meeting meeting = {0};
    uint32_t holders = 0;
    bool several = false;

    for (uint32_t left = lanes; left; left &= left - 1) {
        const struct vector_clock *vc = clock_of(&first[__builtin_ctz(left)]);
        meeting_add(&meeting, &first[__builtin_ctz(left)]);
        several = several || (only && vc->view != only);
        only = only ? only : vc->view;
        holders += vc->view != NULL;
    }
    if (only && !several && only->references == holders && holders == (uint32_t)__builtin_popcount(lanes)) {
        view = only; /* no other lane uses this view */
    } else {
        view = arena_get(&arena, sizeof *view);
        memset(view, 0, sizeof *view);
        const struct view *last = NULL;
        for (uint32_t left = lanes; left; left &= left - 1) {
            const struct view *one = first[__builtin_ctz(left)].vc->view;
            for (unsigned i = 0; one && one != last && i < WARP_SIZE; i++)
                view->known[i] = one->known[i] > view->known[i] ? one->known[i] : view->known[i];
            last = one;
        }
    }
    for (uint32_t left = lanes; left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        struct thread *thread = &first[lane];
        view->known[lane] = clock_count(thread->clock) + 1;
        tick(thread);
        meeting_share(&meeting, thread);
        if (thread->vc->view != view) {
            view_drop(thread->vc->view);
            thread->vc->view = view_keep(view);
        }
    }
    meeting_drop(&meeting);
}

void vector_clock_join_block(const struct block *block)
{
    struct meeting meeting = {0};
    const unsigned count = current_launch->block_threads;
    for (unsigned i = 0; i < count; i++)
        meeting_add(&meeting, &block->threads[i]);
    for (unsigned i = 0; i < count; i++)
        meeting_share(&meeting, &block->threads[i]);
    meeting_drop(&meeting);
}

enum order vector_clock_order(const struct thread *thread, uint64_t block, uint32_t epoch, uint32_t clock)
{
    const struct vector_clock *vc = thread->vc;
    if (!vc)
        return ORDER_NONE;
    const unsigned lane = clock_thread(clock) % WARP_SIZE;
    if (block == thread->block->number &&
        clock_thread(clock) - lane == thread->number - thread_lane(thread) && vc->view &&
        vc->view->known[lane] > clock_count(clock))
        return ORDER_BEFORE;
    if (tree_covers(vc->known, block, epoch, clock))
        return ORDER_BEFORE;
    if (tree_covers(vc->offered[DRAWN], block, epoch, clock))
        return ORDER_DRAWN;
    if (tree_covers(vc->offered[NEAR], block, epoch, clock) ||
        tree_covers(vc->offered[FAR], block, epoch, clock))
        return ORDER_OFFERED;
    return ORDER_NONE;
}

bool vector_clock_reaches_all(const struct message *message)
{
    return message->far != NULL;
}

/* ---- messages ------------------------------------------------------------------------------------------------ */

void vector_clock_drop(struct message *message)
{
    if (!message || --message->references > 0)
        return;
    tree_drop(message->near);
    tree_drop(message->far);
    arena_free(&arena, message, sizeof *message);
}

struct message *vector_clock_copy(struct message *message)
{
    if (message)
        message->references++;
    return message;
}

struct message *vector_clock_release(struct thread *thread, struct message *before, bool chained,
                                     bool for_block)
{
    struct tree *near = NULL, *far = NULL;
    if (thread->vc) {
        near = tree_keep(release_of(&thread->vc->narrow, thread));
        far = for_block ? NULL : tree_keep(release_of(&thread->vc->wide, thread));
    }
    if (chained && before) {
        if (before->block == thread->block->number)
            tree_add(&near, before->near);
        tree_add(&far, before->far);
    }
    vector_clock_drop(before);
    if (!near && !far)
        return NULL;
    struct message *message = arena_get(&arena, sizeof *message);
    *message = (struct message){1, thread->block->number, near, far};
    return message;
}

/* The last block of a reduction usually has a fence before it draws its ticket. */
static bool has_fenced(const struct vector_clock *vc)
{
    return vc->wide.set || vc->wide.released;
}

void vector_clock_acquire(struct thread *thread, const struct message *message, bool chained, bool for_block)
{
    if (!message)
        return;
    const bool own = message->block == thread->block->number;
    if (!own && for_block)
        return;
    struct vector_clock *vc = clock_of(thread);
    thread->block->races->must_join = true;
    if (own)
        tree_add(&vc->offered[NEAR], message->near);
    tree_add(&vc->offered[FAR], message->far);
    if (chained && has_fenced(vc))
        tree_add(&vc->offered[DRAWN], message->far);
}

/* ---- life ------------------------------------------------------------------------------------------------------ */

void vector_clock_begin_launch(uint64_t grid_blocks)
{
    tree_begin_launch(grid_blocks);
}

void vector_clock_end_block(const struct block *block)
{
    for (unsigned i = 0; i < current_launch->block_threads; i++) {
        struct vector_clock *vc = block->threads[i].vc;
        if (!vc)
            continue;
        view_drop(vc->view);
        tree_drop(vc->known);
        for (int offer = 0; offer < OFFERS; offer++)
            tree_drop(vc->offered[offer]);
        fence_drop(&vc->narrow);
        fence_drop(&vc->wide);
        arena_free(&arena, vc, sizeof *vc);
        block->threads[i].vc = NULL;
    }
}

void vector_clock_end_launch(void)
{
    tree_end_launch();
    arena_forget(&arena);
}
