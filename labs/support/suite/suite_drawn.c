/* suite_drawn.c: calls with lengths drawn from the seed, so that code cannot be written for the lengths of a table.
 * They are log-uniform: as many have four digits as have two. For results, one length is drawn from all affordable
 * ones and one from the longer half, so that mistakes that only long inputs show are found, too. */
#include "suite_internal.h"
#include "suite_sharing.h"
#include "suite_tests.h"
#include "random.h"
#include <math.h>

enum {
    MOST_CORRECT = 1 << 17, /* elements */
    MOST_CLEAN = 1 << 17,   /* the slow checks take several times as long, */
    MOST_SHARED = 1 << 16,  /* and so do the meters of sharing; */
    MOST_METERED = 30000,   /* the meters of every access take longer still */
    WARP = 32, /* one call with a length from here to the next two numbers each, and one longer */
    SHORT = 100,
    FEW = 1000
};

static size_t log_uniform(struct random *random, size_t least, size_t most)
{
    const double low = log((double)least), high = log((double)most + 1);
    const size_t n = (size_t)exp(low + random_unit(random) * (high - low));
    return n < least ? least : n > most ? most : n;
}

/* Rows and columns with about this many elements; any number of rows is possible. */
static size_t shape_of(struct random *random, size_t elements)
{
    const size_t rows = log_uniform(random, 1, elements);
    return suite_shape(rows, elements / rows);
}

static size_t power_below(size_t n)
{
    return (size_t)1 << (63 - __builtin_clzl(n));
}

static struct suite_case drawn(const struct suite_part *part, struct random *random, size_t least,
                               size_t most)
{
    const size_t shortest = part->powers_of_two ? 2 : 1;
    size_t n = log_uniform(random, least > shortest ? least : shortest, most);
    if (suite_lab->images)
        n = shape_of(random, n);
    else if (part->powers_of_two)
        n = power_below(n);
    struct suite_case is = suite_case(part, suite_telling_monoid(part), n);
    is.seed = random_bits(random) >> 32;
    is.order = suite_on_cpu_device() ? (uint32_t)CALL_RANDOM : is.order;
    return is;
}

static void draw(const struct suite_part *part, uint64_t stream, size_t most,
                 void (*check)(const struct suite_case *))
{
    struct random random = random_stream(suite_seed(), stream);
    const size_t least[] = {1, most / 2};
    for (size_t i = 0; i < sizeof least / sizeof *least; i++) {
        struct suite_case is = drawn(part, &random, least[i], most);
        check(&is);
    }
}

/* Lengths that fill whole blocks of nearly every size, also of sizes that are no power of two. Submissions may treat a
 * full last block as a case of its own, which shows only if the last elements matter: so there are several seeds. */
static void check_whole_blocks(const struct suite_part *part, size_t most)
{
    static const size_t whole[] = {1024 * 3 * 5, 512 * 3 * 7, 512 * 3 * 5, 256 * 3 * 7};
    struct random random = random_stream(suite_seed(), 15);
    if (suite_lab->images || part->powers_of_two || part->lengths.tiles > 0)
        return;
    for (size_t i = 0; i < sizeof whole / sizeof *whole; i++) {
        struct suite_case is = suite_case(part, suite_telling_monoid(part), whole[i]);
        is.seed = random_bits(&random) >> 32;
        if (is.n <= most)
            suite_correct(&is);
    }
}

/* One length from each range of half an octave, so that no range of a factor of two stays without a call. */
static void check_each_range(const struct suite_part *part, size_t most)
{
    struct random random = random_stream(suite_seed(), 16);
    if (part->powers_of_two || part->lengths.tiles > 0)
        return;
    for (double least = SHORT; least * M_SQRT2 <= (double)(most < FEW * 8 ? most : FEW * 8);
         least *= M_SQRT2) {
        struct suite_case is = drawn(part, &random, (size_t)least, (size_t)(least * M_SQRT2));
        suite_correct(&is);
    }
}

void test_drawn(const struct suite_part *part)
{
    const size_t most = suite_most_of(part, MOST_CORRECT, 2);
    draw(part, 11, most, suite_correct);
    check_each_range(part, most);
    check_whole_blocks(part, suite_most_of(part, MOST_CORRECT, 1));
}

void test_clean_drawn(const struct suite_part *part)
{
    draw(part, 12, suite_most_of(part, MOST_CLEAN, 4), suite_clean);
}

/* One of the part's monoids whose elements have one word, because the bounds of the others are several times as wide.
 * Successive numbers get different monoids: code may depend on its monoid. The telling monoid if there is none. */
static int monoid_of_one_word(const struct suite_part *part, uint64_t number)
{
    static const int words[] = {MONOID_SUM, MONOID_MAX, MONOID_PRODUCT, MONOID_FLOAT_SUM};
    enum { WORDS = sizeof words / sizeof *words };
    for (uint64_t i = 0; i < WORDS; i++)
        if (suite_takes(part, words[(number + i) % WORDS]))
            return words[(number + i) % WORDS];
    return suite_telling_monoid(part);
}

/* Lengths between those of the tables and beyond: one from each range, so that no range of a factor of ten stays
 * without. One thread for each group of equal keys is no mistake if groups are short. */
void test_shared_drawn(const struct suite_part *part)
{
    struct random random = random_stream(suite_seed(), 13);
    const size_t most = suite_most_of(part, MOST_SHARED, 4), ends[] = {4 * FEW, 12 * FEW, most / 2, most};
    size_t least = most / 2 < FEW ? most / 2 : FEW;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        if (ends[i] <= least || ends[i] > most)
            continue;
        struct suite_case is = drawn(part, &random, least, ends[i]);
        least = ends[i];
        is.seed = suite_plain_seed(is.seed);
        is.monoid = monoid_of_one_word(part, suite_seed() + i);
        if (!suite_is_narrow(is.n))
            suite_shared(&is);
    }
}

static void check_bounds(const struct suite_case *is)
{
    suite_efficient_as(is, suite_judged_length(is));
}

void suite_judge_work(const struct suite_part *part)
{
    const struct suite_case *costly = suite_noted_work(part);
    if (costly)
        check_bounds(costly);
}

void test_bounds_drawn(const struct suite_part *part)
{
    suite_judge_work(part);
    struct random random = random_stream(suite_seed(), 14);
    const size_t most = suite_most_of(part, MOST_METERED, 4);
    const size_t ends[] = {WARP, SHORT, FEW, most + 1};
    for (size_t i = 0; i + 1 < sizeof ends / sizeof *ends && ends[i] <= most; i++) {
        struct suite_case is = drawn(part, &random, ends[i], ends[i + 1] - 1 < most ? ends[i + 1] - 1 : most);
        check_bounds(&is);
    }
}
