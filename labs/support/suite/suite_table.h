/* suite_table.h: the table of a lab's parts, in the order of lab.toml. See suite_parts.h. */
#ifndef LABS_SUITE_TABLE_H
#define LABS_SUITE_TABLE_H

#include "suite_parts.h"

static struct suite_part *const suite_parts[] = {
#define PART(returns, function, arguments, stock) &function##_has_no_row_in_the_suite,
#include "parts.def"
#undef PART
};

enum { SUITE_PARTS = sizeof suite_parts / sizeof *suite_parts };

/* The fields of a lab's description that concern its parts. */
#define SUITE_TABLE .parts = suite_parts, .count = SUITE_PARTS, .monoids = LAB_MONOIDS

#endif
