/* check_reduction.h: what lab 1's grading suite uses of the public suite. */
#ifndef CHECK_REDUCTION_H
#define CHECK_REDUCTION_H

#include "suite.h"

/* Powers of two, for parts that take no other length. */
extern const size_t power_lengths[];

/* Repeats float sums under different schedules. */
void test_same_bits(const struct suite_part *part);

#endif
