/* check_applications.h: what the suite of lab 8 that grades takes of the public one. */
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
