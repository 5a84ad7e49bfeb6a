/* check_applications.h: what lab 8's grading suite uses of the public suite. */
#ifndef CHECK_APPLICATIONS_H
#define CHECK_APPLICATIONS_H

#include "suite.h"

/* Of parts whose input is sorted before. */
extern const size_t sort_lengths[];

/* Inputs of every style. */
void test_styles(const struct suite_part *part);

/* The data sets. */
void test_real_data(const struct suite_part *part);

#endif
