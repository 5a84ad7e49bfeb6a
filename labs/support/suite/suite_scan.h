/* suite_scan.h: arguments, expected values and explanations of scans, which several labs share. */
#ifndef LABS_SUITE_SCAN_H
#define LABS_SUITE_SCAN_H

#include "suite.h"

/* Arrange in, out, n. In place, out is in. */
void scan_arrange_inclusive(struct suite_call *call);
void scan_arrange_exclusive(struct suite_call *call);

/* The scan of n elements by a plain loop, from suite_memory. Sums of floats are rounded once, at the end. */
void *scan_expected(int monoid, const void *in, size_t n, bool exclusive);

/* The error allowed in each slot of a float scan if no input goes through more than depth(i) additions on its way
 * to slot i: gamma(depth) * (|in[0]| + ... + |in[i]|), where gamma(d) = d u / (1 - d u) and u = 2^-24 (Higham,
 * "Accuracy and Stability of Numerical Algorithms", 4.2). Null for other monoids. */
const double *scan_tolerances(int monoid, const void *in, size_t n, bool exclusive,
                              unsigned (*depth)(size_t));

/* Depths: for additions in any order; in a balanced tree. */
unsigned scan_depth_any(size_t slot);
unsigned scan_depth_log(size_t slot);

/* Explains the first wrong slot of a scan. */
void scan_explain(struct suite_text *text, const struct suite_call *call,
                  const struct suite_argument *argument, size_t slot);

/* The same for an array of intervals that need not be a scan. Returns false if the value explains nothing. */
bool scan_explain_interval(struct suite_text *text, interval_t got, interval_t expected);

/* The sum of (n - d) over the strides d = 1, 2, 4, ... below n: the work of a scan in log2 n steps. */
uint64_t scan_log_step_work(size_t n);

#endif
