/* suite_scan.c: see suite_scan.h. */
#include "suite_scan.h"
#include <math.h>
#include <string.h>

#define UNIT_ROUNDOFF 0x1p-24

/* ---- expected values ----------------------------------------------------------------------------------- */

static void scan_floats(const float *in, float *out, size_t n, bool exclusive)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        if (exclusive)
            out[i] = (float)sum;
        sum += in[i];
        if (!exclusive)
            out[i] = (float)sum;
    }
}

void *scan_expected(int number, const void *in, size_t n, bool exclusive)
{
    const struct monoid *monoid = &monoids[number];
    size_t size = element_size(monoid->element);
    unsigned char *out = suite_memory(n * size), sum[16];

    if (number == MONOID_FLOAT_SUM) {
        scan_floats(in, (float *)out, n, exclusive);
        return out;
    }
    memcpy(sum, monoid->identity, size);
    for (size_t i = 0; i < n; i++) {
        if (exclusive)
            memcpy(out + i * size, sum, size);
        monoid->combine(sum, sum, (const unsigned char *)in + i * size);
        if (!exclusive)
            memcpy(out + i * size, sum, size);
    }
    return out;
}

const double *scan_tolerances(int monoid, const void *in, size_t n, bool exclusive, unsigned (*depth)(size_t))
{
    if (monoid != MONOID_FLOAT_SUM || !depth)
        return NULL;
    const float *values = in;
    double *tolerances = suite_memory(n * sizeof *tolerances), magnitude = 0;
    for (size_t i = 0; i < n; i++) {
        double before = magnitude;
        magnitude += fabs((double)values[i]);
        size_t last = exclusive && i > 0 ? i - 1 : i; /* the slot with this sum in the inclusive scan */
        double d = depth(last) * UNIT_ROUNDOFF;
        tolerances[i] = d / (1 - d) * (exclusive ? before : magnitude);
    }
    return tolerances;
}

unsigned scan_depth_any(size_t slot)
{
    return (unsigned)slot;
}

unsigned scan_depth_log(size_t slot)
{
    unsigned depth = 0;
    while (((size_t)1 << depth) < slot + 1)
        depth++;
    return depth;
}

uint64_t scan_log_step_work(size_t n)
{
    uint64_t work = 0;
    for (size_t stride = 1; stride < n; stride *= 2)
        work += n - stride;
    return work;
}

/* ---- arrangement --------------------------------------------------------------------------------------- */

static void arrange(struct suite_call *call, bool exclusive)
{
    const struct suite_case *is = &call->is;
    enum element element = monoids[is->monoid].element;
    const void *in = suite_values(is, is->n, 0);
    const void *expected = scan_expected(is->monoid, in, is->n, exclusive);
    const double *tolerances = scan_tolerances(is->monoid, in, is->n, exclusive, is->part->depth);
    unsigned input = suite_in(call, element, is->n, in);
    if (is->in_place)
        suite_same(call, input, expected, tolerances);
    else
        suite_out(call, element, is->n, expected, tolerances);
    suite_scalar(call, is->n);
}

void scan_arrange_inclusive(struct suite_call *call)
{
    arrange(call, false);
}

void scan_arrange_exclusive(struct suite_call *call)
{
    arrange(call, true);
}

/* ---- explanation --------------------------------------------------------------------------------------- */

/* Adds "element 5" or "elements 5 to 8". */
static void add_elements(struct suite_text *text, int first, int last, const char *one, const char *many)
{
    if (first == last)
        suite_add(text, "element %d %s", first - INTERVAL_BASE, one);
    else
        suite_add(text, "elements %d to %d %s", first - INTERVAL_BASE, last - INTERVAL_BASE, many);
}

static bool explain_poison(struct suite_text *text, interval_t got, interval_t expected)
{
    int end = got.first & INT_MAX, begin = got.last & INT_MAX;
    if (element_is_joined_with_junk(got)) {
        suite_add(text, "try: every slot must be written before it is read, with a barrier in between\n");
    } else if (got.last < 0) {
        suite_add(text, "try: combine(left, right): the operand that is earlier in the input comes first\n");
    } else if (end == 0 || begin == 0) {
        suite_add(text, "try: IDENTITY is what stands for \"nothing yet\", not 0\n");
    } else if (begin > end + 1) {
        add_elements(text, end + 1, begin - 1, "is", "are");
        suite_add(text, " missing between them\n");
    } else if (!interval_is_empty(expected) && end >= expected.last) {
        add_elements(text, begin, end, "comes", "come");
        suite_add(text, " in twice: the left operand must end before the elements to which it is added\n");
    } else {
        add_elements(text, begin, end, "comes", "come");
        suite_add(text, " in twice, or in the wrong order: was an operand read after another thread had"
                        " changed it?\n");
    }
    return true;
}

bool scan_explain_interval(struct suite_text *text, interval_t got, interval_t expected)
{
    if (interval_is_poisoned(got))
        return explain_poison(text, got, expected);
    if (got.first == 0 && got.last == 0) {
        suite_add(text, "try: IDENTITY is what stands for \"nothing yet\", not 0\n");
        return true;
    }
    if (interval_is_empty(got) || interval_is_empty(expected))
        return false;
    struct suite_text before = *text;
    if (got.first > expected.first) {
        add_elements(text, expected.first, got.first - 1, "is", "are");
        suite_add(text, " missing at the front\n");
    }
    if (got.last < expected.last) {
        add_elements(text, got.last + 1, expected.last, "is", "are");
        suite_add(text, " missing at the end\n");
    }
    if (got.last > expected.last) {
        add_elements(text, expected.last + 1, got.last, "is", "are");
        suite_add(text, " too many\n");
    }
    return text->at != before.at;
}

static bool holds(const struct suite_argument *argument, const void *values)
{
    return memcmp(argument->got, values, argument->count * element_size(argument->element)) == 0;
}

static bool is_untouched(const struct suite_argument *argument)
{
    size_t size = element_size(argument->element);
    for (size_t i = 0; i < argument->count; i++)
        if (!element_is_unwritten(argument->element, (const unsigned char *)argument->got + i * size))
            return false;
    return true;
}

void scan_explain(struct suite_text *text, const struct suite_call *call,
                  const struct suite_argument *argument, size_t slot)
{
    const struct suite_argument *in = &call->argument[0];
    int monoid = call->is.monoid;
    size_t n = argument->count;

    if (is_untouched(argument)) {
        if (n > 1)
            suite_add(text, "nothing was written to %s at all\n", argument->name);
        return;
    }
    if (n > 0 && in->count == n && in->element == argument->element) {
        for (int exclusive = 0; exclusive < 2; exclusive++)
            if (holds(argument, scan_expected(monoid, in->input, n, exclusive))) {
                suite_add(text,
                          n == 1 && !exclusive
                              ? "slot 0 is IDENTITY: this is the %s scan, or a root that is not cleared; "
                                "%s is the %s one\n"
                              : "this is the %s scan; %s is the %s one\n",
                          exclusive ? "exclusive" : "inclusive", call->is.part->name,
                          exclusive ? "inclusive" : "exclusive");
                return;
            }
        if (holds(argument, in->input)) {
            suite_add(text, "this is the input, not its scan\n");
            return;
        }
    }
    if (argument->element == ELEMENT_INTERVAL) {
        const interval_t *got = argument->got;
        const interval_t *expected = argument->expected;
        if (!element_is_unwritten(ELEMENT_INTERVAL, &got[slot]))
            scan_explain_interval(text, got[slot], expected[slot]);
    }
}
