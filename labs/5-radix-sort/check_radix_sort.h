/* check_radix_sort.h: what lab 5's grading suite uses of the public suite. */
#ifndef CHECK_RADIX_SORT_H
#define CHECK_RADIX_SORT_H

#include "suite.h"

/* Lengths for parts that take one tile. */
extern const size_t tile_lengths[];

/* Lengths for the part that takes two tiles. */
extern const size_t pair_lengths[];

/* Tests wide and narrow keys. */
void test_kinds_of_keys(const struct suite_part *part);

#endif
