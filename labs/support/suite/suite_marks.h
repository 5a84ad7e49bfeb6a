/* suite_marks.h: marks: values that a kernel could take for a mark of its own, at every position where that shows. */
#ifndef LABS_SUITE_MARKS_H
#define LABS_SUITE_MARKS_H

#include "suite.h"

enum {
    SUITE_MARKS = 18, /* of a type */
    SUITE_POSITIONS =
        12, /* telling positions: ends of the input, of warps and of tiles, and their neighbours */
};

/* How INPUT_MARKED is made; the seed says which. In turn t the mark at telling position p is number t + p. */
enum suite_marked {
    MARKED_SCATTERED, /* the rest is random */
    MARKED_AMONG_ONE, /* the rest is one other mark */
    MARKED_SUMS,      /* of sums: what comes before an end adds up to the mark */
    MARKED_EQUAL,     /* all elements are mark t */
    SUITE_MARKED_KINDS
};

enum suite_marked suite_marked(uint64_t seed);
uint64_t suite_marked_seed(enum suite_marked kind, size_t turn);

/* A mark of whole numbers; they are taken modulo SUITE_MARKS. */
int suite_mark(size_t number);

/* The index of telling position i (below SUITE_POSITIONS) among n >= 1 elements; SIZE_MAX when n is too small. */
size_t suite_telling_position(size_t i, size_t n, size_t tile);

/* The number of the mark that stands at index i; SIZE_MAX: none does. */
size_t suite_mark_at(const struct suite_case *is, size_t i, size_t count);

/* Fills in `count` elements of the case's monoid. */
void suite_marked_values(const struct suite_case *is, size_t count, uint64_t stream, void *values);

#endif
