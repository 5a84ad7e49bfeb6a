/* sort_keys.h: keys for the suites of lab 5: inputs, the order in which they are sorted, and explanations of wrong
 * results. */
#ifndef SORT_KEYS_H
#define SORT_KEYS_H

#include "radix_sort.h"
#include "random.h"
#include "suite.h"
#include "suite_marks.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- order --------------------------------------------------------------------------------------------- */

/* Functions that decide the order of keys, independent of how a radix sort does it. */
static int64_t order_unsigned(const void *key)
{
    return *(const unsigned *)key;
}

static int64_t order_int(const void *key)
{
    return *(const int *)key;
}

/* The total order of all floats by sign and magnitude: -0 is before 0, and NaNs are at the ends. */
static int64_t order_float(const void *key)
{
    int64_t bits = *(const unsigned *)key, magnitude = bits & 0x7fffffff;
    return bits >> 31 ? -magnitude - 1 : magnitude;
}

/* The order by one bit, or by the lowest bits. */
static unsigned order_mask, order_shift;

static int64_t order_bits(const void *key)
{
    return *(const unsigned *)key >> order_shift & order_mask;
}

typedef int64_t (*key_order)(const void *key);

enum { MANY_KEYS = 1 << 28 }; /* their items would take 8 GB */

struct item {
    int64_t order;
    uint32_t place; /* in the input */
};

static void merge_sort(struct item *items, struct item *scratch, size_t n)
{
    if (n < 2)
        return;
    size_t half = n / 2, left = 0, right = half;
    merge_sort(items, scratch, half);
    merge_sort(items + half, scratch, n - half);
    for (size_t i = 0; i < n; i++) {
        bool take_left = left < half && (right == n || items[left].order <= items[right].order);
        scratch[i] = items[take_left ? left++ : right++];
    }
    memcpy(items, scratch, n * sizeof *items);
}

/* Returns the keys in stable order, each as its place in the input and its order. */
static struct item *sort_items(const unsigned *keys, size_t n, key_order order)
{
    struct item *items = suite_memory(n * sizeof *items), *scratch = suite_memory(n * sizeof *items);
    for (size_t i = 0; i < n; i++)
        items[i] = (struct item){order(&keys[i]), (uint32_t)i};
    merge_sort(items, scratch, n);
    return items;
}

/* Returns the items' values in the items' order. */
static unsigned *sort_along(const struct item *items, const unsigned *values, size_t n)
{
    unsigned *sorted = suite_memory(n * sizeof *sorted);
    for (size_t i = 0; i < n; i++)
        sorted[i] = values[items[i].place];
    return sorted;
}

struct pairs {
    unsigned *keys, *values; /* values is null if there are none */
};

/* Returns both in the stable order of the keys, for more keys than there is memory for items. It counts the keys by
 * 11 bits of their order at a time. */
static struct pairs sort_many(const unsigned *keys, const unsigned *values, size_t n, key_order order)
{
    enum { DIGIT_BITS = 11, PASSES = 3 }; /* an order has 33 bits, including the sign */
    enum { DIGITS = 1 << DIGIT_BITS };
    const size_t bytes = n * sizeof *keys;
    struct pairs from = {suite_memory(bytes), values ? suite_memory(bytes) : NULL};
    struct pairs to = {suite_memory(bytes), values ? suite_memory(bytes) : NULL};
    memcpy(from.keys, keys, bytes);
    if (values)
        memcpy(from.values, values, bytes);
    for (int pass = 0; pass < PASSES; pass++) {
        size_t place[DIGITS + 1] = {0};
#define DIGIT(key) ((uint64_t)(order(&(key)) + ((int64_t)1 << 31)) >> pass * DIGIT_BITS & (DIGITS - 1))
        for (size_t i = 0; i < n; i++)
            place[DIGIT(from.keys[i]) + 1]++;
        for (size_t digit = 0; digit < DIGITS; digit++)
            place[digit + 1] += place[digit];
        for (size_t i = 0; i < n; i++) {
            size_t there = place[DIGIT(from.keys[i])]++;
            to.keys[there] = from.keys[i];
            if (values)
                to.values[there] = from.values[i];
        }
#undef DIGIT
        struct pairs swap = from;
        from = to;
        to = swap;
    }
    return from;
}

static struct pairs sort_pairs(const unsigned *keys, const unsigned *values, size_t n, key_order order)
{
    if (n > MANY_KEYS)
        return sort_many(keys, values, n, order);
    const struct item *items = sort_items(keys, n, order);
    return (struct pairs){sort_along(items, keys, n), values ? sort_along(items, values, n) : NULL};
}

static unsigned *sort_keys(const unsigned *keys, size_t n, key_order order)
{
    return sort_pairs(keys, NULL, n, order).keys;
}

/* ---- inputs -------------------------------------------------------------------------------------------- */

/* The kind of a random input. The seed chooses it, because a replay line has only the seed. */
enum keys { HIGH, FULL, FEW, SMALL, RUNS, KEY_KINDS };

enum { LONGEST_RUN = 8192 /* keys */ };

