/* suite_marks.h: marks: values that a kernel could mistake for a mark of its own, at every position where that
 * would show. */
#ifndef LABS_SUITE_MARKS_H
#define LABS_SUITE_MARKS_H

#include "suite.h"

enum {
    SUITE_MARKS = 18,     /* for each type */
    SUITE_POSITIONS = 12, /* ends of the input, of warps and of tiles, and their neighbours */
};

/* The kinds of INPUT_MARKED; the seed selects one. In turn t the mark at telling position p is number t + p. */
enum suite_marked {
    MARKED_SCATTERED, /* the other elements are random */
    MARKED_AMONG_ONE, /* the other elements are one other mark */
    MARKED_SUMS,      /* for sums: the elements up to an end add up to the mark */
    MARKED_EQUAL,     /* all elements are mark t */
    SUITE_MARKED_KINDS
};

enum suite_marked suite_marked(uint64_t seed);
uint64_t suite_marked_seed(enum suite_marked kind, size_t turn);

/* Mark `number` (modulo SUITE_MARKS) for whole numbers. */
int suite_mark(size_t number);

/* The index of telling position i (below SUITE_POSITIONS) among n >= 1 elements; SIZE_MAX if n is too small. */
size_t suite_telling_position(size_t i, size_t n, size_t tile);

/* The number of the mark at index i; SIZE_MAX if there is none. */
size_t suite_mark_at(const struct suite_case *is, size_t i, size_t count);

/* Fills in `count` elements of the case's monoid. */
void suite_marked_values(const struct suite_case *is, size_t count, uint64_t stream, void *values);

#endif
