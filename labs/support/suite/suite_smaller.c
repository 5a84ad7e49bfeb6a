/* suite_smaller.c: searches for the smallest call that fails in the same way as a failed one, so that a person gets
 * few elements, simple values and a plain schedule. Hypothesis shrinks counterexamples for the same reason.
 *
 * The search is limited only by calls and executed instructions, so the same submission always gets the same call. */
#include "suite_internal.h"

enum {
    MOST_CALLS = 300,
    CALLS_OF_SEEDS = 60, /* of these, for other seeds */
    EVERY_LENGTH =
        40, /* elements; beyond this only powers of two, their multiples by 1.5, and neighbours are tried */
    FIRST_POWER = 32,
    LEAST_REDRAWN = 5, /* elements; the results of fewer ones often match another mistake by chance */
    FEW_ELEMENTS = 16,
    MORE_SEEDS = 6,
    MOST_SIMPLIFIED = 5000 /* elements; longer calls are shortened before anything else is simplified */
};
#define MOST_WORK     ((uint64_t)1 << 25) /* instructions */
#define WORK_OF_SEEDS (MOST_WORK / 2)     /* in addition */

struct search {
    suite_fails_alike *fails;
    bool values; /* messages show the values, so they should be simple */
    struct suite_case best;
    bool found; /* a case that is smaller than the first one */
    unsigned calls, most_calls;
    uint64_t work, most_work; /* instructions of all calls */
};

/* ---- sizes --------------------------------------------------------------------------------------------- */

/* An image has two sides: its rows and its columns. */
enum side { LENGTH, ROWS, COLUMNS };

static size_t size_of(const struct suite_case *is, enum side side)
{
    return side == LENGTH ? is->n : side == ROWS ? suite_rows(is->n) : suite_columns(is->n);
}

static struct suite_case with_size(struct suite_case is, enum side side, size_t size)
{
    is.n = side == LENGTH ? size
           : side == ROWS ? suite_shape(size, suite_columns(is.n))
                          : suite_shape(suite_rows(is.n), size);
    return is;
}

/* The minimum that the contract allows, which is the minimum that is tested. */
static size_t least_size(const struct suite_part *part, enum side side)
{
    size_t least = 1;
    if (side == LENGTH)
        suite_length(&part->lengths, 0, &least);
    return least;
}

static bool is_allowed(const struct suite_case *is)
{
    const struct suite_part *part = is->part;
    return (!part->powers_of_two || (is->n > 0 && (is->n & (is->n - 1)) == 0)) &&
           (part->lengths.tiles == 0 || is->n <= part->lengths.tiles * is->tile);
}

/* The next size to try after one that was right. */
static size_t next_size(size_t size)
{
    if (size < EVERY_LENGTH)
        return size + 1;
    for (size_t power = FIRST_POWER;; power *= 2)
        for (size_t i = 0; i < 2; i++) {
            const size_t middle = power + i * power / 2; /* a power of two, or 1.5 times one */
            if (middle + 1 > size)
                return middle - 1 > size ? middle - 1 : middle > size ? middle : middle + 1;
        }
}

/* ---- the search ---------------------------------------------------------------------------------------- */

static bool is_over(const struct search *search)
{
    return search->calls >= search->most_calls || search->work >= search->most_work ||
           suite_part_hangs(search->best.part);
}

/* Makes the call. If it fails alike, it becomes the best one. */
static bool try_like(struct search *search, struct suite_case is, bool same_words)
{
    uint64_t work = 0;
    if (is_over(search))
        return false;
    const bool fails = search->fails(&is, same_words, &work);
    search->calls++;
    search->work += work < MOST_WORK ? work : MOST_WORK;
    if (fails)
        search->best = is;
    search->found |= fails;
    return fails;
}

static bool try_case(struct search *search, struct suite_case is)
{
    return try_like(search, is, false);
}

/* The size `right` is right and the best case's is not: searches for the boundary between them. */
static void close_in(struct search *search, enum side side, size_t right)
{
    while (!is_over(search) && !search->best.part->powers_of_two) {
        const size_t wrong = size_of(&search->best, side), middle = right + (wrong - right) / 2;
        if (wrong - right <= 1)
            break;
        if (!try_case(search, with_size(search->best, side, middle)))
            right = middle;
    }
}

/* Tries smaller sizes with tiles of this size, in ascending order up to the best case's. */
static void shorten(struct search *search, enum side side, size_t tile)
{
    const size_t least = least_size(search->best.part, side), now = size_of(&search->best, side);
    const bool same_tile = tile == search->best.tile;
    struct suite_case is = search->best;
    size_t right = 0;
    is.tile = tile;
    for (size_t size = least; size < now && !is_over(search); size = next_size(size)) {
        is = with_size(is, side, size);
        if (!is_allowed(&is))
            continue;
        if (try_case(search, is)) {
            if (size > least)
                close_in(search, side, right);
            return;
        }
        right = size;
    }
    if (same_tile && right > 0)
        close_in(search, side, right);
}

