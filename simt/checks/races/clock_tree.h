/* clock_tree.h: a vector clock as a persistent tree over the blocks of a launch. Internal.
 *
 * Trees are immutable and reference-counted: copies share equal parts, so a barrier of a large block is cheap. All
 * trees live until tree_end_launch. A null tree covers nothing. */
#ifndef SIMT_CLOCK_TREE_H
#define SIMT_CLOCK_TREE_H

#include <stdbool.h>
#include <stdint.h>

enum { FAN = 16, FAN_BITS = 4 };

/* Leaf: the covered accesses of one block (an epoch for all its threads, clocks for some). Inner node: FAN children. */
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

struct tree *tree_keep(struct tree *tree);
void tree_drop(struct tree *tree);

/* A leaf with `count` clocks, which the caller fills in. */
struct tree *tree_leaf(uint32_t epoch, uint32_t count);

/* *into becomes a tree that covers everything that either covers. */
void tree_add(struct tree **into, struct tree *more);

/* *to becomes `tree`. */
void tree_set(struct tree **to, struct tree *tree);

/* A tree whose only leaf is this one, for that block. It takes ownership of the leaf. */
struct tree *tree_of(uint64_t block, struct tree *leaf);

/* Does the tree cover an access by the block in that epoch, at that clock of its thread? */
bool tree_covers(const struct tree *tree, uint64_t block, uint32_t epoch, uint32_t clock);

void tree_begin_launch(uint64_t grid_blocks);
void tree_end_launch(void); /* frees all trees */

#endif
