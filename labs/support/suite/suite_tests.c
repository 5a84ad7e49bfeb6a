/* suite_tests.c: see suite_tests.h. */
#include "suite_internal.h"
#include "suite_tests.h"
#include "random.h"
#include <string.h>

enum {
    CALLS_IN_A_ROW = 4,
    RANDOM_ORDERS = 4,
    MOST_REPEATED = 5000,    /* elements: enough for several blocks */
    MOST_REORDERED = 1100,   /* elements: longer inputs take time and show no other order */
    MOST_UNALIGNED = 5000,   /* elements: enough for whole blocks with long shares */
    MOST_ADVERSARIAL = 5000, /* elements: the same for kinds of input */
    MOST_BOUND_LENGTHS = 3,
    MOST_BLOCKS = 70000, /* elements: enough for many blocks and for all kinds of scratch memory */
    MIXED_CALLS = 48,
    CLEAN_MIXED_CALLS = 24 /* the checks make calls slower */
};

#define HUGE_LENGTH (((size_t)1 << 31) + 12345)

size_t some_lengths(const struct suite_part *part, size_t lengths[SOME_LENGTHS])
{
    size_t count = 0, chosen = 0, n;
    while (suite_length(&part->lengths, count, &n))
        count++;
    for (size_t i = 0; i < count; i++)
        /* Takes SOME_LENGTHS of them, evenly spread, and always the last one. */
        if (i + 1 == count || (i + 1) * SOME_LENGTHS >= (chosen + 1) * count) {
            suite_length(&part->lengths, i, &lengths[chosen]);
            chosen++;
        }
    return chosen;
}

/* The same without lengths above `most`, unless all are. */
static size_t some_lengths_up_to(size_t most, const struct suite_part *part, size_t lengths[SOME_LENGTHS])
{
    size_t count = some_lengths(part, lengths);
    while (count > 1 && suite_elements(lengths[count - 1]) > most)
        count--;
    return count;
}

static size_t short_lengths(const struct suite_part *part, size_t lengths[SOME_LENGTHS])
{
    return some_lengths_up_to(MOST_REORDERED, part, lengths);
}

/* The longest of a part's lengths that has no more elements than that; 0 if there is none. */
static size_t longest_up_to(size_t most, const struct suite_part *part)
{
    size_t longest = 0, n;
    for (size_t i = 0; suite_length(&part->lengths, i, &n); i++)
        if (suite_elements(n) <= most)
            longest = n;
    return longest;
}

/* The shortest length, and one with many blocks, where a part makes allocations and launches that short lengths do
 * not need. Returns their number, which is 0 if the part allows only one tile. */
static size_t end_lengths(const struct suite_part *part, size_t lengths[2])
{
    if (!part->unlimited || !suite_length(&part->lengths, 0, &lengths[0]))
        return 0;
    lengths[1] = longest_up_to(MOST_BLOCKS, part);
    return 2;
}

/* ---- correct ------------------------------------------------------------------------------------------- */

void test_proof(const struct suite_part *part)
{
    suite_all_lengths(suite_case(part, suite_telling_monoid(part), 0), &part->proofs, SIZE_MAX);
}

bool has_exact(const struct suite_part *part)
{
    for (int monoid = 0; monoid < MONOID_COUNT; monoid++)
        if (suite_takes(part, monoid) && monoids[monoid].exact && !suite_proves(monoid))
            return true;
    return false;
}

/* Long inputs are tried with one monoid only, because short ones show the differences of the others. */
void test_random(const struct suite_part *part)
{
    size_t most = SIZE_MAX;
    for (int monoid = 0; monoid < MONOID_COUNT; monoid++)
        if (suite_takes(part, monoid) && !suite_proves(monoid) && monoids[monoid].exact) {
            suite_all_lengths(suite_case(part, monoid, 0), &part->lengths, most);
            most = MOST_ADVERSARIAL;
        }
}

void test_adversarial(const struct suite_part *part)
{
    size_t lengths[SOME_LENGTHS], count = some_lengths_up_to(MOST_ADVERSARIAL, part, lengths);
    for (int input = INPUT_SORTED; input < INPUT_SERIES; input++)
        for (int monoid = 0; monoid < MONOID_COUNT; monoid++)
            for (size_t i = 0; i < count; i++) {
                struct suite_case is = suite_case(part, monoid, lengths[i]);
                is.input = (enum suite_input)input;
                if (suite_takes(part, monoid) && monoids[monoid].exact &&
                    (!suite_proves(monoid) || input == INPUT_SPARSE))
                    suite_correct(&is);
            }
}

bool has_floats(const struct suite_part *part)
{
    return suite_takes(part, MONOID_FLOAT_SUM);
}

