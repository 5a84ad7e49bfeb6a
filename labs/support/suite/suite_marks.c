/* suite_marks.c: inputs with marks: values that a kernel could mistake for a mark of its own ("no value yet"), or
 * lose in a smaller type. Each mark is tried at every position where a kernel treats its elements differently.
 * Nothing is random here: the seed of a case only numbers the patterns. */
#include "suite_marks.h"
#include "random.h"
#include "suite_internal.h"
#include "suite_tests.h"
#include <float.h>
#include <math.h>
#include <string.h>

/* The ends of the range, -1 as 2^32 - 1, values that a float cannot represent or that have lost their upper or
 * lower half, and values that overflow when squared, doubled or shifted. */
static const int ints[SUITE_MARKS] = {
    0,          -1,         1,          INT_MIN,       INT_MAX, INT_MIN + 1, -2,    1 << 16,
    -(1 << 16), 1 << 30,    -(1 << 30), (1 << 24) + 1, 1 << 8,  0xffff,      46341, -(1 << 24) - 1,
    0x7f7f7f7f, -0x7f7f7f80}; /* what cudaMemset makes of 0x7f and 0x80 */

/* Zeros, subnormal values, the ends of the normal range, and values that an int or a fixed-point number cannot
 * represent. */
static const float floats[SUITE_MARKS] = {
    0.0f,     -0.0f,       0x1p-149f,        -0x1p-149f,     FLT_MIN,  -FLT_MIN,    FLT_MAX,
    -FLT_MAX, 0x1p+31f,    -0x1p+31f,        0x1p+32f,       0x1p-40f, 16777215.0f, 1.0f + 0x1p-23f,
    -1.0f,    0x1.8p-130f, 0x1.fefefep+127f, -0x1.0101p-126f}; /* what cudaMemset makes of 0x7f and 0x80 */

int suite_mark(size_t number)
{
    return ints[number % SUITE_MARKS];
}

enum suite_marked suite_marked(uint64_t seed)
{
    return (enum suite_marked)(seed / SUITE_MARKS % SUITE_MARKED_KINDS);
}

uint64_t suite_marked_seed(enum suite_marked kind, size_t turn)
{
    return (uint64_t)kind * SUITE_MARKS + turn;
}

size_t suite_telling_position(size_t i, size_t n, size_t tile)
{
    const size_t positions[SUITE_POSITIONS] = {0,        n - 1,    tile - 1, tile,         31,    32,
                                               tile + 1, tile / 2, 2 * tile, 2 * tile - 1, n / 2, n - 2};
    return positions[i] < n ? positions[i] : SIZE_MAX;
}

/* The number of the telling position with index i; SUITE_POSITIONS if it is not one. */
static size_t telling_position_at(size_t i, size_t n, size_t tile)
{
    size_t position = 0;
    while (position < SUITE_POSITIONS && suite_telling_position(position, n, tile) != i)
        position++;
    return position;
}

size_t suite_mark_at(const struct suite_case *is, size_t i, size_t count)
{
    const size_t turn = is->seed % SUITE_MARKS;
    if (suite_marked(is->seed) == MARKED_EQUAL)
        return turn;
    const size_t position = telling_position_at(i, count, is->tile);
    if (position < SUITE_POSITIONS)
        return (turn + position) % SUITE_MARKS;
    return suite_marked(is->seed) == MARKED_AMONG_ONE ? (turn + SUITE_MARKS / 2) % SUITE_MARKS : SIZE_MAX;
}

/* A large value appears alone, or is scaled down so that no sum overflows. */
static float marked_float(const struct suite_case *is, size_t i, size_t count)
{
    const size_t turn = is->seed % SUITE_MARKS;
    const bool large = fabsf(floats[turn]) > FLT_MAX / 2;
    if (suite_marked(is->seed) == MARKED_EQUAL)
        return large && count > 1 ? floats[turn] / (2 * (float)count) : floats[turn];
    if (!large)
        return telling_position_at(i, count, is->tile) < SUITE_POSITIONS ? floats[turn] : 0;
    size_t position = suite_marked(is->seed) == MARKED_AMONG_ONE ? count - 1 : count / 2;
    return i == position ? floats[turn] : 0;
}

