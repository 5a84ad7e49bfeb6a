/* check_radix_sort.c: the parts of lab 5 and their tests, for both suites: the public one, whose main function is
 * in suite_public.c, and the grading one. */
#include "sort_keys.h"
#include "check_radix_sort.h"
#include "suite_bounds.h"
#include "suite_parts.h"
#include "suite_sharing.h"
#include "suite_tests.h"

/* ---- meters -------------------------------------------------------------------------------------------- */

static unsigned digit_bits = 8; /* of the most recently arranged call */

/* The array that is scanned may be as long as the keys of whole blocks, and longer by one for the total. */
static uint64_t one_scan(size_t n)
{
    return 2 * (uint64_t)n + 2048;
}

static uint64_t scan_a_bit(size_t n)
{
    return KEY_BITS * one_scan(n);
}

static uint64_t scan_a_digit(size_t n)
{
    uint64_t passes = (KEY_BITS + digit_bits - 1) / digit_bits, tiles = ((uint64_t)n + 255) / 256;
    return 2 * passes * tiles << digit_bits;
}

static uint64_t log2_of(size_t power)
{
    return (uint64_t)__builtin_ctzl(power);
}

static uint64_t sort_tile_barriers(size_t n)
{
    (void)n;
    return KEY_BITS * (2 * log2_of(suite_tile()) + 4);
}

static uint64_t merge_barriers(size_t n)
{
    (void)n;
    return log2_of(2 * suite_tile()) + 1;
}

/* One pass for each bit. */
static uint64_t sort_span(size_t n)
{
    return KEY_BITS * sharing_span_of_scan(n);
}

static uint64_t sort_tile_span(size_t n)
{
    return 16 * (uint64_t)n + 4096;
}

static uint64_t sort_tile_executed(size_t n)
{
    return 64 * (uint64_t)(n > 512 ? n : 512);
}

static const struct suite_bound split_shared[] = {SHARED_SCAN, HOST_NUMBERS, {NULL, NULL, NULL}};
static const struct suite_bound sort_tile_shared[] = {
    {"span", "16n + 4096", sort_tile_span},
    {"local accesses by one thread", "16n + 4096: a thread does not sort the tile for itself",
     sort_tile_span},
    {EXECUTED, "64n, at least 32768", sort_tile_executed},
    {NULL, NULL, NULL}};
static const struct suite_bound merge_shared[] = {SHARED_TILE, {NULL, NULL, NULL}};
static const struct suite_bound sort_shared[] = {
    {"span", "32 (n / 8 + 16 ceil(n / TILE) + 1024): a pass for each bit", sort_span},
    EXECUTED_OF_SORT,
    HOST_SUMS,
    {NULL, NULL, NULL}};

static const struct suite_bound split_bounds[] = {
    {"combines", "2n + 2048 additions: one stock scan", one_scan}, {NULL, NULL, NULL}};
static const struct suite_bound sort_tile_bounds[] = {
    {"barriers", "32 (2 log2 TILE + 4): for each bit a scan, and a few more", sort_tile_barriers},
    IN_ONE_BLOCK,
    SCANS_IN_SHARED,
    {NULL, NULL, NULL}};
static const struct suite_bound merge_bounds[] = {
    {"barriers", "log2(2 TILE) + 1: one for each step, and one before the end", merge_barriers},
    IN_ONE_BLOCK,
    SCANS_IN_SHARED,
    {NULL, NULL, NULL}};
static const struct suite_bound radix_sort_bounds[] = {
    {"combines", "64n + 65536 additions: a stock scan for each bit", scan_a_bit}, {NULL, NULL, NULL}};
static const struct suite_bound digits_bounds[] = {
    {"combines", "2 ceil(32 / bits) 2^bits ceil(n / 256) additions: a stock scan a pass of the histograms",
     scan_a_digit},
    {NULL, NULL, NULL}};

/* ---- arguments ----------------------------------------------------------------------------------------- */

/* Makes the keys and remembers them for the explanation. */
static unsigned *arrange_keys(struct suite_call *call, enum element element, key_order order)
{
    const struct suite_case *is = &call->is;
    unsigned *keys = make_keys(is, is->n, 0, element);
    sorted.keys = keys;
    sorted.n = is->n;
    sorted.element = element;
    sorted.order = order;
    return keys;
}

static void arrange_sort(struct suite_call *call, enum element element, key_order order)
{
    const unsigned *in = arrange_keys(call, element, order);
    suite_in(call, element, call->is.n, in);
    suite_out(call, element, call->is.n, sort_keys(in, call->is.n, order), NULL);
    suite_scalar(call, call->is.n);
}

