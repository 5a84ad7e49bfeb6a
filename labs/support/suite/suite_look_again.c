/* suite_look_again.c: repeats on the CPU device a call that failed on a GPU. A GPU only shows that a result is wrong or
 * an address illegal; the CPU device names the line, the variable and the threads. */
#include "suite_internal.h"
#include <stdio.h>
#include <unistd.h>

#define SAME_CALL "the same call on the CPU device:"

enum {
    LONGEST = (1 << 21) + 3, /* elements; the suites' longest call of a part that says nothing else */
    MOST_ORDERED = 5000      /* elements; longer calls are made in one order only */
};

/* Does the failure say something about the code, which another device may explain? */
static bool is_of_the_code(const struct suite_failure *failure)
{
    return failure->call && !failure->call->unwritten && failure->kind != SUITE_MISSING &&
           (failure->kind != SUITE_HARNESS || suite_part_hangs(failure->call->is.part));
}

/* Makes the call in one order of threads after another until one fails. Returns the failure; null if all are right and
 * have no findings. */
static const struct suite_failure *make_calls(struct suite_case is)
{
    static const uint32_t orders[] = {CALL_FORWARD, CALL_REVERSE, CALL_RANDOM};
    const struct suite_failure *found = NULL;
    for (size_t i = 0; i < sizeof orders / sizeof *orders && !found; i++) {
        is.order = orders[i];
        if (i == 0 || suite_elements(is.n) <= MOST_ORDERED)
            found = suite_check(suite_clean, &is);
    }
    return found;
}

static void record_right(const struct suite_case *is)
{
    char words[1024];
    struct suite_text text = suite_text(words, sizeof words);
    suite_add(
        &text,
        SAME_CALL
        " right, and without a finding%s\n"
        "how that can be: code that only a GPU compiles (#ifdef), a limit of the GPU such as its registers, "
        "blocks that wait for others which do not run yet, or static and __device__ variables that "
        "earlier calls changed\n"
        "try: make test LAB=%u PART=%s, whose calls are other ones",
        suite_elements(is->n) <= MOST_ORDERED ? ", in three orders of its threads" : "", suite_lab->number,
        is->part->name);
    suite_record_again(words, NULL);
}

/* Why the call cannot be repeated; null if it can. */
static const char *obstacle(const struct suite_case *is)
{
    char path[4096];
    const size_t longest = is->part->longest > 0 ? is->part->longest : LONGEST;
    suite_library(path, sizeof path, is->monoid, is->tile, false);
    if (suite_elements(is->n) > longest)
        return "is too long for it; a shorter one may fail in the same way";
    if (access(path, R_OK) != 0 || access(suite_options.runner, X_OK) != 0)
        return "has no build for it";
    return NULL;
}

void suite_look_again(const struct suite_failure *failure)
{
    if (!suite_options.look_again || !is_of_the_code(failure))
        return;
    const struct suite_options on_gpu = suite_options;
    const struct suite_case is = failure->call->is;
    const bool hung = suite_part_hangs(is.part);
    suite_end(); /* the CPU device's runners take the place of the GPU's */
    suite_options.on_cuda = false;
    suite_options.submission = on_gpu.look_again;
    suite_options.runner = on_gpu.again_runner;
    suite_options.tile = is.tile; /* a smaller call needs no other build */
    const char *why = obstacle(&is);
    if (why) {
        char words[256];
        snprintf(words, sizeof words, SAME_CALL " it %s", why);
        suite_record_again(words, NULL);
    } else {
        const struct suite_failure *found = make_calls(is);
        if (found)
            suite_record_again(SAME_CALL, found);
        else
            record_right(&is);
        if (!hung)
            suite_forgive_hanging();
    }
    suite_end();
    suite_options = on_gpu;
}