void suite_marked_values(const struct suite_case *is, size_t count, uint64_t stream, void *values)
{
    struct random random = random_stream(1, count * 8 + stream);
    unsigned before = 0; /* the sum so far */
    if (is->monoid == MONOID_FLOAT_SUM) {
        for (size_t i = 0; i < count; i++)
            ((float *)values)[i] = marked_float(is, i, count);
        return;
    }
    const size_t words = is->monoid == MONOID_AFFINE ? 2 : 1;
    for (size_t i = 0; i < count; i++)
        for (size_t word = 0; word < words; word++) {
            const size_t mark = suite_mark_at(is, i, count);
            unsigned *value = (unsigned *)values + i * words + word;
            *value = (unsigned)random_bits(&random);
            if (mark < SUITE_MARKS)
                *value = (unsigned)ints[(mark + stream + 3 * word) % SUITE_MARKS];
            if (suite_marked(is->seed) == MARKED_SUMS && is->monoid == MONOID_SUM && mark < SUITE_MARKS)
                *value -= before;
            before += *value;
        }
}

/* ---- the test ------------------------------------------------------------------------------------------ */

enum {
    MORE = 3,         /* elements after the first tile */
    SHORT_LENGTH = 67 /* elements: for monoids that would show no more than the first one */
};

/* The longest length that a part allows, up to `most` elements. */
static size_t length_up_to(const struct suite_part *part, size_t most)
{
    enum { ROWS = 3 };
    const size_t tiles = part->lengths.tiles;
    if (suite_lab->images)
        return suite_shape(ROWS, SHORT_LENGTH / ROWS);
    while (part->powers_of_two && (most & (most - 1)))
        most &= most - 1;
    return tiles > 0 && most > tiles * suite_tile() ? tiles * suite_tile() : most;
}

static void every_turn(const struct suite_part *part, int monoid, size_t n, enum suite_marked kind)
{
    for (size_t turn = 0; turn < SUITE_MARKS; turn++) {
        struct suite_case is = suite_case(part, monoid, n);
        is.input = INPUT_MARKED;
        is.seed = suite_marked_seed(kind, turn);
        suite_correct(&is);
    }
}

/* Selects small tiles if there is such a build that takes numbers. */
static void choose_tile(const struct suite_part *part)
{
    const size_t small = 64;
    if (suite_has_tile(small) && suite_telling_monoid(part) == MONOID_SUM)
        suite_use_tile(small);
    else if (suite_has_tile(SUITE_TILE))
        suite_use_tile(SUITE_TILE);
}

void test_marks(const struct suite_part *part)
{
    choose_tile(part);
    bool first = true;
    for (int monoid = 0; monoid < MONOID_COUNT; monoid++) {
        if (!suite_takes(part, monoid) || monoid == MONOID_INTERVAL || monoid == MONOID_FINGERPRINT)
            continue;
        const size_t shorter = length_up_to(part, SHORT_LENGTH);
        const size_t n = first && !part->quadratic ? length_up_to(part, suite_tile() + MORE) : shorter;
        every_turn(part, monoid, suite_lab->images ? n : part->powers_of_two ? 2 : 1, MARKED_EQUAL);
        every_turn(part, monoid, n, MARKED_SCATTERED);
        if (first || monoid == MONOID_FLOAT_SUM)
            every_turn(part, monoid, shorter, MARKED_EQUAL);
        if (first)
            every_turn(part, monoid, shorter, MARKED_AMONG_ONE);
        if (part->least && monoid == MONOID_SUM)
            every_turn(part, monoid, n, MARKED_SUMS);
        first = false;
    }
}
