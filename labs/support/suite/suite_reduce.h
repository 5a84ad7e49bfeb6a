/* suite_reduce.h: arguments, expected values and explanations of reductions. */
#ifndef LABS_SUITE_REDUCE_H
#define LABS_SUITE_REDUCE_H

#include "suite.h"

/* The reduction of n elements by a plain loop: one element, from suite_memory. */
void *reduce_expected(int monoid, const void *in, size_t n);

/* |in[0]| + ... + |in[n - 1]| */
double reduce_magnitude(const float *in, size_t n);

/* Explains a wrong result: on fingerprints, which elements are missing or were used twice. */
void reduce_explain(struct suite_text *text, const struct suite_call *call,
                    const struct suite_argument *argument, size_t slot);

#endif