static void arrange_radix_sort(struct suite_call *call)
{
    arrange_sort(call, ELEMENT_UNSIGNED, order_unsigned);
}

static void arrange_radix_sort_int(struct suite_call *call)
{
    arrange_sort(call, ELEMENT_INT, order_int);
}

static void arrange_radix_sort_float(struct suite_call *call)
{
    arrange_sort(call, ELEMENT_FLOAT_BITS, order_float);
}

/* The seed chooses the bits of a digit. */
static void arrange_radix_sort_digits(struct suite_call *call)
{
    arrange_sort(call, ELEMENT_UNSIGNED, order_unsigned);
    digit_bits = 8 - choice_of(call->is.seed, 8);
    suite_scalar(call, digit_bits);
}

/* The seed chooses the bit. */
static void arrange_split(struct suite_call *call)
{
    const unsigned *in = arrange_keys(call, ELEMENT_UNSIGNED, order_unsigned);
    order_shift = choice_of(call->is.seed, KEY_BITS);
    if (call->is.input == INPUT_MARKED) { /* ends of a key; if all keys are equal, no bit decides */
        static const unsigned bits[SUITE_MARKED_KINDS] = {KEY_BITS - 1, 0, 10, 20};
        order_shift = bits[suite_marked(call->is.seed)];
    }
    order_mask = 1;
    unsigned bit = order_shift;
    suite_in(call, ELEMENT_UNSIGNED, call->is.n, in);
    suite_out(call, ELEMENT_UNSIGNED, call->is.n, sort_keys(in, call->is.n, order_bits), NULL);
    suite_scalar(call, call->is.n);
    suite_scalar(call, bit);
}

/* n is the number of keys in both tiles. The seed chooses how many are in the left one. */
static size_t keys_on_the_left(const struct suite_case *is)
{
    size_t tile = is->tile, least = is->n > tile ? is->n - tile : 0, most = is->n < tile ? is->n : tile;
    struct random random = random_stream(is->seed, 9);
    switch (choice_of(is->seed, 4)) {
    case 0: /* of an odd number of keys, either tile may have one more */
        return (is->n + (size_t)random_below(&random, 2)) / 2;
    case 1:
        return least;
    case 2:
        return most;
    default:
        return least + (size_t)random_below(&random, most - least + 1);
    }
}

static void arrange_merge_tiles(struct suite_call *call)
{
    const struct suite_case *is = &call->is;
    const unsigned *keys = arrange_keys(call, ELEMENT_UNSIGNED, order_unsigned);
    size_t left_n = keys_on_the_left(is), right_n = is->n - left_n;
    unsigned *both = suite_memory(is->n * sizeof *both);
    memcpy(both, sort_keys(keys, left_n, order_unsigned), left_n * sizeof *both);
    memcpy(both + left_n, sort_keys(keys + left_n, right_n, order_unsigned), right_n * sizeof *both);
    sorted.keys = both;
    suite_in(call, ELEMENT_UNSIGNED, left_n, both);
    suite_scalar(call, left_n);
    suite_in(call, ELEMENT_UNSIGNED, right_n, both + left_n);
    suite_scalar(call, right_n);
    suite_out(call, ELEMENT_UNSIGNED, is->n, sort_keys(both, is->n, order_unsigned), NULL);
}

/* Returns different values: an element's place, which differs from every key in size; long inputs have mixed
 * values, with the largest and the smallest number at the ends. */
static unsigned value_of(size_t place, size_t n)
{
    if (n > 64 && (place == 0 || place + 1 == n))
        return place == 0 ? UINT32_MAX : 0;
    return n <= 64 ? 1000 + (unsigned)place : (unsigned)place * 2654435761u + 12345;
}

static void arrange_radix_sort_pairs(struct suite_call *call)
{
    size_t n = call->is.n;
    unsigned *keys = arrange_keys(call, ELEMENT_UNSIGNED, order_unsigned);
    unsigned *values = suite_memory(n * sizeof *values);
    for (size_t i = 0; i < n; i++) {
        values[i] = value_of(i, n);
        if (call->is.input == INPUT_EXAMPLE)
            keys[i] /= 2; /* two of each key, whose values show whether they keep their order */
    }
    struct pairs expected = sort_pairs(keys, values, n, order_unsigned);
    suite_in(call, ELEMENT_UNSIGNED, n, keys);
    suite_in(call, ELEMENT_UNSIGNED, n, values);
    suite_out(call, ELEMENT_UNSIGNED, n, expected.keys, NULL);
    suite_out(call, ELEMENT_UNSIGNED, n, expected.values, NULL);
    suite_scalar(call, n);
}

