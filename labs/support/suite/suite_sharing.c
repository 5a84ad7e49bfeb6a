/* suite_sharing.c: see suite_sharing.h. */
#include "suite_sharing.h"
#include "suite_internal.h"
#include "suite_tests.h"
#include <stdio.h>
#include <string.h>

enum {
    MOST_OF_ONE_BLOCK = 2100, /* elements that may all be processed by one block */
    MOST_SHARED = 100000,     /* elements; more of them would show nothing new */
    MOST_SHORT = 500,         /* elements; for these a part may use a different algorithm */
    SHORT = 300,              /* elements; enough for several threads with 32 each */
    SHORT_POWER = 256,
    ONE_WARP = 32, /* elements; even that is not the host's work */
    NARROW = 16,   /* rows or columns of an image: too few for threads to share them */
    FEW_WARPS = 64 /* rows or columns: a thread for each has a long loop */
};

#define LOCAL_ACCESSES "local accesses by one thread"

typedef unsigned long long ull; /* for %llu */

/* ---- bounds ---------------------------------------------------------------------------------------------- */

uint64_t sharing_span_of_tile(size_t n)
{
    return suite_elements(n) + 64;
}

uint64_t sharing_span_of_map(size_t n)
{
    return suite_elements(n) / 32 + 512;
}

uint64_t sharing_span_of_scan(size_t n)
{
    return n / 8 + 16 * (((uint64_t)n + suite_tile() - 1) / suite_tile()) + 1024;
}

uint64_t sharing_executed(size_t n)
{
    return 2 * (suite_elements(n) > 4096 ? suite_elements(n) : 4096);
}

uint64_t sharing_executed_of_tile(size_t n)
{
    return 4 * (n > 1024 ? (uint64_t)n : 1024);
}

uint64_t sharing_executed_of_sort(size_t n)
{
    return 20 * suite_elements(n) + 65536;
}

uint64_t sharing_bytes_of_numbers(size_t n)
{
    (void)n;
    return 64;
}

uint64_t sharing_bytes_of_sums(size_t n)
{
    (void)n;
    return 4096;
}

/* ---- verdicts -------------------------------------------------------------------------------------------- */

static void judge_host_bytes(const struct suite_case *is)
{
    char why[512];
    if (suite_host_has_too_much(is, suite_counted("host bytes"), why, sizeof why))
        suite_fail(SUITE_OF_HOST, "%s", why);
}

/* If the kernels do not go over the input, the host may have processed it. */
static void judge_kernels(const struct suite_case *is)
{
    const uint64_t n = suite_elements(is->n), bytes = suite_counted("host bytes");
    const uint64_t all = suite_counted("accesses and combines");
    if (n >= ONE_WARP && bytes >= n && all < n / 4)
        suite_fail(SUITE_OF_HOST,
                   "the host makes the result: it got %llu bytes, and kernels made %llu memory accesses and "
                   "combines for %llu elements\n"
                   "try: let kernels go over the elements; the host may have what they have made of them",
                   (ull)bytes, (ull)all, (ull)n);
}

static void judge_outputs(void)
{
    const uint64_t bytes = suite_counted("output bytes from the host");
    if (bytes > VALUE_BYTES)
        suite_fail(SUITE_OF_HOST,
                   "the host makes the result: it copied %llu bytes into an output, at most %d allowed\n"
                   "the bound is a single value\n"
                   "try: let a kernel write outputs; copies and fills within the device are fine, too",
                   (ull)bytes, VALUE_BYTES);
}

static void fail_span(uint64_t span, uint64_t most, const char *bound)
{
    const bool one_thread =
        2 * suite_counted("accesses and combines by one thread") > suite_counted("accesses and combines");
    suite_fail(
        SUITE_NOT_SHARED,
        "%s: span %llu counted, at most %llu allowed\n"
        "the bound is %s\n"
        "so many memory accesses and combines come one after the other, whatever the number of threads\n"
        "try: cut the loop up among threads, and join their results in a tree",
        one_thread ? "one thread does the work" : "the work is one after the other", (ull)span, (ull)most,
        bound);
}

/* Fewer accesses and combines than in a loop over the input do not matter: if copies on the device do most of the
 * work, kernels do only small parts, such as the first slot of a shifted scan. */
static bool is_a_loop(const struct suite_case *is, uint64_t count)
{
    return count >= suite_elements(is->n) / 8;
}

static bool is_short(const struct suite_case *is)
{
    return suite_elements(is->n) <= MOST_SHORT;
}

static uint64_t most_of_one_thread(const struct suite_case *is, uint64_t all)
{
    return is_short(is) ? all / 10 * 9 : all / 2;
}

static void judge_local_accesses(const struct suite_bound *bound, size_t n)
{
    const uint64_t count = suite_counted(bound->meter), most = bound->most(n);
    if (count > most)
        suite_fail(SUITE_NOT_SHARED,
                   "each thread does the work for itself: %llu accesses of one thread to its local arrays, "
                   "at most %llu "
                   "allowed\n"
                   "the bound is %s\n"
                   "try: cut the work up among threads, which exchange results in shared memory",
                   (ull)count, (ull)most, bound->formula);
}

