/* suite_trace.c: the record of one call, for `make trace`. The device writes it, but has only the names of arrays.
 * This file writes the types of their elements and the description of the call into a JSON file next to it. */
#include "suite_internal.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_COMPARED = 4096, /* elements of an output */
    MOST_SHOWN = 64       /* an array of at most this many elements is shown as a whole */
};

/* Indexed by enum element. */
static const char *const elements[] = {"int",   "unsigned",   "long",   "byte",     "character",
                                       "float", "float_bits", "affine", "interval", "fingerprint"};
static const char *const kinds[] = {"in", "out", "in_out"};

void suite_begin_trace(void)
{
    if (suite_options.trace)
        setenv("SIMT_TRACE", suite_options.trace, 1);
}

static void put_elements(FILE *file, const char *name, const struct suite_argument *argument,
                         const void *values)
{
    char text[ELEMENT_SHORT];
    fprintf(file, ",\"%s\":[", name);
    for (size_t i = 0; i < argument->count; i++) {
        element_text(argument->element, (const char *)values + i * element_size(argument->element), text);
        fputs(i > 0 ? "," : "", file);
        suite_put_string(file, text, strlen(text));
    }
    fputc(']', file);
}

/* Records a wrong output: its values, the expected values, and the slots that differ. */
static void put_comparison(FILE *file, const struct suite_argument *argument)
{
    const void *expected = argument->expected ? argument->expected : argument->input;
    const char *before = "";
    if (!argument->got || argument->count > MOST_COMPARED)
        return;
    put_elements(file, "got", argument, argument->got);
    put_elements(file, "expected", argument, expected);
    fputs(",\"wrong\":[", file);
    for (size_t i = 0; i < argument->count; i++)
        if (!suite_slot_is_right(argument, i)) {
            fprintf(file, "%s%zu", before, i);
            before = ",";
        }
    fputc(']', file);
}

/* Texts without escapes below are internal names, which need none. */
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
    fprintf(file, "\"verdict\":\"%s\",\"said\":", !came_through ? "stopped" : good ? "right" : "wrong");
    suite_put_string(file, call->statement, strcspn(call->statement, "\n"));
    if (call->result_name)
        fprintf(file, ",\"result\":{\"name\":\"%s\",\"got\":%llu,\"expected\":%llu}", call->result_name,
                (unsigned long long)call->reply.result, (unsigned long long)call->expected_result);
    fputs(",\"arrays\":[", file);
    const char *before = "";
    for (unsigned a = 0; a < call->arguments; a++) {
        const struct suite_argument *argument = &call->argument[a];
        if (argument->kind > CALL_IN_OUT)
            continue;
        fprintf(file, "%s{\"name\":\"%s\",\"element\":\"%s\",\"count\":%zu,\"kind\":\"%s\",\"image\":%s",
                before, argument->name, elements[argument->element], argument->count, kinds[argument->kind],
                suite_is_image(call, argument) ? "true" : "false");
        if (argument->input && argument->count <= MOST_SHOWN)
            put_elements(file, "before", argument, argument->input);
        if (came_through && !good && argument->kind != CALL_IN)
            put_comparison(file, argument);
        fputc('}', file);
        before = ",";
    }
    fputs("]}\n", file);
    if (fclose(file) == 0)
        return true;
    perror(path);
    return false;
}