/* ---- explanation --------------------------------------------------------------------------------------- */

static void explain_sort(struct suite_text *text, const struct suite_call *call,
                         const struct suite_argument *argument, size_t slot)
{
    (void)call;
    explain_keys(text, argument->got, ((const unsigned *)argument->expected)[slot], slot,
                 sorted.element == ELEMENT_UNSIGNED);
}

static void explain_digits(struct suite_text *text, const struct suite_call *call,
                           const struct suite_argument *argument, size_t slot)
{
    explain_sort(text, call, argument, slot);
    const unsigned passes = (KEY_BITS + digit_bits - 1) / digit_bits;
    suite_add(text, "digits have %u bit%s\n", digit_bits, digit_bits == 1 ? "" : "s");
    order_shift = 0;
    order_mask = (1u << (passes - 1) * digit_bits) - 1;
    if (sorted.n > 1 && holds(argument->got, sort_keys(sorted.keys, sorted.n, order_bits)))
        suite_add(text,
                  "sorted by all %u passes but the last: did that one write to out, and not to scratch?\n",
                  passes);
}

static void explain_merge(struct suite_text *text, const struct suite_call *call,
                          const struct suite_argument *argument, size_t slot)
{
    explain_keys(text, argument->got, ((const unsigned *)argument->expected)[slot], slot, false);
    suite_add(text, "number of keys: left %zu, right %zu\n", call->argument[0].count,
              call->argument[2].count);
}

/* Names the changed bit if the keys differ from the expected ones in only one bit. */
static void name_changed_bit(struct suite_text *text, const struct suite_argument *argument)
{
    const unsigned *got = argument->got, *expected = argument->expected;
    unsigned changed = 0;
    for (size_t i = 0; i < argument->count; i++)
        changed |= got[i] ^ expected[i];
    if (changed != 0 && (changed & (changed - 1)) == 0)
        suite_add(text, "each key is in its slot, but bit %d of it has changed: keys are moved as they are\n",
                  __builtin_ctz(changed));
}

static void explain_split(struct suite_text *text, const struct suite_call *call,
                          const struct suite_argument *argument, size_t slot)
{
    const unsigned *got = argument->got;
    unsigned bit = (unsigned)call->argument[3].scalar;
    size_t zeros = 0, n = argument->count;
    for (size_t i = 0; i < n; i++)
        zeros += ~sorted.keys[i] >> bit & 1;
    suite_add(text, "bit %u decides, which is 0 in %zu of %zu keys\n", bit, zeros, n);
    if (is_unwritten(got)) {
        suite_add(text, "nothing was written to out at all\n");
        return;
    }
    if (!is_permutation(text, got)) {
        name_changed_bit(text, argument);
        return;
    }
    size_t one = 0; /* the first place of a key whose bit is 1 */
    while (one < n && ~got[one] >> bit & 1)
        one++;
    if (one == zeros)
        suite_add(text, "unstable: the keys are on the right side, but not in the order of the input\n");
    else if (one == 0 && zeros < n && ~got[n - 1] >> bit & 1)
        suite_add(text, "the keys whose bit is 0 come first, and then those whose bit is 1\n");
    else
        suite_add(text, "slot %zu holds %u, whose bit is 1, before keys whose bit is 0\n", one, got[one]);
    (void)slot;
}

/* Returns the place of a value in the input; n if it has none. */
static size_t place_of(unsigned value)
{
    size_t i = 0;
    while (i < sorted.n && value_of(i, sorted.n) != value)
        i++;
    return i;
}

static void explain_pairs(struct suite_text *text, const struct suite_call *call,
                          const struct suite_argument *argument, size_t slot)
{
    if (argument == &call->argument[2]) {
        explain_sort(text, call, argument, slot);
        return;
    }
    unsigned got = ((const unsigned *)argument->got)[slot];
    unsigned key = ((const unsigned *)call->argument[2].expected)[slot];
    size_t place = place_of(got), right = place_of(((const unsigned *)argument->expected)[slot]);
    if (is_unwritten(argument->got))
        suite_add(text, "nothing was written to values_out at all\n");
    else if (place == sorted.n)
        suite_add(text, "no key of the input has this value; here should be that of keys[%zu]\n", right);
    else if (sorted.keys[place] == key)
        suite_add(text,
                  "unstable: of two equal keys the later came first: keys[%zu] and keys[%zu] are both %u\n",
                  right, place, key);
    else
        suite_add(text, "it belongs to keys[%zu] = %u, and is next to key %u\n", place, sorted.keys[place],
                  key);
}

