/* suite_reduce.c: see suite_reduce.h. */
#include "suite_reduce.h"
#include <math.h>
#include <string.h>

enum { PAIRS_UP_TO = 4096 /* elements; the search for a swapped pair takes n^2 steps */ };

void *reduce_expected(int number, const void *in, size_t n)
{
    const struct monoid *monoid = &monoids[number];
    size_t size = element_size(monoid->element);
    unsigned char *sum = suite_memory(size);

    memcpy(sum, monoid->identity, size);
    if (number == MONOID_FLOAT_SUM) {
        double exact = 0;
        for (size_t i = 0; i < n; i++)
            exact += ((const float *)in)[i];
        *(float *)sum = (float)exact;
        return sum;
    }
    for (size_t i = 0; i < n; i++)
        monoid->combine(sum, sum, (const unsigned char *)in + i * size);
    return sum;
}

double reduce_magnitude(const float *in, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += fabs((double)in[i]);
    return sum;
}

/* ---- explanation --------------------------------------------------------------------------------------- */

static unsigned add_marks(unsigned left, unsigned right)
{
    return (unsigned)(((uint64_t)left + right) % FINGERPRINT_PRIME);
}

static unsigned subtract_marks(unsigned left, unsigned right)
{
    return (unsigned)(((uint64_t)left + FINGERPRINT_PRIME - right % FINGERPRINT_PRIME) % FINGERPRINT_PRIME);
}

/* Is there a run of `count` neighbours, or of elements with steps of 2, 4, 8 ..., whose marks add up to `mark`? If
 * so, describes it. */
static bool find_run(struct suite_text *text, const fingerprint_t *in, size_t n, size_t count, unsigned mark,
                     const char *one, const char *many)
{
    for (size_t step = 1; count >= 1 && step <= n; step *= 2) {
        /* Within each remainder class, a window with its sum moves on by one step at a time. */
        for (size_t first = 0; first < step && (count - 1) * step < n - first; first++) {
            unsigned sum = 0;
            for (size_t i = 0; i < count; i++)
                sum = add_marks(sum, in[first + i * step].mark);
            for (size_t at = first;; at += step) {
                if (sum == mark) {
                    if (count == 1)
                        suite_add(text, "element %zu %s\n", at, one);
                    else if (step == 1)
                        suite_add(text, "elements %zu to %zu %s\n", at, at + count - 1, many);
                    else
                        suite_add(text, "elements %zu, %zu, ... %zu, in steps of %zu, %s\n", at, at + step,
                                  at + (count - 1) * step, step, many);
                    return true;
                }
                if (at + count * step >= n)
                    break;
                sum = add_marks(sum, subtract_marks(in[at + count * step].mark, in[at].mark));
            }
        }
        if (count == 1)
            break;
    }
    return false;
}

/* Was one element used instead of another? */
static bool find_exchange(struct suite_text *text, const fingerprint_t *in, size_t n, unsigned excess)
{
    if (n > PAIRS_UP_TO)
        return false;
    for (size_t twice = 0; twice < n; twice++)
        for (size_t never = 0; never < n; never++)
            if (subtract_marks(in[twice].mark, in[never].mark) == excess) {
                suite_add(text, "element %zu comes in twice, and element %zu not at all\n", twice, never);
                return true;
            }
    return false;
}

void reduce_explain(struct suite_text *text, const struct suite_call *call,
                    const struct suite_argument *argument, size_t slot)
{
    if (argument->element != ELEMENT_FINGERPRINT || element_is_unwritten(argument->element, argument->got))
        return;
    const fingerprint_t *in = call->argument[0].input;
    fingerprint_t got = ((const fingerprint_t *)argument->got)[slot];
    fingerprint_t expected = ((const fingerprint_t *)argument->expected)[slot];
    size_t n = call->is.n;

    suite_add(text, "a fingerprint counts elements: this one has %u of %zu\n", got.count - FINGERPRINT_BASE,
              n);
    unsigned fewer = expected.count - got.count, more = got.count - expected.count;
    if (got.count == FINGERPRINT_BASE)
        return;
    if (fewer != 0 && fewer <= n)
        find_run(text, in, n, fewer, subtract_marks(expected.mark, got.mark), "is missing", "are missing");
    else if (more != 0 && more <= n)
        find_run(text, in, n, more, subtract_marks(got.mark, expected.mark), "comes in twice",
                 "come in twice");
    else if (fewer == 0)
        find_exchange(text, in, n, subtract_marks(got.mark, expected.mark));
    else
        suite_add(text, "there are not that many elements: was memory combined that nobody had written?\n");
}
