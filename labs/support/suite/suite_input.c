/* suite_input.c: the inputs of cases. Equal cases get equal inputs. */
#include "npy.h"
#include "random.h"
#include "suite_internal.h"
#include "suite_marks.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static struct npy series;

bool suite_open_series(char *why, size_t why_size)
{
    char path[4096];
    if (!suite_lab->data_set || series.data)
        return true;
    snprintf(path, sizeof path, "%s/%s", suite_options.datasets, suite_lab->data_set);
    if (!npy_read(path, &series, why, why_size))
        return false;
    if (series.rows * series.columns > 0)
        return true;
    snprintf(why, why_size, "%s holds no elements", path);
    npy_free(&series);
    return false;
}

void suite_close_series(void)
{
    npy_free(&series);
}

size_t suite_series_length(void)
{
    return series.rows * series.columns;
}

size_t suite_series_size(void)
{
    return suite_lab->images ? suite_shape(series.rows, series.columns) : suite_series_length();
}

/* ---- whole numbers ------------------------------------------------------------------------------------- */

/* Element i of n in an input that ascends over the whole range. */
static int sorted_int(struct random *random, size_t i, size_t n)
{
    uint64_t step = ((uint64_t)1 << 32) / n;
    return (int)(INT_MIN + (int64_t)(i * step + random_below(random, step > 0 ? step : 1)));
}

static int series_int(size_t i)
{
    if (series.is_float)
        return (int)lrintf(((const float *)series.data)[i % suite_series_length()]);
    return ((const int *)series.data)[i % suite_series_length()];
}

static int make_int(enum suite_input kind, struct random *random, size_t i, size_t n, int equal)
{
    static const int example[] = {3, 1, 7, 0, 4, 1, 6, 3, 2, 5, 1, 1, 8, 0, 2, 9,
                                  4, 7, 3, 5, 1, 6, 0, 2, 9, 3, 8, 1, 5, 2, 7, 4};
    static const int extremes[] = {INT_MIN, INT_MAX, 0, 1, -1, INT_MIN + 1, INT_MAX - 1};
    switch (kind) {
    case INPUT_SORTED:
        return sorted_int(random, i, n);
    case INPUT_REVERSED:
        return sorted_int(random, n - 1 - i, n);
    case INPUT_EQUAL:
        return equal;
    case INPUT_NEGATIVE:
        return (int)(random_bits(random) | 1u << 31);
    case INPUT_EXTREME:
        return extremes[random_below(random, sizeof extremes / sizeof *extremes)];
    case INPUT_SERIES:
        return series_int(i);
    case INPUT_EXAMPLE:
        return example[i % (sizeof example / sizeof *example)];
    default:
        return (int)random_bits(random);
    }
}

/* ---- floats -------------------------------------------------------------------------------------------- */

/* Magnitudes from 2^-12 to 2^12: the sum of 2^31 of them is far from overflow, and most additions round. */
static float random_float(struct random *random)
{
    int exponent = (int)random_below(random, 24) - 11;
    float size = ldexpf((float)(0.5 + 0.5 * random_unit(random)), exponent);
    return random_bits(random) & 1 ? -size : size;
}

static float make_float(enum suite_input kind, struct random *random, size_t i, size_t n, int equal)
{
    switch (kind) {
    case INPUT_SORTED:
    case INPUT_REVERSED:
        return (float)make_int(kind, random, i, n, equal) * 0x1p-20f;
    case INPUT_EQUAL:
        return (float)(equal % 1000) * 0.001f + 1.1f;
    case INPUT_NEGATIVE:
        return -fabsf(random_float(random));
    case INPUT_EXTREME: /* large values that cancel, small ones that remain */
        return i % 3 == 2 ? random_float(random) * 0x1p-10f : (i % 3 == 0 ? 0x1p+20f : -0x1p+20f);
    case INPUT_EXAMPLE:
        return (float)make_int(kind, random, i, n, equal);
    case INPUT_SERIES:
        return series.is_float ? ((const float *)series.data)[i % suite_series_length()]
                               : (float)series_int(i);
    default:
        return random_float(random);
    }
}

/* ---- elements ------------------------------------------------------------------------------------------ */

/* Is slot i of n in a sparse input the identity? */
static bool is_hole(size_t i, size_t n, struct random *random)
{
    return i < (n + 3) / 4 || i >= n - n / 4 || (random_bits(random) & 1);
}

uint64_t suite_style_seed(const struct suite_case *is)
{
    const size_t most_of_any_style = 1 << 14; /* elements */
    return suite_elements(is->n) > most_of_any_style && is->seed < suite_chosen_seed(0) ? 1 : is->seed;
}

void *suite_values(const struct suite_case *is, size_t count, uint64_t stream)
{
    const struct monoid *monoid = &monoids[is->monoid];
    size_t size = element_size(monoid->element);
    unsigned char *values = suite_memory(count * size);
    struct random random = random_stream(is->seed, is->n * 64 + stream * 8 + (uint64_t)is->input);
    int equal = (int)random_below(&random, 1u << 30) + 2;
    size_t covered = 0; /* number of elements that the intervals so far contain */

    if (is->input == INPUT_MARKED && is->monoid != MONOID_INTERVAL && is->monoid != MONOID_FINGERPRINT) {
        suite_marked_values(is, count, stream, values);
        return values;
    }

    for (size_t i = 0; i < count; i++) {
        unsigned char *value = values + i * size;
        if (is->input == INPUT_SPARSE && is_hole(i, count, &random)) {
            memcpy(value, monoid->identity, size);
            continue;
        }
        union {
            int i;
            float f;
            affine_t affine;
            interval_t interval;
            fingerprint_t fingerprint;
        } x;
        switch (is->monoid) {
        case MONOID_FLOAT_SUM:
            x.f = make_float(is->input, &random, i, count, equal);
            break;
        case MONOID_AFFINE: /* an even factor would soon cancel everything before it */
            x.affine.a = (int)(random_bits(&random) | 1);
            if (is->input == INPUT_EXTREME || is->input == INPUT_EQUAL)
                x.affine.a = make_int(is->input, &random, i, count, equal);
            if (is->input == INPUT_EXAMPLE)
                x.affine.a = 1 + (int)(i % 3);
            x.affine.b = make_int(is->input, &random, i, count, equal);
            break;
        case MONOID_INTERVAL:
            x.interval.first = (int)(covered + INTERVAL_BASE); /* after holes, this includes the holes */
            x.interval.last = (int)(i + INTERVAL_BASE);
            covered = i + 1;
            break;
        case MONOID_FINGERPRINT:
            x.fingerprint.count = FINGERPRINT_BASE + 1;
            x.fingerprint.mark = (unsigned)random_below(&random, FINGERPRINT_PRIME);
            break;
        default:
            x.i = make_int(is->input, &random, i, count, equal);
            if (is->monoid == MONOID_PRODUCT && is->input != INPUT_EXTREME && is->input != INPUT_EXAMPLE)
                x.i |= 1; /* as for MONOID_AFFINE */
            break;
        }
        memcpy(value, &x, size);
    }
    return values;
}
