/* check_radix_sort.h: what the suite of lab 5 that grades takes of the public one. */
#ifndef CHECK_RADIX_SORT_H
#define CHECK_RADIX_SORT_H

#include "suite.h"

/* Of parts that take one tile. */
extern const size_t tile_lengths[];

/* Of the part that takes two tiles. */
extern const size_t pair_lengths[];

/* Keys that are wide and narrow. */
void test_kinds_of_keys(const struct suite_part *part);

#endif
