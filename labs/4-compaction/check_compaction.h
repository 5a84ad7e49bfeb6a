/* check_compaction.h: what the suite of lab 4 that grades takes of the public one. */
#ifndef CHECK_COMPACTION_H
#define CHECK_COMPACTION_H

#include "suite.h"

/* The seed of a call in which element i is kept where bit i of the mask is set. */
uint64_t seed_of_mask(uint32_t mask);

/* Calls in which none, some and all elements are kept. */
void test_shares(const struct suite_part *part);

#endif