/* ---- tests of this lab's own --------------------------------------------------------------------------- */

/* Tests wide and narrow keys and few and many equal ones, beginning with those that a person can read. */
void test_kinds_of_keys(const struct suite_part *part)
{
    static const size_t of_runs[] = {33, 64, 163, 300, SUITE_TILE, 600, 1100, 2100, 4500, 8200};
    const size_t most = part->lengths.tiles > 0 ? part->lengths.tiles * suite_tile() : SIZE_MAX;
    for (unsigned keys = KEY_KINDS; keys-- > 0;) {
        struct suite_case is = suite_case(part, MONOID_SUM, 0);
        is.seed = seed_of_keys(is.seed, (enum keys)keys);
        suite_all_lengths(is, keys == RUNS ? &(struct suite_lengths){1, 0, LIST(of_runs)} : &part->proofs,
                          most);
    }
}

/* Tests every bit of split, every width of digits, or every way to divide the keys between two tiles: with narrow
 * keys, and with wide keys or, at odd lengths, the ends of the range. */
static void every_choice(const struct suite_part *part, unsigned choices, struct suite_lengths lengths)
{
    struct suite_case is = suite_case(part, MONOID_SUM, 0);
    for (unsigned choice = 0; choice < choices; choice++)
        for (size_t i = 0; suite_length(&lengths, i, &is.n); i++)
            for (int wide = 0; wide < 2; wide++) {
                is.seed = seed_of_choice(!wide ? SMALL : is.n % 2 && is.n > 5 ? FEW : FULL, choice);
                suite_correct(&is);
            }
}

static void test_every_bit(const struct suite_part *part)
{
    static const size_t lengths[] = {1, 2, 5, 33, 600};
    every_choice(part, KEY_BITS, (struct suite_lengths){1, 0, LIST(lengths)});
}

static void test_every_width(const struct suite_part *part)
{
    static const size_t lengths[] = {33, 600};
    every_choice(part, 8, (struct suite_lengths){1, 0, LIST(lengths)});
}

static void test_every_sharing(const struct suite_part *part)
{
    static const size_t lengths[] = {1, 2, 5, 33, TILES(1, -3), TILES(1, 0), TILES(1, 37)};
    every_choice(part, 8, (struct suite_lengths){1, 0, LIST(lengths)});
}

static void test_bounds_of_widths(const struct suite_part *part)
{
    for (unsigned choice = 0; choice < 8; choice++) {
        struct suite_case is = suite_case(part, MONOID_SUM, 600);
        is.seed = seed_of_choice(FULL, choice);
        suite_efficient(&is);
    }
}

/* ---- the parts ----------------------------------------------------------------------------------------- */

static const struct suite_test sort_tests[] = {
    {"sorts_wide_and_narrow_keys_and_many_equals", CORRECT, test_kinds_of_keys, NULL},
    STANDARD_TESTS,
    {NULL, CORRECT, NULL, NULL},
};
static const struct suite_test split_tests[] = {
    {"splits_by_every_bit", CORRECT, test_every_bit, NULL},
    STANDARD_TESTS,
    {NULL, CORRECT, NULL, NULL},
};
static const struct suite_test merge_tests[] = {
    {"merges_wide_and_narrow_keys_and_many_equals", CORRECT, test_kinds_of_keys, NULL},
    {"merges_tiles_of_different_lengths", CORRECT, test_every_sharing, NULL},
    STANDARD_TESTS,
    {NULL, CORRECT, NULL, NULL},
};
static const struct suite_test digits_tests[] = {
    {"sorts_wide_and_narrow_keys_and_many_equals", CORRECT, test_kinds_of_keys, NULL},
    {"sorts_by_digits_of_every_width", CORRECT, test_every_width, NULL},
    STANDARD_TESTS,
    {"stays_within_the_bound_at_every_width", EFFICIENT, test_bounds_of_widths, NULL},
    {NULL, CORRECT, NULL, NULL},
};

const size_t tile_lengths[] = {1,   2,   3,   31,  32,  33,           64,         100,
                               127, 255, 256, 257, 509, TILES(1, -1), TILES(1, 0)};
static const size_t short_tiles[] = {1, 2, 3, 4, 5, 33, 100, 257};
const size_t pair_lengths[] = {1,           2,           3,   31,           32,         33, TILES(1, -1),
                               TILES(1, 0), TILES(1, 1), 777, TILES(2, -1), TILES(2, 0)};