/* How many keys of RUNS ascend before the next ones start lower: as many as a warp, a block or a tile may look at. */
static size_t run_of(size_t count)
{
    return count > 8192   ? LONGEST_RUN
           : count > 4096 ? 4096
           : count > 2048 ? 2048
           : count > 1024 ? 1024
           : count > 512  ? 512
           : count > 256  ? 256
                          : 32;
}

static uint64_t seed_of_keys(uint64_t seed, enum keys keys)
{
    return seed / KEY_KINDS * KEY_KINDS + (uint64_t)keys;
}

/* Returns a number from 0 to bound - 1 that the seed chooses too. */
static unsigned choice_of(uint64_t seed, unsigned bound)
{
    return (unsigned)(seed / KEY_KINDS % bound);
}

/* Returns the seed that makes these choices. */
static uint64_t seed_of_choice(enum keys keys, unsigned choice)
{
    return (uint64_t)choice * KEY_KINDS + (uint64_t)keys;
}

static unsigned random_key(struct random *random, enum keys kind)
{
    static const unsigned few[] = {0, 1, 2, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff, 0x00ff00ff};
    switch (kind) {
    case HIGH: /* the low bits do not differ */
        return (unsigned)random_bits(random) & 0xff000000u;
    case FEW:
        return few[random_below(random, sizeof few / sizeof *few)];
    case SMALL: /* with many equal keys */
        return (unsigned)random_below(random, 100);
    default:
        return (unsigned)random_bits(random);
    }
}

static unsigned random_float_key(struct random *random, enum keys kind)
{
    static const float few[] = {0, INFINITY, NAN, 1, 0x1p-149f, 0x1.fffffep127f, 0x1p-126f};
    float x = 0;
    unsigned bits;
    if (kind == FULL || kind == HIGH)
        return random_key(random, kind);
    if (kind == FEW)
        x = few[random_below(random, sizeof few / sizeof *few)];
    else
        x = (float)random_below(random, 50) * 0.5f;
    memcpy(&bits, &x, sizeof bits);
    return bits | (unsigned)random_bits(random) << 31;
}

/* Zeros, NaNs and the ends of both ranges, each with both signs, as bits. */
static unsigned float_mark(size_t number)
{
    static const unsigned sizes[] = {0,          1,          0x7fffff,   0x800000,
                                     0x7f7fffff, 0x7f800000, 0x7f800001, 0x7fffffff};
    return sizes[number / 2 % (sizeof sizes / sizeof *sizes)] | (number % 2 ? 0x80000000u : 0);
}

/* Key i of the traced example: the handout's keys, or as many of another type around 0. If those at even or at odd
 * places change their order, the result shows it. */
static unsigned example_key(size_t i, enum element element)
{
    static const unsigned example[] = {4, 7, 2, 6, 3, 5, 1, 0};
    unsigned key = example[i % (sizeof example / sizeof *example)], bits;
    switch (element) {
    case ELEMENT_INT:
        return key - 3;
    case ELEMENT_FLOAT_BITS:
        memcpy(&bits, &(float){((float)key - 3) / 2}, sizeof bits);
        return bits;
    default:
        return key;
    }
}

/* Returns the keys of a case, as the bits of elements of the three types. */
static unsigned *make_keys(const struct suite_case *is, size_t count, uint64_t stream, enum element element)
{
    struct suite_case values = *is;
    if (element == ELEMENT_FLOAT_BITS && is->input != INPUT_MARKED)
        values.monoid = MONOID_FLOAT_SUM; /* the kinds of input that floats have */
    unsigned *keys = suite_values(&values, count, stream);
    struct random random = random_stream(is->seed, count * 64 + stream * 8 + 5);
    for (size_t i = 0; i < count; i++) {
        enum keys kind = (enum keys)(suite_style_seed(is) % KEY_KINDS);
        if (is->input == INPUT_MARKED) {
            size_t mark = suite_mark_at(is, i, count);
            if (element == ELEMENT_FLOAT_BITS && mark < SUITE_MARKS)
                keys[i] = float_mark(mark);
            continue;
        }
        if (is->input == INPUT_EXAMPLE) {
            keys[i] = example_key(i, element);
            continue;
        }
        if (is->input == INPUT_EXTREME)
            kind = FEW;
        else if (is->input != INPUT_RANDOM && element == ELEMENT_UNSIGNED)
            keys[i] ^= 0x80000000u; /* now ascending as unsigned numbers */
        if (is->input != INPUT_RANDOM && is->input != INPUT_EXTREME)
            continue;
        if (kind == RUNS) {
            /* The first run differs in the low digits only, the next ones also in high digits. In inputs with the
             * longest runs no run differs in low digits, so the first passes find all of them sorted. */
            const size_t run = run_of(count);
            keys[i] = (unsigned)(i % run) << (i < run && run < LONGEST_RUN ? 0 : 12);
            if (element == ELEMENT_FLOAT_BITS)
                memcpy(&keys[i], &(float){(float)keys[i]}, sizeof keys[i]);
            continue;
        }
        keys[i] = element == ELEMENT_FLOAT_BITS ? random_float_key(&random, kind) : random_key(&random, kind);
        if (element == ELEMENT_INT && kind == SMALL)
            keys[i] -= 50;
    }
    return keys;
}

