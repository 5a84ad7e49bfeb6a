/* suite_arrange.c: arranges the arguments of a call as the part's contract declares them. */
#include "suite_internal.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- memory of calls ----------------------------------------------------------------------------------- */

static struct block {
    struct block *next;
} * blocks;

void *suite_memory(size_t bytes)
{
    /* 16 bytes for the link keep the memory aligned for every element. */
    struct block *block = malloc(16 + bytes);
    if (!block) {
        fprintf(stderr, "the suite is out of memory: %zu bytes\n", bytes);
        exit(2);
    }
    block->next = blocks;
    blocks = block;
    return (char *)block + 16;
}

void suite_forget_memory(void)
{
    while (blocks) {
        struct block *next = blocks->next;
        free(blocks);
        blocks = next;
    }
}

/* ---- arranging ----------------------------------------------------------------------------------------- */

/* Parameter i of "(const elem_t *in, size_t n)", and its length in bytes. Null if there are fewer parameters. */
static const char *parameter(const char *arguments, unsigned i, size_t *length)
{
    const char *from = arguments + 1;
    for (; i > 0 && from; i--) {
        from = strchr(from, ',');
        from = from ? from + strspn(from, ", ") : NULL;
    }
    *length = from ? strcspn(from, ",)") : 0;
    return from;
}

/* Reports a mistake in the suite, which no submission can cause. */
static void misfit(const struct suite_call *call, const char *what)
{
    fprintf(stderr, "the suite gives %s, as argument %u, %s: its contract declares %s%s\n",
            call->is.part->name, call->arguments, what, call->is.part->name, call->is.part->arguments);
    exit(2);
}

/* Appends the next argument, of this kind, with the contract's name. */
static struct suite_argument *append(struct suite_call *call, enum call_argument_kind kind)
{
    size_t length;
    const char *declared = parameter(call->is.part->arguments, call->arguments, &length);
    const bool written = kind != CALL_IN, scalar = kind == CALL_SCALAR;
    if (!declared || call->arguments == CALL_ARGUMENTS)
        misfit(call, "one more than it takes");
    if (scalar != (memchr(declared, '*', length) == NULL))
        misfit(call, scalar ? "a scalar" : "an array");
    if (!scalar && written != (strncmp(declared, "const ", 6) != 0))
        misfit(call, written ? "an output" : "an input");

    struct suite_argument *argument = &call->argument[call->arguments++];
    *argument = (struct suite_argument){.kind = kind};
    const char *end = declared + length, *name = end;
    while (name[-1] != ' ' && name[-1] != '*')
        name--;
    snprintf(argument->name, sizeof argument->name, "%.*s", (int)(end - name), name);
    return argument;
}

unsigned suite_in(struct suite_call *call, enum element element, size_t count, const void *input)
{
    struct suite_argument *argument = append(call, CALL_IN);
    argument->element = element;
    argument->count = count;
    argument->input = input;
    return call->arguments - 1;
}

unsigned suite_out(struct suite_call *call, enum element element, size_t count, const void *expected,
                   const double *tolerance)
{
    struct suite_argument *argument = append(call, CALL_OUT);
    argument->element = element;
    argument->count = count;
    argument->expected = expected;
    argument->tolerance = tolerance;
    return call->arguments - 1;
}

unsigned suite_same(struct suite_call *call, unsigned argument, const void *expected, const double *tolerance)
{
    struct suite_argument *array = &call->argument[argument];
    array->kind = CALL_IN_OUT;
    array->expected = expected;
    array->tolerance = tolerance;
    append(call, CALL_SAME)->same_as = argument;
    return call->arguments - 1;
}

unsigned suite_scalar(struct suite_call *call, uint64_t value)
{
    append(call, CALL_SCALAR)->scalar = value;
    return call->arguments - 1;
}

unsigned suite_shown_scalar(struct suite_call *call, uint64_t value)
{
    unsigned argument = suite_scalar(call, value);
    call->argument[argument].shown = true;
    return argument;
}

void suite_arrange(struct suite_call *call, const struct suite_case *is)
{
    suite_forget_memory();
    memset(call, 0, sizeof *call);
    call->is = *is;
    suite_use_tile(is->tile);
    is->part->arrange(call);
    size_t length;
    if (parameter(is->part->arguments, call->arguments, &length))
        misfit(call, "nothing");
}
