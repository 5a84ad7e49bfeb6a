#include "checks/races/vector_clock.h"
#include "checks/races/arena.h"
#include "checks/races/races.h"
#include "include/simt_device_api.h"

#include <stdlib.h>
#include <string.h>

enum { FAN = 16, FAN_BITS = 4 };

/* A leaf covers accesses of one block: all before an epoch, and of some threads those up to a count. Other nodes have
 * FAN children. */
struct tree {
    uint32_t references;
    bool leaf;
    uint32_t epoch;
    uint32_t count;
    union {
        struct tree *child[FAN];
        uint32_t clock[FAN]; /* [count], ascending */
    };
};

/* Of each lane of a warp, how many of its synchronisations are known to be done; 0: none. */
struct view {
    uint32_t references;
    uint32_t known[WARP_SIZE];
};

/* What a fence makes of everything before it. */
struct fence {
    bool set; /* not yet part of `released`: */
    uint32_t clock, epoch;
    struct view *view;
    struct tree *known;
    struct tree *released; /* what a strong write leaves */
};

struct vector_clock {
    struct view *view;
    struct tree *known;
    struct tree *near, *far;   /* offered by threads of the same block, and by others */
    struct fence narrow, wide; /* the last one of any scope, and of more than the block */
};

struct message {
    uint32_t references;
    uint64_t block;    /* of the last writer */
    struct tree *near; /* for threads of the same block */
    struct tree *far;  /* for all threads */
};

static struct arena arena;
static unsigned levels; /* of nodes above the leaves */

/* ---- trees ------------------------------------------------------------------------------------------------ */

static size_t leaf_bytes(uint32_t count)
{
    size_t bytes = offsetof(struct tree, clock) + count * sizeof(uint32_t);
    return bytes < sizeof(struct tree) ? sizeof(struct tree) : bytes;
}

static struct tree *keep(struct tree *tree)
{
    if (tree)
        tree->references++;
    return tree;
}

static void drop(struct tree *tree)
{
    if (!tree || --tree->references > 0)
        return;
    for (unsigned i = 0; !tree->leaf && i < FAN; i++)
        drop(tree->child[i]);
    arena_free(&arena, tree, tree->leaf ? leaf_bytes(tree->count) : sizeof *tree);
}

static struct tree *leaf_new(uint32_t epoch, uint32_t count)
{
    struct tree *leaf = arena_get(&arena, leaf_bytes(count));
    leaf->references = 1;
    leaf->leaf = true;
    leaf->epoch = epoch;
    leaf->count = count;
    return leaf;
}

static bool leaf_equal(const struct tree *a, const struct tree *b)
{
    return a->epoch == b->epoch && a->count == b->count &&
           memcmp(a->clock, b->clock, a->count * sizeof *a->clock) == 0;
}

static struct tree *leaf_join(struct tree *a, struct tree *b)
{
    uint32_t clocks[MAX_THREADS_PER_BLOCK], count = 0, i = 0, k = 0;
    while (i < a->count || k < b->count) {
        bool from_a =
            k == b->count || (i < a->count && clock_thread(a->clock[i]) <= clock_thread(b->clock[k]));
        uint32_t clock = from_a ? a->clock[i++] : b->clock[k++];
        if (from_a && k < b->count && clock_thread(b->clock[k]) == clock_thread(clock)) {
            clock = b->clock[k] > clock ? b->clock[k] : clock;
            k++;
        }
        clocks[count++] = clock;
    }
    struct tree *joined = leaf_new(a->epoch > b->epoch ? a->epoch : b->epoch, count);
    memcpy(joined->clock, clocks, count * sizeof *clocks);
    struct tree *same = leaf_equal(joined, a) ? a : leaf_equal(joined, b) ? b : NULL;
    if (!same)
        return joined;
    drop(joined);
    return keep(same);
}

/* A tree that covers what either covers; one of the two where it can be. */
static struct tree *join(struct tree *a, struct tree *b)
{
    if (a == b || !b)
        return keep(a);
    if (!a)
        return keep(b);
    if (a->leaf)
        return leaf_join(a, b);
    struct tree *child[FAN];
    bool like_a = true, like_b = true;
    for (unsigned i = 0; i < FAN; i++) {
        child[i] = join(a->child[i], b->child[i]);
        like_a = like_a && child[i] == a->child[i];
        like_b = like_b && child[i] == b->child[i];
    }
    if (like_a || like_b) {
        for (unsigned i = 0; i < FAN; i++)
            drop(child[i]);
        return keep(like_a ? a : b);
    }
    struct tree *joined = arena_get(&arena, sizeof *joined);
    joined->references = 1;
    joined->leaf = false;
    memcpy(joined->child, child, sizeof child);
    return joined;
}

/* *into = *into joined with `more`. */
static void add(struct tree **into, struct tree *more)
{
    if (!more || *into == more)
        return;
    struct tree *joined = join(*into, more);
    drop(*into);
    *into = joined;
}

static void set(struct tree **to, struct tree *tree)
{
    struct tree *before = *to;
    *to = keep(tree);
    drop(before);
}

