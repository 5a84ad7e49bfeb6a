/* suite_trace.c: the record of one call, for `make trace`. The device writes it, and knows arrays by name only: what
 * their elements are, and what was called, is written down here, in a file of JSON beside it. */
#include "suite_internal.h"
#include <stdio.h>
#include <stdlib.h>

/* By enum element. */
static const char *const elements[] = {"int",   "unsigned",   "long",   "byte",     "character",
                                       "float", "float_bits", "affine", "interval", "fingerprint"};
static const char *const kinds[] = {"in", "out", "in_out"};

void suite_begin_trace(void)
{
    if (suite_options.trace)
        setenv("SIMT_TRACE", suite_options.trace, 1);
}

/* All texts are names of ours: no character of theirs needs an escape. */
bool suite_end_trace(const struct suite_call *call, bool came_through, bool good)
{
    char path[4096];
    const struct suite_case *is = &call->is;
    if (!suite_options.trace)
        return true;
    snprintf(path, sizeof path, "%s.case", suite_options.trace);
    FILE *file = fopen(path, "w");
    if (!file) {
        perror(path);
        return false;
    }
    fprintf(file, "{\"lab\":%u,\"name\":\"%s\",\"part\":\"%s\",\"monoid\":\"%s\",\"tile\":%zu,",
            suite_lab->number, suite_lab->name, is->part->name, monoids[is->monoid].name, is->tile);
    fprintf(file, "\"n\":%zu,\"seed\":%llu,\"input\":\"%s\",\"order\":\"%s\",\"resident\":%u,",
            suite_elements(is->n), (unsigned long long)is->seed, suite_input_name(is->input),
            suite_order_name(is->order), is->resident);
    if (suite_lab->images)
        fprintf(file, "\"rows\":%zu,\"columns\":%zu,", suite_rows(is->n), suite_columns(is->n));
    fprintf(file, "\"verdict\":\"%s\",\"arrays\":[", !came_through ? "stopped" : good ? "right" : "wrong");
    const char *before = "";
    for (unsigned a = 0; a < call->arguments; a++) {
        const struct suite_argument *argument = &call->argument[a];
        if (argument->kind > CALL_IN_OUT)
            continue;
        fprintf(file, "%s{\"name\":\"%s\",\"element\":\"%s\",\"count\":%zu,\"kind\":\"%s\",\"image\":%s}",
                before, argument->name, elements[argument->element], argument->count, kinds[argument->kind],
                suite_is_image(call, argument) ? "true" : "false");
        before = ",";
    }
    fputs("]}\n", file);
    if (fclose(file) == 0)
        return true;
    perror(path);
    return false;
}
