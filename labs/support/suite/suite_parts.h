/* suite_parts.h: the parts of a lab, with which its check_<lab>.c begins: their names are those of lab.toml, and their
 * arguments those of the contract. make writes both into parts.def (labs/support/tools/make_parts.py).
 *
 *     SUITE_PART(scan_global, .arrange = ..., .tests = ..., .lengths = ...);
 *
 * says how a part is judged. suite_table.h, included behind the last of them, makes the table. A part that is not in
 * lab.toml, or that has no row, is an error of the compiler's that names it. */
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