/* A tree with this one leaf, which it takes over. */
static struct tree *tree_of(uint64_t block, struct tree *leaf)
{
    struct tree *tree = leaf;
    for (unsigned level = 0; level < levels; level++) {
        struct tree *above = arena_get(&arena, sizeof *above);
        memset(above, 0, sizeof *above);
        above->references = 1;
        above->child[block >> (FAN_BITS * level) & (FAN - 1)] = tree;
        tree = above;
    }
    return tree;
}

static bool tree_covers(const struct tree *tree, uint64_t block, uint32_t epoch, uint32_t clock)
{
    for (unsigned level = levels; level-- > 0 && tree;)
        tree = tree->child[block >> (FAN_BITS * level) & (FAN - 1)];
    if (!tree)
        return false;
    if (epoch < tree->epoch)
        return true;
    uint32_t low = 0, high = tree->count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (clock_thread(tree->clock[middle]) < clock_thread(clock))
            low = middle + 1;
        else
            high = middle;
    }
    return low < tree->count && clock_thread(tree->clock[low]) == clock_thread(clock) &&
           clock <= tree->clock[low];
}

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
    drop(fence->known);
    drop(fence->released);
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
                            .known = keep(thread->vc->known)};
}

void vector_clock_fence(struct thread *thread, int scope, int order)
{
    struct vector_clock *vc = clock_of(thread);
    thread->block->races->must_join = true;
    if (order & SIMT_FENCE_ACQUIRE)
        add(&vc->known, vc->near);
    if (order & SIMT_FENCE_ACQUIRE && scope != SIMT_SCOPE_BLOCK)
        add(&vc->known, vc->far);
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
    struct tree *leaf = leaf_new(fence->epoch, count);
    memcpy(leaf->clock, clocks, count * sizeof *clocks);
    struct tree *released = tree_of(thread->block->number, leaf);
    add(&released, fence->known);
    fence_drop(fence);
    fence->released = released;
    return released;
}

static void share(struct tree **with, struct tree *tree)
{
    if (*with != tree)
        set(with, tree);
}

/* What threads exchange where they meet. A fence of one of them covers what all of them have seen by then, whichever of
 * them sets the flag. */
struct meeting {
    struct tree *known, *near, *far, *narrow, *wide;
};

static void meeting_add(struct meeting *meeting, struct thread *thread)
{
    struct vector_clock *vc = thread->vc;
    if (!vc)
        return;
    add(&meeting->known, vc->known);
    add(&meeting->near, vc->near);
    add(&meeting->far, vc->far);
    add(&meeting->narrow, release_of(&vc->narrow, thread));
    add(&meeting->wide, release_of(&vc->wide, thread));
}

static void meeting_share(const struct meeting *meeting, struct thread *thread)
{
    if (!meeting->known && !meeting->near && !meeting->far && !meeting->narrow)
        return;
    struct vector_clock *vc = clock_of(thread);
    share(&vc->known, meeting->known);
    share(&vc->near, meeting->near);
    share(&vc->far, meeting->far);
    share(&vc->narrow.released, meeting->narrow);
    share(&vc->wide.released, meeting->wide);
}

static void meeting_drop(const struct meeting *meeting)
{
    drop(meeting->known);
    drop(meeting->near);
    drop(meeting->far);
    drop(meeting->narrow);
    drop(meeting->wide);
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
        view = only; /* only these lanes hold it */
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
    if (tree_covers(vc->near, block, epoch, clock) || tree_covers(vc->far, block, epoch, clock))
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
    drop(message->near);
    drop(message->far);
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
        near = keep(release_of(&thread->vc->narrow, thread));
        far = for_block ? NULL : keep(release_of(&thread->vc->wide, thread));
    }
    if (chained && before) {
        if (before->block == thread->block->number)
            add(&near, before->near);
        add(&far, before->far);
    }
    vector_clock_drop(before);
    if (!near && !far)
        return NULL;
    struct message *message = arena_get(&arena, sizeof *message);
    *message = (struct message){1, thread->block->number, near, far};
    return message;
}

void vector_clock_acquire(struct thread *thread, const struct message *message, bool for_block)
{
    if (!message)
        return;
    const bool own = message->block == thread->block->number;
    if (!own && for_block)
        return;
    struct vector_clock *vc = clock_of(thread);
    thread->block->races->must_join = true;
    if (own)
        add(&vc->near, message->near);
    add(&vc->far, message->far);
}

/* ---- life ------------------------------------------------------------------------------------------------------ */

void vector_clock_begin_launch(uint64_t grid_blocks)
{
    levels = 0;
    while (levels < 64 / FAN_BITS && (grid_blocks - 1) >> (FAN_BITS * levels) > 0)
        levels++;
}

void vector_clock_end_block(const struct block *block)
{
    for (unsigned i = 0; i < current_launch->block_threads; i++) {
        struct vector_clock *vc = block->threads[i].vc;
        if (!vc)
            continue;
        view_drop(vc->view);
        drop(vc->known);
        drop(vc->near);
        drop(vc->far);
        fence_drop(&vc->narrow);
        fence_drop(&vc->wide);
        arena_free(&arena, vc, sizeof *vc);
        block->threads[i].vc = NULL;
    }
}

void vector_clock_end_launch(void)
{
    arena_forget(&arena);
}
