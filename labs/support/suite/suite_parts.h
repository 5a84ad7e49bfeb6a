/* suite_parts.h: the parts of a lab. check_<lab>.c includes it first. The names of parts come from lab.toml, and
 * their arguments from the contract; make writes both into parts.def (labs/support/tools/make_parts.py).
 *
 *     SUITE_PART(scan_global, .arrange = ..., .tests = ..., .lengths = ...);
 *
 * describes how a part is judged. suite_table.h, included after the last part, makes the table. A part that is not
 * in lab.toml, or that has no row, is a compile error that names it. */
#ifndef LABS_SUITE_PARTS_H
#define LABS_SUITE_PARTS_H

#include "suite.h"

#define PART(returns, function, arguments, stock)                                                            \
    static const char function##_is_not_in_lab_toml[] = #arguments;
#include "parts.def"
#undef PART

#define SUITE_PART(part, ...)                                                                                \
    static struct suite_part part##_has_no_row_in_the_suite = {                                              \
        .name = #part, .arguments = part##_is_not_in_lab_toml, __VA_ARGS__}

#endif