static const size_t short_pairs[] = {1, 2, 3, 4, 5, 6, 7, 8, 100, TILES(2, -24), TILES(2, 0)};
static const size_t split_lengths[] = {
    0, 1, 2, 3, 31, 32, 33, TILES(1, -1), TILES(1, 0), TILES(1, 1), TILES(2, 1), 4099, 10007, 65537};
static const size_t sort_lengths[] = {0,           1,           2,           3,   31, 32, 33, TILES(1, -1),
                                      TILES(1, 0), TILES(1, 1), TILES(2, 1), 4099};
static const size_t short_lengths[] = {1, 2, 3, 4, 5, 33, TILES(1, 1), TILES(2, 76)};

#define LENGTHS_OF(all, few, most)                                                                           \
    .lengths = {1, 0, LIST_OF_TILES(most, all)}, .proofs = {1, 0, LIST_OF_TILES(most, few)},                 \
    .monoids = LAB_MONOIDS
/* At most as many elements as there are numbers of 16 bits plus one, because each of 32 passes takes its time. */
#define SORTS_UP_TO       .longest = (1 << 16) + 1
#define arrange_sort_tile arrange_radix_sort

/* Why no part is proved. Keys are unsigned like indices, so nothing separates code that compares keys from code that
 * looks at their bits. */
#define SPLITS                                                                                               \
    "nothing checks that a thread looks at one bit of a key and at no other; the tests split by each of "    \
    "the "                                                                                                   \
    "32 bits"
#define COMPARES "keys of 0 and 1 decide only for a network of comparisons (Knuth 5.3.4), and "
#define SORTS    "all 32n bits of the keys decide where a key goes, and no small set of inputs stands for all"
#define RADIX_SORT(part, explanation, list, ...)                                                             \
    SUITE_PART(part, .arrange = arrange_##part, .explain = explanation, .tests = list, __VA_ARGS__)

RADIX_SORT(split, explain_split, split_tests, .tested = SPLITS, .unlimited = true, .below_wrap = true,
           .longest = (1 << 18) + 3, LENGTHS_OF(split_lengths, short_lengths, 0), .bounds = split_bounds,
           .shared = split_shared);
RADIX_SORT(sort_tile, explain_sort, sort_tests, .tested = COMPARES "a tile may be sorted by bits as well",
           LENGTHS_OF(tile_lengths, short_tiles, 1), .bounds = sort_tile_bounds, .shared = sort_tile_shared);
RADIX_SORT(merge_tiles, explain_merge, merge_tests,
           .tested = COMPARES "tiles may be merged by a search for ranks as well",
           LENGTHS_OF(pair_lengths, short_pairs, 2), .bounds = merge_bounds, .shared = merge_shared);
RADIX_SORT(radix_sort, explain_sort, sort_tests, .tested = SORTS, .unlimited = true, .below_wrap = true,
           SORTS_UP_TO, LENGTHS_OF(sort_lengths, short_lengths, 0), .bounds = radix_sort_bounds,
           .shared = sort_shared, .many = 40009);
RADIX_SORT(radix_sort_pairs, explain_pairs, sort_tests,
           .tested = SORTS "; nothing checks that values are only moved", .unlimited = true,
           .below_wrap = true, SORTS_UP_TO, LENGTHS_OF(sort_lengths, short_lengths, 0),
           .bounds = radix_sort_bounds, .shared = sort_shared, .many = 40009);
RADIX_SORT(radix_sort_digits, explain_digits, digits_tests,
           .tested = SORTS "; a pass may have 8 different widths", .unlimited = true, .below_wrap = true,
           SORTS_UP_TO, LENGTHS_OF(sort_lengths, short_lengths, 0), .bounds = digits_bounds,
           .shared = sort_shared, .many = 40009, .work = 8 /* digits may have many values */);
RADIX_SORT(radix_sort_int, explain_sort, sort_tests,
           .tested = SORTS "; the sign orders keys in another way than the other bits do", .unlimited = true,
           .below_wrap = true, SORTS_UP_TO, LENGTHS_OF(sort_lengths, short_lengths, 0), .shared = sort_shared,
           .many = 40009);
RADIX_SORT(radix_sort_float, explain_sort, sort_tests,
           .tested = SORTS "; among them are NaNs, infinities and two zeros", .unlimited = true,
           .below_wrap = true, SORTS_UP_TO, LENGTHS_OF(sort_lengths, short_lengths, 0), .shared = sort_shared,
           .many = 40009);

#include "suite_table.h"

const struct suite_lab this_lab = {.number = 5,
                                   .name = "radix_sort",
                                   .data_set = "temperature.npy",
                                   .data_phrase =
                                       "the lowest temperature of each day in Seattle 2012 to 2015",
                                   SUITE_TABLE};