void test_floats(const struct suite_part *part)
{
    suite_all_lengths(suite_case(part, MONOID_FLOAT_SUM, 0), &part->lengths, SIZE_MAX);
    size_t lengths[SOME_LENGTHS], count = some_lengths_up_to(MOST_ADVERSARIAL, part, lengths);
    for (int input = INPUT_SORTED; input < INPUT_SERIES; input++)
        for (size_t i = 0; i < count; i++) {
            struct suite_case is = suite_case(part, MONOID_FLOAT_SUM, lengths[i]);
            is.input = (enum suite_input)input;
            suite_correct(&is);
        }
}

bool has_in_place(const struct suite_part *part)
{
    return part->ways_in_place > 0;
}

void test_in_place(const struct suite_part *part)
{
    size_t lengths[SOME_LENGTHS], count = some_lengths_up_to(MOST_ADVERSARIAL, part, lengths);
    for (unsigned way = 1; way <= part->ways_in_place; way++)
        for (int monoid = 0; monoid < MONOID_COUNT; monoid++)
            for (size_t i = 0; i < count; i++) {
                struct suite_case is = suite_case(part, monoid, lengths[i]);
                is.in_place = way;
                if (suite_takes(part, monoid))
                    suite_correct(&is);
            }
    /* With many blocks, one block may overwrite what another has still to read. */
    const size_t images[] = {suite_shape(3, 600), suite_shape(600, 3), suite_shape(600, 1)};
    for (unsigned way = 1; way <= part->ways_in_place; way++) {
        struct suite_case is = suite_case(part, suite_telling_monoid(part), 65537);
        is.in_place = way;
        for (size_t i = 0; suite_lab->images && i < sizeof images / sizeof *images; i++) {
            is.n = images[i];
            suite_correct(&is);
        }
        if (!suite_lab->images && part->unlimited)
            suite_correct(&is);
    }
}

void test_unaligned(const struct suite_part *part)
{
    size_t lengths[SOME_LENGTHS], count = short_lengths(part, lengths);
    for (size_t i = 0; i < count; i++)
        for (unsigned shift = 1; shift <= 4;
             shift++) { /* 4: the first array is aligned, and the others are not */
            struct suite_case is = suite_case(part, suite_telling_monoid(part), lengths[i]);
            is.shift = shift;
            suite_correct(&is);
            if (suite_takes(part, MONOID_SUM) && is.monoid != MONOID_SUM) {
                is.monoid = MONOID_SUM; /* elements of 4 bytes */
                suite_correct(&is);
            }
        }
    /* Lengths that fill whole blocks, where vector loads are used; and floats, which take another path. */
    const size_t longest = some_lengths_up_to(MOST_UNALIGNED, part, lengths);
    for (int monoid = 0; part->unlimited && monoid < MONOID_COUNT; monoid++) {
        struct suite_case is = suite_case(part, monoid, lengths[longest - 1]);
        is.shift = 1;
        if (suite_takes(part, monoid) && (monoid == MONOID_SUM || monoid == MONOID_FLOAT_SUM))
            suite_correct(&is);
    }
    /* In the builds with small tiles, the code must determine the alignment of each type itself. */
    if (!suite_has_tile(SMALL_TILE))
        return;
    suite_use_tile(SMALL_TILE);
    count = short_lengths(part, lengths);
    for (unsigned shift = 1; shift <= 3; shift++) {
        struct suite_case is = suite_case(part, suite_telling_monoid(part), lengths[count - 1]);
        is.shift = shift;
        suite_correct(&is);
    }
}

void test_again(const struct suite_part *part)
{
    /* Longest first, so that remains of a longer call could get into a shorter one. Each length is called twice
     * with the same values and then with others, in the same arrays, so that results cannot be remembered by
     * pointer or by value. */
    size_t lengths[SOME_LENGTHS], count = short_lengths(part, lengths);
    int monoid = suite_takes(part, MONOID_SUM) ? MONOID_SUM : suite_telling_monoid(part);
    while (count-- > 0)
        for (uint64_t call = 0; call < CALLS_IN_A_ROW; call++) {
            struct suite_case is = suite_case(part, monoid, lengths[count]);
            is.seed += call / 2;
            suite_correct(&is);
        }
    /* What is kept only from a length on: two calls of one with several blocks, with other values. */
    const size_t longer = longest_up_to(MOST_REPEATED, part);
    for (uint64_t call = 0; call < 2; call++) {
        struct suite_case is = suite_case(part, monoid, longer);
        is.seed += call;
        suite_correct(&is);
    }
}

