/* suite_sweep.c: calls of every length in builds of every tile, with the slow checks, and their results.
 *
 * When a part's correctness is tested, the sweep judges results and stores the first call that was right but not
 * clean. The test of cleanness reports that call, so that no call is made twice. */
#include "suite_internal.h"
#include "suite_tests.h"
#include <string.h>

enum {
    SECOND_LEVEL = SMALL_TILE * SMALL_TILE + SMALL_TILE + 1, /* elements: more sums than a small tile holds */
    /* 2^15 + 3 small tiles: more than a short can count, and three levels of recursion (2^9 + 1 tiles of sums, then
     * 9). */
    LONG_CALL = (1 << 21) + 2 * SMALL_TILE + 3,
    WHOLE_SHARES = 1 << 14,             /* elements */
    IMAGES = 32,                        /* of random pixels, which decide whether sums are right */
    WHOLE_ODD_SHARES = 3 * 5 * 7 << 10, /* elements: 105 for each of 1024 threads */
};

/* The results of the last sweep. */
static struct {
    const struct suite_part *part;
    bool whole;                /* it was completed: all results are right */
    bool dirty;                /* a call was right but not clean: */
    struct suite_call unclean; /* the first such call */
} sweep;

static void keep_if_unclean(void)
{
    const struct suite_call *call = suite_last_call();
    if (sweep.dirty || (call->reply.all_findings == 0 && call->reply.leaks == 0))
        return;
    sweep.dirty = true;
    sweep.unclean = *call;
}

static void watch(const struct suite_case *is)
{
    suite_watch(is);
    keep_if_unclean();
}

static void look_at(struct suite_case is)
{
    is.proof = true;
    suite_proof_try(&is);
    watch(&is);
    suite_proof_note(suite_last_call());
    for (unsigned more = 1; more < IMAGES && suite_proof_needs_images(is.part); more++) {
        is.seed++;
        suite_proof_try(&is);
        watch(&is);
        suite_proof_note_again(suite_last_call());
    }
}

/* Are the calls of this build proofs? In that with the largest tiles, what nothing has set is 0, which is a right sum. */
static bool proves_here(const struct suite_part *part)
{
    return !(part->sums && suite_options.prove && suite_tile() > SUITE_TILE);
}

/* Without the slow checks. Memory that is not freed is still reported. */
static void glance_at(const struct suite_case *is)
{
    suite_correct(is);
    keep_if_unclean();
}

/* The lengths over which a part is swept in the build of suite_tile(): with the usual tile, those of its proofs;
 * with small tiles, all up to two tiles; with large tiles, the ends of the tile. */
static struct suite_lengths lengths_of(const struct suite_part *part)
{
    static const size_t ends[] = {1,           2,           33,          257,        TILES(1, -1),
                                  TILES(1, 0), TILES(1, 1), TILES(2, 1), TILES(4, 0)};
    const size_t tiles = part->lengths.tiles;
    size_t first = 0;
    suite_length(&part->lengths, 0, &first);
    if (part->powers_of_two)
        return part->lengths;
    if (suite_options.prove && suite_lab->images)
        return part->proofs;
    if (suite_options.prove)
        return (struct suite_lengths){first, (tiles ? tiles : 2) * suite_tile(), 0, ends, tiles};
    if (suite_tile() == SMALL_TILE)
        return (struct suite_lengths){first, (tiles > 2 ? tiles : 2) * SMALL_TILE, 0, ends, tiles};
    if (suite_tile() > SUITE_TILE)
        return (struct suite_lengths){1, 0, LIST_OF_TILES(tiles, ends)};
    return has_proof(part) ? part->proofs : (struct suite_lengths){1, 0, 0, ends, 0};
}

/* Are the slow checks used at this length? They are for all but the longest calls. A part that makes n^2 accesses
 * is checked with small tiles, and with others also at the lengths in its list. */
