/* check_reduction.h: what the suite of lab 1 that grades takes of the public one. */
#ifndef CHECK_REDUCTION_H
#define CHECK_REDUCTION_H

#include "suite.h"

/* Powers of two, for parts that take no other length. */
extern const size_t power_lengths[];

/* Float sums in calls that are repeated under other schedules. */
void test_same_bits(const struct suite_part *part);

#endif
