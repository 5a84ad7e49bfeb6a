/* suite_case.c: the options of the command line, and cases: a part, a build, a length, and everything else that
 * determines a call. It uses no other file of the suite. */
#include "suite_internal.h"

struct suite_options suite_options = {
    .runner = NULL,
    .datasets = "datasets",
    .seed = 1,
    .budget_share = 1,
    .progress = -1,
};
const struct suite_lab *suite_lab;

const size_t suite_tiles[SUITE_TILES] = {SUITE_TILE, 64, 1024};
static size_t tile = SUITE_TILE; /* in the running test */

/* ---- tiles --------------------------------------------------------------------------------------------- */

size_t suite_tile(void)
{
    return tile;
}

void suite_use_tile(size_t elements)
{
    tile = elements;
}

bool suite_has_tile(size_t elements)
{
    return suite_options.tile == 0 || suite_options.tile == elements;
}

/* ---- cases --------------------------------------------------------------------------------------------- */

struct suite_case suite_case(const struct suite_part *part, int monoid, size_t n)
{
    return (struct suite_case){.part = part,
                               .tile = tile,
                               .monoid = monoid,
                               .n = n,
                               .seed = suite_options.seed,
                               .input = INPUT_RANDOM,
                               .order = CALL_FORWARD,
                               .resident = 16};
}

/* Resolves TILES(...) in an entry of a list. In a shape only the columns may contain it. */
static size_t resolve(size_t listed)
{
    const size_t mark = (size_t)1 << 31, low = ((size_t)1 << 32) - 1;
    if (!(listed & mark))
        return listed;
    size_t count = listed >> 16 & 0x7FFF, more = listed & 0xFFFF;
    return (listed & ~low) | (count * tile + more - (1 << 15));
}

/* The smallest length in a list from `least` to `most`. Returns false when there is none. */
static bool next_length(const struct suite_lengths *lengths, size_t least, size_t most, size_t *n)
{
    bool found = false;
    for (size_t i = 0; i < lengths->count; i++) {
        size_t length = resolve(lengths->list[i]);
        if (length >= least && length <= most && (!found || length < *n)) {
            *n = length;
            found = true;
        }
    }
    return found;
}

/* The i-th of a list's lengths that are empty, or are not, in the order of the list. */
static bool find_shape(const struct suite_lengths *lengths, bool empty, size_t i, size_t *n)
{
    for (size_t k = 0; k < lengths->count; k++) {
        *n = resolve(lengths->list[k]);
        if ((suite_elements(*n) == 0) == empty && i-- == 0)
            return true;
    }
    return false;
}

bool suite_empty_length(const struct suite_lengths *lengths, size_t i, size_t *n)
{
    return find_shape(lengths, true, i, n);
}

bool suite_length(const struct suite_lengths *lengths, size_t i, size_t *n)
{
    if (suite_lab->images)
        return find_shape(lengths, false, i, n);
    size_t most = lengths->tiles ? lengths->tiles * tile : SIZE_MAX;
    size_t to = lengths->to < most ? lengths->to : most;
    size_t range = to >= lengths->from ? to - lengths->from + 1 : 0, least = range > 0 ? to + 1 : 1;
    if (i < range) {
        *n = lengths->from + i;
        return true;
    }
    for (i -= range; next_length(lengths, least, most, n); i--) {
        if (i == 0)
            return true;
        least = *n + 1;
    }
    return false;
}

uint64_t suite_seed(void)
{
    return suite_options.seed;
}

bool suite_on_cpu_device(void)
{
    return !suite_options.on_cuda;
}

const char *suite_datasets(void)
{
    return suite_options.datasets;
}

bool suite_huge(void)
{
    return suite_options.huge;
}

int suite_telling_monoid(const struct suite_part *part)
{
    static const int order[] = {MONOID_INTERVAL, MONOID_FINGERPRINT, MONOID_SUM};
    for (size_t i = 0; i < sizeof order / sizeof *order; i++)
        if (part->monoids >> order[i] & 1)
            return order[i];
    int monoid = 0;
    while (!(part->monoids >> monoid & 1))
        monoid++;
    return monoid;
}

bool suite_takes(const struct suite_part *part, int monoid)
{
    return (part->monoids >> monoid & 1) && (tile == SUITE_TILE || suite_options.trace ||
                                             suite_options.debug || monoid == suite_telling_monoid(part));
}

bool suite_proves(int monoid)
{
    return monoid == MONOID_INTERVAL || monoid == MONOID_FINGERPRINT;
}