static bool is_watched(const struct suite_part *part, size_t n)
{
    size_t length;
    if (suite_options.prove)
        return true;
    if (!part->quadratic || n <= SMALL_TILE)
        return part->lengths.tiles || n <= 2 * suite_tile() + 1;
    for (size_t i = 0; suite_length(&part->lengths, i, &length); i++)
        if (length == n)
            return true;
    return false;
}

static void sweep_lengths(const struct suite_part *part, struct suite_case is)
{
    const struct suite_lengths lengths = lengths_of(part);
    for (size_t i = 0; suite_length(&lengths, i, &is.n); i++) {
        if (is_watched(part, is.n))
            look_at(is);
        else
            glance_at(&is);
        suite_note_right(is.n);
    }
    suite_note_right(0);
}

/* The same for images: thin ones and square ones. */
static void sweep_shapes(struct suite_case is)
{
    for (size_t side = 1; side <= 2 * SMALL_TILE; side++) {
        is.n = suite_shape(side % 4 + 1, side);
        look_at(is);
        is.n = suite_shape(side, side % 3 + 1);
        look_at(is);
    }
}

void test_every_length(const struct suite_part *part)
{
    suite_proof_begin(part);
    sweep.part = part;
    sweep.whole = sweep.dirty = false;
    for (size_t t = 0; t < SUITE_TILES; t++) {
        if (!suite_has_tile(suite_tiles[t]))
            continue;
        suite_use_tile(suite_tiles[t]);
        if (!proves_here(part))
            continue;
        struct suite_case is = suite_case(part, suite_telling_monoid(part), 0);
        unsigned ways = suite_options.prove || suite_tile() == SMALL_TILE ? part->ways_in_place : 0;
        for (is.in_place = 0; is.in_place <= ways; is.in_place++) {
            const bool shapes = suite_lab->images && suite_tile() == SMALL_TILE;
            if (shapes)
                sweep_shapes(is);
            if (!shapes || suite_options.prove)
                sweep_lengths(part, is);
        }
        if (!suite_options.prove && suite_tile() == SMALL_TILE && has_many_tiles(part) && !part->quadratic &&
            (part->longest == 0 || part->longest >= SECOND_LEVEL)) {
            is.in_place = 0;
            is.n = SECOND_LEVEL;
            watch(&is);
        }
    }
    suite_proof_end();
    sweep.whole = true;
}

bool suite_is_proof(const struct suite_part *part, const struct suite_test *test)
{
    return suite_proving_monoid(part) >= 0 &&
           (test->body == test_every_length || test->body == test_clean_every_length);
}

void test_clean_every_length(const struct suite_part *part)
{
    if (sweep.part == part && sweep.dirty)
        suite_fail_unclean(&sweep.unclean);
    else if (sweep.part != part || !sweep.whole)
        suite_skip_test(SUITE_NOT_JUDGED, suite_not_judged);
}

bool has_proof(const struct suite_part *part)
{
    return suite_proves(suite_telling_monoid(part));
}

bool has_no_proof(const struct suite_part *part)
{
    return !has_proof(part);
}

void test_many_tiles(const struct suite_part *part)
{
    suite_use_tile(SMALL_TILE);
    struct suite_case is =
        suite_case(part, suite_telling_monoid(part), part->longest ? part->longest : LONG_CALL);
    glance_at(&is);
    const size_t longest = is.n;
    /* Lengths that consist of full shares, whatever a block's share is: powers of two, and multiples of 3, 5 and 7. */
    is.n = WHOLE_SHARES;
    glance_at(&is);
    is.n = WHOLE_ODD_SHARES;
    if (is.n < longest / 8)
        glance_at(&is);
    /* One sum more than fits into a chunk of 2, 4 or 8 tiles. The longest call may already have as many sums. */
    for (size_t chunk = 2 * SMALL_TILE; chunk <= 8 * SMALL_TILE; chunk *= 2) {
        is.n = chunk * chunk + 1;
        if (is.n / SMALL_TILE < longest / SMALL_TILE)
            glance_at(&is);
    }
}
