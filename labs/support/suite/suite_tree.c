#include "suite_tree.h"
#include <string.h>

void suite_tree_begin(struct suite_tree *tree, bool symmetric)
{
    memset(tree, 0, sizeof *tree);
    tree->symmetric = symmetric;
}

void suite_tree_ask(const struct suite_tree *tree, struct simt_explore *explore)
{
    memset(explore, 0, sizeof *explore);
    explore->on = 1;
    explore->symmetric = tree->symmetric;
    explore->choices = tree->depth;
    for (uint32_t i = 0; i < tree->depth; i++)
        explore->choice[i] = tree->node[i].is.chosen;
}

static uint64_t left_of(const struct tree_node *node)
{
    return node->is.options & ~node->is.failed;
}

static unsigned highest(uint64_t bits)
{
    return 63 - (unsigned)__builtin_clzll(bits);
}

/* All values of a read have been tried. If its thread waits for a value, has the block that writes it started? It has if the thread
 * waits only while it reads another value of that block, such as that of a lock that is taken. */
static void judge_unstarted(struct suite_tree *tree, const struct tree_node *node)
{
    for (unsigned i = 0; i < node->of_unstarted; i++) {
        const struct simt_choice *choice = &node->unstarted[i];
        const bool holds = !(node->is.failed & 1) && (node->is.failed & choice->by_other);
        if ((node->is.waits || node->is.failed) && !holds)
            tree->unstarted = *choice;
    }
}

/* Chooses another option of the last choice of the path that has one. */
static bool advance(struct suite_tree *tree)
{
    for (; tree->depth > 0; tree->depth--) {
        struct tree_node *node = &tree->node[tree->depth - 1];
        const uint64_t left = left_of(node) & ~node->tried;
        if (node->is.chosen < 64 && node->is.chosen < SIMT_CHOICE_WAIT)
            node->tried |= (uint64_t)1 << node->is.chosen;
        if (left & ~node->tried) {
            node->is.chosen = (uint8_t)highest(left & ~node->tried);
            return true;
        }
        if (node->is.reads && !node->postponed && (left_of(node) == 0 || node->is.witness)) {
            node->is.chosen = left_of(node) == 0 ? SIMT_CHOICE_WAIT : SIMT_CHOICE_LATER;
            node->postponed = true;
            return true;
        }
        judge_unstarted(tree, node);
    }
    return false;
}

/* Adds what the run says about the choices of the path, and the first `count` choices of the run that come after them. */
static void merge(struct suite_tree *tree, const struct simt_explored *explored, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const struct simt_choice *from = &explored->choice[i];
        struct tree_node *node = &tree->node[i];
        if (i >= tree->depth)
            *node = (struct tree_node){.is = *from, .postponed = from->chosen >= SIMT_CHOICE_WAIT};
        node->is.witness |= from->witness;
        node->is.failed |= from->chosen == SIMT_CHOICE_WAIT ? from->options : 0;
        node->is.waits |= from->waits;
        if (from->unstarted && i + 1 >= tree->depth && node->of_unstarted < SUITE_TREE_UNSTARTED)
            node->unstarted[node->of_unstarted++] = *from;
    }
    tree->depth = count > tree->depth ? count : tree->depth;
}

bool suite_tree_take(struct suite_tree *tree, const struct simt_explored *explored)
{
    tree->runs++;
    if (explored->end == SIMT_EXPLORED_AGAIN && explored->failed_choice >= explored->choices) {
        merge(tree, explored, explored->choices);
        return true;
    }
    if (explored->end == SIMT_EXPLORED_AGAIN) {
        const uint32_t at = explored->failed_choice;
        merge(tree, explored, at + 1);
        tree->depth = at + 1;
        struct tree_node *node = &tree->node[at];
        if (node->is.chosen < SIMT_CHOICE_WAIT)
            node->is.failed |= (uint64_t)1 << node->is.chosen;
        return advance(tree);
    }
    tree->whole += explored->end == SIMT_EXPLORED_WHOLE;
    merge(tree, explored, explored->choices);
    return advance(tree);
}