static void judge_span(const struct suite_case *is)
{
    const uint64_t span = suite_counted("span"), all = suite_counted("accesses and combines");
    for (const struct suite_bound *bound = is->part->shared; bound && bound->meter; bound++)
        if (strcmp(bound->meter, "span") == 0 && span > bound->most(is->n))
            fail_span(span, bound->most(is->n), bound->formula);
        else if (strcmp(bound->meter, LOCAL_ACCESSES) == 0)
            judge_local_accesses(bound, is->n);
    const uint64_t most = most_of_one_thread(is, all);
    if (is_a_loop(is, span) && span > most)
        fail_span(span, most,
                  is_short(is) ? "nine tenths of all memory accesses and combines"
                               : "half of all memory accesses and combines: two threads' worth");
}

/* What threads must share in addition to the span: idle accesses and combines make the span look short, but produce
 * no results. */
static const struct {
    const char *meter, *by_thread, *by_block, *words;
} shares[] = {
    {"accesses and combines", NULL, "accesses and combines by one block", "memory accesses and combines"},
    {"joining combines", "joining combines by one thread", "joining combines by one block",
     "combines that join two parts"},
    {"output writes", "output writes by one thread", "output writes by one block", "writes to outputs"}};

static void judge_threads(const struct suite_case *is)
{
    for (size_t i = 0; i < sizeof shares / sizeof *shares; i++) {
        if (!shares[i].by_thread)
            continue;
        const uint64_t all = suite_counted(shares[i].meter), most = suite_counted(shares[i].by_thread);
        if (is_a_loop(is, most) && most > most_of_one_thread(is, all))
            suite_fail(SUITE_NOT_SHARED,
                       "one thread does the work: %llu of %llu %s, at most %s allowed\n"
                       "what other threads do beside it makes no part of the result\n"
                       "try: cut the loop up among threads, and join their results in a tree",
                       (ull)most, (ull)all, shares[i].words, is_short(is) ? "nine tenths" : "half");
    }
}

static void judge_blocks(const struct suite_case *is)
{
    for (size_t i = 0; i < sizeof shares / sizeof *shares; i++) {
        const uint64_t all = suite_counted(shares[i].meter), most = suite_counted(shares[i].by_block);
        if (is_a_loop(is, most) && most > all * 9 / 10)
            suite_fail(SUITE_NOT_SHARED,
                       "one block does the work: %llu of %llu %s, at most nine tenths allowed\n"
                       "a GPU has room for many blocks at a time\n"
                       "try: as many blocks as there are tiles, or a fixed number that take turns",
                       (ull)most, (ull)all, shares[i].words);
    }
}

/* The operator of interval has many branches. An element of affine or fingerprint has two words, and each takes shuffles
 * and arithmetic of its own. */
static unsigned cost_of(int monoid)
{
    return monoid == MONOID_INTERVAL ? 5 : monoid == MONOID_AFFINE || monoid == MONOID_FINGERPRINT ? 2 : 1;
}

static struct suite_bound bound_on_executed(const struct suite_part *part)
{
    for (const struct suite_bound *bound = part->shared; bound && bound->meter; bound++)
        if (strcmp(bound->meter, EXECUTED) == 0)
            return *bound;
    return part->lengths.tiles > 0
               ? (struct suite_bound){EXECUTED, "4n, at least 4096", sharing_executed_of_tile}
               : (struct suite_bound){EXECUTED, "2n, at least 8192", sharing_executed};
}

static size_t executed_from(const struct suite_part *part, const struct suite_bound *bound)
{
    if (part->lengths.tiles > 0)
        return EXECUTED_OF_TILE_FROM;
    if (bound->most == sharing_executed)
        return EXECUTED_FROM;
    return part->many > 0 && suite_elements(part->many) < MANY_ELEMENTS ? suite_elements(part->many)
                                                                        : MANY_ELEMENTS;
}

static bool has_fewer(size_t n, size_t least)
{
    return suite_lab->images && (suite_rows(n) < least || suite_columns(n) < least);
}

/* A loop over the input has the same cost in every thread that executes it, whatever its steps do. */
static void judge_executed(const struct suite_case *is)
{
    const struct suite_bound bound = bound_on_executed(is->part);
    const unsigned cost = cost_of(is->monoid);
    const uint64_t most = cost * bound.most(is->n), count = suite_counted(EXECUTED);
    const uint64_t tiles = (suite_elements(is->n) + suite_tile() - 1) / suite_tile();
    const uint64_t chain = suite_counted("instruction span"), longest = most + cost * 64 * tiles;
    if (suite_elements(is->n) < executed_from(is->part, &bound) || has_fewer(is->n, FEW_WARPS))
        return;
    if (count > most)
        suite_fail(
            SUITE_NOT_SHARED,
            "each thread does the work for itself: one of them executes %llu instructions, at most %llu "
            "allowed\n"
            "the bound is %s%s\n"
            "arithmetic, shuffles and local arrays count like memory accesses, and so do threads that all "
            "do the same\n"
            "try: cut the loop up among threads, and join their results in a tree",
            (ull)count, (ull)most,
            cost > 2   ? "five times "
            : cost > 1 ? "twice "
                       : "",
            bound.formula);
    if (chain > longest)
        suite_fail(
            SUITE_NOT_SHARED,
            "the work is one after the other: a chain of %llu instructions goes from thread to thread, at "
            "most %llu allowed\n"
            "the bound is %s%s, and 64 for each tile\n"
            "try: let threads work at the same time, and join their results in a tree",
            (ull)chain, (ull)longest,
            cost > 2   ? "five times "
            : cost > 1 ? "twice "
                       : "",
            bound.formula);
}

