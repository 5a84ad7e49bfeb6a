/* suite_tree.h: the tree of choices of all explored executions, in depth first order. It holds one path only: each run repeats the
 * choices of the path, and reports those that it made after them. */
#ifndef LABS_SUITE_TREE_H
#define LABS_SUITE_TREE_H

#include "../../../simt/simt.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { SUITE_TREE_UNSTARTED = 4 };

struct suite_tree {
    uint32_t symmetric; /* blocks count as equal: see struct simt_explore */
    uint32_t depth;
    uint64_t whole, runs; /* executions up to their end; and all runs */
    struct simt_choice
        unstarted; /* a thread that may wait for a block which has not started; block == other: none */
    struct tree_node {
        struct simt_choice is;
        uint64_t tried;
        bool postponed;
        struct simt_choice
            unstarted[SUITE_TREE_UNSTARTED]; /* the first choices of a value that an unstarted block wrote */
        unsigned of_unstarted;
    } node[SIMT_CHOICES];
};

/* Begins a new tree. */
void suite_tree_begin(struct suite_tree *tree, bool symmetric);

/* What to ask of the next run. */
void suite_tree_ask(const struct suite_tree *tree, struct simt_explore *explore);

/* Takes what a run reports, and chooses the next path. Returns false if there is none. */
bool suite_tree_take(struct suite_tree *tree, const struct simt_explored *explored);

#ifdef __cplusplus
}
#endif

#endif