/* ---- explanation --------------------------------------------------------------------------------------- */

/* The keys that the explained call sorts, in the order of its input. Set by arrange. */
static struct {
    const unsigned *keys;
    size_t n;
    enum element element;
    key_order order;
} sorted;

static void key_text(unsigned key, char text[ELEMENT_SHORT])
{
    element_text(sorted.element, &key, text);
}

static bool holds(const unsigned *got, const unsigned *keys)
{
    return memcmp(got, keys, sorted.n * sizeof *keys) == 0;
}

static size_t times(const unsigned *keys, unsigned key)
{
    size_t count = 0;
    for (size_t i = 0; i < sorted.n; i++)
        count += keys[i] == key;
    return count;
}

/* Whether `got` is a permutation of the input. If not, explains which key appeared or got lost. */
static bool is_permutation(struct suite_text *text, const unsigned *got)
{
    const unsigned *a = sort_keys(got, sorted.n, sorted.order);
    const unsigned *b = sort_keys(sorted.keys, sorted.n, sorted.order);
    size_t i = 0;
    while (i < sorted.n && a[i] == b[i])
        i++;
    if (i == sorted.n)
        return true;
    char name[ELEMENT_SHORT];
    bool lost = sorted.order(&a[i]) > sorted.order(&b[i]);
    unsigned key = lost ? b[i] : a[i];
    if (!lost && element_is_unwritten(ELEMENT_UNSIGNED, &key)) {
        suite_add(text, "slots that nobody has written: did two keys go to the same slot?\n");
        return false;
    }
    key_text(key, name);
    size_t now = times(got, key), before = times(sorted.keys, key);
    suite_add(text, "key %s is there %zu time%s, and in the input %zu time%s\n", name, now,
              now == 1 ? "" : "s", before, before == 1 ? "" : "s");
    return false;
}

static bool is_unwritten(const unsigned *got)
{
    for (size_t i = 0; i < sorted.n; i++)
        if (!element_is_unwritten(ELEMENT_UNSIGNED, &got[i]))
            return false;
    return true;
}

enum { TELLING_LENGTH = 5 /* keys: shorter inputs often match a mistake by chance */ };

/* Explains results that come from a common mistake. */
static bool is_familiar(struct suite_text *text, const unsigned *got, bool by_bits)
{
    if (is_unwritten(got)) {
        suite_add(text, "nothing was written at all\n");
        return true;
    }
    if (sorted.n > 1 && holds(got, sorted.keys)) {
        suite_add(text, "these are the keys in the order of the input\n");
        return true;
    }
    const bool telling = sorted.n >= TELLING_LENGTH;
    if (telling && sorted.element != ELEMENT_UNSIGNED &&
        holds(got, sort_keys(sorted.keys, sorted.n, order_unsigned))) {
        suite_add(text, "sorted as if the bits were an unsigned number\n");
        suite_add(text,
                  "try: flip bits before the sort so that negative keys come first, and back after it\n");
        return true;
    }
    if (telling && sorted.element != ELEMENT_INT && holds(got, sort_keys(sorted.keys, sorted.n, order_int))) {
        suite_add(text, "sorted as if the bits were a signed number\n");
        return true;
    }
    /* A missing last pass is recognised in few keys, too, because they must differ in the highest bit. */
    order_shift = 0;
    for (order_mask = INT32_MAX; by_bits && order_mask > (telling ? 0 : INT32_MAX / 2); order_mask /= 2) {
        if (holds(got, sort_keys(sorted.keys, sorted.n, order_bits))) {
            unsigned bits = (unsigned)__builtin_popcount(order_mask);
            suite_add(text, "sorted by the lowest %u bit%s only: the pass from bit %u on is missing%s\n",
                      bits, bits == 1 ? "" : "s", bits,
                      order_mask == INT32_MAX ? ", or did not write to out" : "");
            return true;
        }
    }
    return false;
}

/* Explains which key comes after a larger one. */
static void explain_order(struct suite_text *text, const unsigned *got, unsigned expected, size_t slot)
{
    char name[ELEMENT_SHORT], other[ELEMENT_SHORT];
    for (size_t i = slot; i < sorted.n; i++) {
        if (got[i] != expected)
            continue;
        for (size_t j = 0; j < i; j++)
            if (sorted.order(&got[j]) > sorted.order(&expected)) {
                key_text(expected, name);
                key_text(got[j], other);
                suite_add(text, "key %s at slot %zu comes after a larger one, %s at slot %zu\n", name, i,
                          other, j);
                return;
            }
    }
}

/* Explains the first wrong slot of sorted keys. */
static void explain_keys(struct suite_text *text, const unsigned *got, unsigned expected, size_t slot,
                         bool by_bits)
{
    if (is_familiar(text, got, by_bits) || !is_permutation(text, got))
        return;
    explain_order(text, got, expected, slot);
}

#endif