void suite_shared(const struct suite_case *is)
{
    suite_measured(is, CALL_METERS_OF_SHARING);
    judge_host_bytes(is);
    judge_outputs();
    judge_kernels(is);
    if (suite_elements(is->n) >= FEW_ELEMENTS) {
        judge_span(is);
        judge_threads(is);
    }
    if (suite_elements(is->n) >= (suite_lab->images ? MANY_PIXELS : MANY_ELEMENTS))
        judge_blocks(is);
    judge_executed(is);
}

/* ---- the test -------------------------------------------------------------------------------------------- */

bool has_shared(const struct suite_part *part)
{
    (void)part;
    return suite_on_cpu_device();
}

/* A single row or column has no work that one thread for each column, or row, could share. */
bool suite_is_narrow(size_t n)
{
    return has_fewer(n, NARROW);
}

/* The longest length of at most `most` elements; 0 if there is none. */
static size_t longest_up_to(const struct suite_part *part, size_t most)
{
    size_t longest = 0, n;
    for (size_t i = 0; suite_length(&part->lengths, i, &n); i++)
        if (suite_elements(n) <= most && suite_elements(n) >= suite_elements(longest) && !suite_is_narrow(n))
            longest = n;
    return longest;
}

static void share_of(const struct suite_part *part, int monoid, size_t n)
{
    struct suite_case is = suite_case(part, monoid, n);
    is.order = CALL_RANDOM;              /* in thread order the first block could draw all tickets */
    is.seed = suite_plain_seed(is.seed); /* with short groups of equal keys, one thread for each is right */
    if (suite_elements(n) > 0)
        suite_shared(&is);
}

/* Could one thread have done all the work of this call? The numbers of every reply contain what the meters exclude, such as
 * turns of waiting loops, so they can only suggest it. */
static bool may_not_be_shared(const struct suite_case *is, const struct call_reply *reply)
{
    return suite_on_cpu_device() && suite_elements(is->n) >= FEW_ELEMENTS && !suite_is_narrow(is->n) &&
           reply->by_busiest > most_of_one_thread(is, reply->by_threads);
}

void suite_judge_shares(const struct suite_case *is, const struct call_reply *reply)
{
    static struct suite_case last; /* many calls in a row may have the same length */
    if ((last.part == is->part && last.monoid == is->monoid && last.n == is->n && last.tile == is->tile) ||
        !may_not_be_shared(is, reply))
        return;
    last = *is;
    share_of(is->part, is->monoid, is->n);
}

static void share(const struct suite_part *part, size_t n)
{
    share_of(part, suite_telling_monoid(part), n);
}

/* Code may test the monoid and the tile for which it is compiled, so each build is judged once. */
static void share_in_other_builds(const struct suite_part *part)
{
    for (int monoid = 0; monoid < MONOID_COUNT; monoid++)
        if (monoid != suite_telling_monoid(part) && suite_takes(part, monoid))
            share_of(part, monoid, longest_up_to(part, MOST_OF_ONE_BLOCK));
    if (suite_has_tile(LARGE_TILE)) {
        suite_use_tile(LARGE_TILE);
        share(part, longest_up_to(part, MOST_OF_ONE_BLOCK));
    }
}

/* Inputs so short that the host, or one thread, could easily process them. Below the second length a few threads
 * with long shares may do everything, and only the host's work is judged. */
static void share_short(const struct suite_part *part)
{
    const size_t most = part->lengths.tiles > 0 ? part->lengths.tiles * suite_tile() : SHORT;
    if (suite_lab->images)
        return;
    share(part, ONE_WARP);
    if (most >= SHORT)
        share(part, part->powers_of_two ? SHORT_POWER : SHORT);
}

/* Tries the longest length below the one that the public suite tries. */
void test_shared_short(const struct suite_part *part)
{
    const size_t n = longest_up_to(part, MOST_SHORT);
    if (suite_elements(n) >= SHORT)
        share(part, n);
}

void test_shared(const struct suite_part *part)
{
    const size_t few = longest_up_to(part, MOST_OF_ONE_BLOCK);
    share_short(part);
    const size_t many = part->many > 0 ? part->many : longest_up_to(part, MOST_SHARED);
    share(part, few);
    /* With small tiles, because then the host may not have all sums of the tiles. */
    if (many != few && has_many_tiles(part))
        suite_use_tile(SMALL_TILE);
    if (many != few)
        share(part, many);
    if (suite_has_tile(SUITE_TILE)) {
        suite_use_tile(SUITE_TILE);
        share_in_other_builds(part);
    }
}
