#include "checks/races/clock_tree.h"
#include "checks/races/arena.h"
#include "checks/races/vector_clock.h"

#include <stddef.h>
#include <string.h>

static struct arena arena;
static unsigned levels; /* levels of nodes above the leaves */

static size_t leaf_bytes(uint32_t count)
{
    size_t bytes = offsetof(struct tree, clock) + count * sizeof(uint32_t);
    return bytes < sizeof(struct tree) ? sizeof(struct tree) : bytes;
}

struct tree *tree_keep(struct tree *tree)
{
    if (tree)
        tree->references++;
    return tree;
}

void tree_drop(struct tree *tree)
{
    if (!tree || --tree->references > 0)
        return;
    for (unsigned i = 0; !tree->leaf && i < FAN; i++)
        tree_drop(tree->child[i]);
    arena_free(&arena, tree, tree->leaf ? leaf_bytes(tree->count) : sizeof *tree);
}

struct tree *tree_leaf(uint32_t epoch, uint32_t count)
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
    struct tree *joined = tree_leaf(a->epoch > b->epoch ? a->epoch : b->epoch, count);
    memcpy(joined->clock, clocks, count * sizeof *clocks);
    struct tree *same = leaf_equal(joined, a) ? a : leaf_equal(joined, b) ? b : NULL;
    if (!same)
        return joined;
    tree_drop(joined);
    return tree_keep(same);
}

/* A tree that covers everything that either covers; one of the two if possible. */
static struct tree *join(struct tree *a, struct tree *b)
{
    if (a == b || !b)
        return tree_keep(a);
    if (!a)
        return tree_keep(b);
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
            tree_drop(child[i]);
        return tree_keep(like_a ? a : b);
    }
    struct tree *joined = arena_get(&arena, sizeof *joined);
    joined->references = 1;
    joined->leaf = false;
    memcpy(joined->child, child, sizeof child);
    return joined;
}

void tree_add(struct tree **into, struct tree *more)
{
    if (!more || *into == more)
        return;
    struct tree *joined = join(*into, more);
    tree_drop(*into);
    *into = joined;
}

void tree_set(struct tree **to, struct tree *tree)
{
    struct tree *before = *to;
    *to = tree_keep(tree);
    tree_drop(before);
}

struct tree *tree_of(uint64_t block, struct tree *leaf)
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

bool tree_covers(const struct tree *tree, uint64_t block, uint32_t epoch, uint32_t clock)
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

void tree_begin_launch(uint64_t grid_blocks)
{
    levels = 0;
    while (levels < 64 / FAN_BITS && (grid_blocks - 1) >> (FAN_BITS * levels) > 0)
        levels++;
}

void tree_end_launch(void)
{
    arena_forget(&arena);
}
