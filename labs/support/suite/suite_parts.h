/* suite_parts.h: the parts of a lab, with which its check_<lab>.c begins: their names and arguments are those of the
 * lab's parts.def.
 *
 *     SUITE_PART(scan_global, .arrange = ..., .tests = ..., .lengths = ...);
 *
 * says how a part is judged. suite_table.h, included behind the last of them, makes the table. A part that is not in
 * parts.def, or that has no row, is an error of the compiler's that names it. */
#ifndef LABS_SUITE_PARTS_H
#define LABS_SUITE_PARTS_H

#include "suite.h"

#define PART(returns, function, arguments, stock)                                                            \
    static const char function##_is_not_in_parts_def[] = #arguments;
#include "parts.def"
#undef PART

#define SUITE_PART(part, ...)                                                                                \
    static struct suite_part part##_has_no_row_in_the_suite = {                                              \
        .name = #part, .arguments = part##_is_not_in_parts_def, __VA_ARGS__}

#endif