/* Tries every shape with fewer elements, because sides that are shortened one after the other may miss the smallest. */
static void shorten_small_image(struct search *search)
{
    const size_t now = suite_elements(search->best.n);
    for (size_t elements = 1; elements < now && now <= FEW_ELEMENTS; elements++)
        for (size_t rows = 1; rows <= elements; rows++) {
            struct suite_case is = search->best;
            is.n = suite_shape(rows, elements / rows);
            if (elements % rows == 0 && is_allowed(&is) && try_case(search, is))
                return;
        }
}

static bool has_build(const struct suite_case *is, size_t tile)
{
    suite_use_tile(tile);
    return suite_has_tile(tile) && suite_takes(is->part, is->monoid);
}

static void shorten_all(struct search *search)
{
    const size_t tiles[] = {search->best.tile, SUITE_TILE, SMALL_TILE};
    for (size_t i = 0; i < sizeof tiles / sizeof *tiles; i++) {
        if ((i > 0 && tiles[i] == tiles[0]) || !has_build(&search->best, tiles[i]))
            continue;
        if (suite_lab->images) {
            shorten(search, ROWS, tiles[i]);
            shorten(search, COLUMNS, tiles[i]);
            shorten_small_image(search);
        } else {
            shorten(search, LENGTH, tiles[i]);
        }
    }
}

static bool try_redrawn(struct search *search, struct suite_case is, size_t n)
{
    is = with_size(is, LENGTH, n);
    return is_allowed(&is) && try_like(search, is, true);
}

/* A wrong result may need certain values, which few elements that are drawn with this seed do not have. Tries few
 * elements with other seeds, and once one of them fails, even fewer with that seed. */
static void redraw(struct search *search)
{
    struct suite_case is = search->best;
    const uint64_t seed = is.seed;
    if (suite_lab->images || suite_proves(is.monoid) || is.n <= FEW_ELEMENTS)
        return;
    for (size_t n = LEAST_REDRAWN; n <= FEW_ELEMENTS; n++)
        for (uint64_t more = 1; more <= MORE_SEEDS; more++) {
            is.seed = seed + more;
            if (!try_redrawn(search, is, n))
                continue;
            size_t fewer = least_size(is.part, LENGTH);
            while (fewer < n && !try_redrawn(search, is, fewer))
                fewer++;
            return;
        }
}

/* Simplifies one property at a time that a person would otherwise have to consider. */
static void simplify(struct search *search)
{
    static const uint32_t orders[] = {CALL_FORWARD, CALL_REVERSE};
    static const enum suite_input inputs[] = {INPUT_EXAMPLE, INPUT_RANDOM};
    const struct suite_case plain = suite_case(search->best.part, search->best.monoid, search->best.n);
    struct suite_case is;
    for (size_t i = 0; i < 2 && orders[i] < search->best.order; i++) {
        is = search->best;
        is.order = orders[i];
        try_case(search, is);
    }
    if (search->best.tile != SUITE_TILE && has_build(&search->best, SUITE_TILE)) {
        is = search->best;
        is.tile = SUITE_TILE;
        try_case(search, is);
    }
    if (search->best.resident != plain.resident) {
        is = search->best;
        is.resident = plain.resident;
        try_case(search, is);
    }
    if (search->best.shift != 0) {
        is = search->best;
        is.shift = 0;
        try_case(search, is);
    }
    if (search->best.in_place != 0) {
        is = search->best;
        is.in_place = 0;
        try_case(search, is);
    }
    for (size_t i = 0; i < 2 && search->best.input != INPUT_EXAMPLE && search->best.input != inputs[i] &&
                       search->values && !suite_proves(search->best.monoid);
         i++) {
        is = search->best;
        is.input = inputs[i];
        try_case(search, is);
    }
}

bool suite_find_smaller(const struct suite_case *failed, bool values, suite_fails_alike *fails,
                        struct suite_case *smaller)
{
    struct search search = {.fails = fails,
                            .values = values,
                            .best = *failed,
                            .most_calls = MOST_CALLS - CALLS_OF_SEEDS,
                            .most_work = MOST_WORK};
    if (suite_elements(failed->n) <= MOST_SIMPLIFIED)
        simplify(&search);
    shorten_all(&search);
    search.most_calls = MOST_CALLS;
    search.most_work = MOST_WORK + WORK_OF_SEEDS;
    if (values)
        redraw(&search);
    simplify(&search);
    *smaller = search.best;
    return search.found;
}