bool has_orders(const struct suite_part *part)
{
    (void)part;
    return suite_on_cpu_device();
}

void test_orders(const struct suite_part *part)
{
    size_t lengths[SOME_LENGTHS], count = short_lengths(part, lengths);
    for (size_t i = 0; i < count; i++) {
        struct suite_case is = suite_case(part, suite_telling_monoid(part), lengths[i]);
        suite_each_schedule(&is, suite_correct);
    }
}

/* A length above 2^31 elements. */
static size_t huge_length(void)
{
    size_t length = HUGE_LENGTH, side = 32771;
    return suite_elements(length) == length ? length : suite_shape(side, length / side + 1);
}

/* A monoid of sums, for which zeros result in zeros; MONOID_COUNT if the available builds have none. */
static int monoid_of_sums(const struct suite_part *part)
{
    return suite_takes(part, MONOID_SUM)         ? MONOID_SUM
           : suite_takes(part, MONOID_FLOAT_SUM) ? MONOID_FLOAT_SUM
                                                 : MONOID_COUNT;
}

bool has_huge(const struct suite_part *part)
{
    return part->unlimited && !part->most && suite_huge() && monoid_of_sums(part) != MONOID_COUNT;
}

void test_huge(const struct suite_part *part)
{
    struct suite_case is = suite_case(part, monoid_of_sums(part), huge_length());
    suite_correct(&is);
}

bool has_sampled(const struct suite_part *part)
{
    return (part->unlimited || part->below_wrap || part->most) && suite_on_cpu_device() &&
           monoid_of_sums(part) != MONOID_COUNT;
}

void test_sampled(const struct suite_part *part)
{
    const size_t *lengths;
    const size_t count = suite_sampled_lengths(part, &lengths);
    for (size_t i = 0; i < count; i++) {
        struct suite_case is = suite_case(part, monoid_of_sums(part), lengths[i]);
        suite_sampled(&is);
    }
}

bool has_series(const struct suite_part *part)
{
    (void)part;
    return suite_series_length() > 0;
}

void test_series(const struct suite_part *part)
{
    /* The whole series if any length is allowed, else the longest length for which it has data. A shape is a larger
     * number than any length, so it selects the whole image. */
    size_t n = 0, longest = 0;
    for (size_t i = 0; suite_length(&part->lengths, i, &n); i++)
        longest = n <= suite_series_length() ? n : suite_series_size();
    for (int monoid = 0; monoid < MONOID_COUNT; monoid++) {
        struct suite_case is = suite_case(part, monoid, longest);
        is.input = INPUT_SERIES;
        if (suite_takes(part, monoid) && !suite_proves(monoid))
            suite_correct(&is);
    }
}

bool has_least(const struct suite_part *part)
{
    return part->least && suite_on_cpu_device();
}

void test_combines(const struct suite_part *part)
{
    size_t lengths[SOME_LENGTHS], count = short_lengths(part, lengths);
    for (int monoid = 0; monoid < MONOID_COUNT; monoid++)
        if (suite_takes(part, monoid)) {
            struct suite_case is = suite_case(part, monoid, lengths[count - 1]);
            /* In thread order, each sum could have been made just before it is used. */
            is.order = CALL_RANDOM;
            suite_combines(&is, part->least(is.n));
        }
}

/* ---- clean --------------------------------------------------------------------------------------------- */

static void clean_at_some_lengths(const struct suite_part *part, uint32_t order, uint64_t seeds)
{
    size_t lengths[SOME_LENGTHS], count = short_lengths(part, lengths);
    for (size_t i = 0; i < count; i++)
        for (uint64_t seed = 0; seed < seeds; seed++) {
            struct suite_case is = suite_case(part, suite_telling_monoid(part), lengths[i]);
            is.order = order;
            is.seed += seed;
            is.resident = seed % 2 ? 2 : 16;
            suite_clean(&is);
        }
}

void test_clean_forward(const struct suite_part *part)
{
    clean_at_some_lengths(part, CALL_FORWARD, 1);
    for (int monoid = 0; monoid < MONOID_COUNT; monoid++)
        if (suite_takes(part, monoid)) {
            size_t lengths[SOME_LENGTHS], count = short_lengths(part, lengths);
            struct suite_case is = suite_case(part, monoid, lengths[count - 1]);
            suite_clean(&is);
            for (is.in_place = 1; is.in_place <= part->ways_in_place; is.in_place++)
                suite_clean(&is);
        }
    size_t ends[2], count = end_lengths(part, ends);
    for (size_t i = 0; i < count; i++) {
        struct suite_case is = suite_case(part, suite_telling_monoid(part), ends[i]);
        suite_clean(&is);
    }
}

