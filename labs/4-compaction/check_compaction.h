/* check_compaction.h: what lab 4's grading suite uses of the public suite. */
#ifndef CHECK_COMPACTION_H
#define CHECK_COMPACTION_H

#include "suite.h"

/* Returns the seed of a call that keeps element i if bit i of the mask is set. */
uint64_t seed_of_mask(uint32_t mask);

/* Tests calls in which none, some and all elements are kept. */
void test_shares(const struct suite_part *part);

#endif