void test_clean_reverse(const struct suite_part *part)
{
    clean_at_some_lengths(part, CALL_REVERSE, 1);
}

void test_clean_random(const struct suite_part *part)
{
    clean_at_some_lengths(part, CALL_RANDOM, RANDOM_ORDERS);
}

bool has_empty(const struct suite_part *part)
{
    size_t n;
    return suite_empty_length(&part->lengths, 0, &n);
}

void test_empty(const struct suite_part *part)
{
    const int telling = suite_telling_monoid(part);
    struct suite_case is = suite_case(part, telling, 0);
    for (size_t i = 0; suite_empty_length(&part->lengths, i, &is.n); i++)
        for (int k = 0; k < MONOID_COUNT; k++) {
            is.monoid = (telling + k) % MONOID_COUNT; /* that one first */
            for (is.in_place = 0; is.in_place <= part->ways_in_place; is.in_place++)
                if (suite_takes(part, is.monoid) && !suite_watch(&is))
                    suite_fail_unclean(suite_last_call());
        }
}

/* ---- efficient ----------------------------------------------------------------------------------------- */

bool has_bounds(const struct suite_part *part)
{
    return part->bounds != NULL;
}

/* The largest power of two that is at most n. Code that pads to one need not pad there, so bounds are tight. A
 * shape is returned unchanged. */
static size_t round_length(size_t n)
{
    return suite_lab->images || n == 0 ? n : (size_t)1 << (63 - __builtin_clzl(n));
}

static void bounds_of(const struct suite_part *part, int monoid)
{
    /* The longest first: it shows the algorithm, and short lengths show the cost of the launches. */
    size_t lengths[SOME_LENGTHS], count = short_lengths(part, lengths);
    size_t ends[2], end_count = end_lengths(part, ends);
    struct suite_case is = suite_case(part, monoid, 0);
    for (size_t i = 0; i < count && i < MOST_BOUND_LENGTHS; i++) {
        is.n = lengths[count - 1 - i];
        suite_efficient(&is);
    }
    for (size_t i = 0; i < end_count; i++) {
        is.n = round_length(ends[i]);
        suite_efficient(&is);
    }
    /* Exactly one tile is a special case in some kernels. Shorter inputs leave idle lanes in a block's warps, which
     * good code may let work. */
    for (size_t i = 0; suite_length(&part->lengths, i, &is.n); i++)
        if (is.n == suite_tile())
            suite_efficient(&is);
}

void test_bounds(const struct suite_part *part)
{
    const int telling = suite_telling_monoid(part);
    bounds_of(part, telling);
    /* Elements of one word, for bank conflicts. */
    if (telling != MONOID_SUM && suite_takes(part, MONOID_SUM))
        bounds_of(part, MONOID_SUM);
    suite_judge_work(part);
}

/* ---- mixtures ------------------------------------------------------------------------------------------ */

static struct suite_case random_case(const struct suite_part *part, struct random *random)
{
    size_t lengths = 0, n;
    while (suite_length(&part->lengths, lengths, &n))
        lengths++;
    do
        suite_length(&part->lengths, (size_t)random_below(random, lengths), &n);
    while (suite_elements(n) > MOST_REORDERED &&
           random_below(random, 8) > 0); /* most are short, to save time */

    struct suite_case is = suite_case(part, 0, n);
    do
        is.monoid = (int)random_below(random, MONOID_COUNT);
    while (!suite_takes(part, is.monoid));
    is.input = (enum suite_input)random_below(random, INPUT_SERIES);
    is.in_place = (unsigned)random_below(random, part->ways_in_place + 1);
    is.shift = random_below(random, 4) == 0 ? (unsigned)random_below(random, 4) : 0;
    is.seed = random_bits(random) >> 32;
    if (suite_on_cpu_device()) {
        is.order = (uint32_t)random_below(random, CALL_RANDOM + 1);
        is.resident = (uint32_t)random_below(random, 16) + 1;
    }
    return is;
}

static void mixture(const struct suite_part *part, uint64_t stream, int calls,
                    void (*check)(const struct suite_case *))
{
    struct random random = random_stream(suite_seed(), stream);
    for (int i = 0; i < calls; i++) {
        struct suite_case is = random_case(part, &random);
        check(&is);
    }
}

void test_mixture(const struct suite_part *part)
{
    mixture(part, 1, MIXED_CALLS, suite_correct);
}

void test_clean_mixture(const struct suite_part *part)
{
    mixture(part, 2, CLEAN_MIXED_CALLS, suite_clean);
}

const struct suite_test standard_tests[] = {
    STANDARD_TESTS,
    {NULL, CORRECT, NULL, NULL},
};
