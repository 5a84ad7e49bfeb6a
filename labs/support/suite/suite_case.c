/* suite_case.c: the options of the command line, and cases: a part, a build, a length, and everything else that
 * determines a call. It uses no other file of the suite. */
#include "suite_internal.h"
#include "suite_tests.h"
#include <stdio.h>
#include <unistd.h>

struct suite_options suite_options = {
    .runner = NULL,
    .datasets = "datasets",
    .seed = 1,
    .budget_share = 1,
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

uint64_t suite_seed(void)
{
    return suite_options.seed;
}

bool has_many_tiles(const struct suite_part *part)
{
    return part->lengths.tiles == 0 && !suite_lab->images && suite_has_tile(SMALL_TILE);
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

int suite_proving_monoid(const struct suite_part *part)
{
    if (part->sums && suite_options.prove && (suite_has_tile(SMALL_TILE) || suite_has_tile(SUITE_TILE)))
        return MONOID_INTERVAL;
    return suite_proves(suite_telling_monoid(part)) ? suite_telling_monoid(part) : -1;
}

int suite_build_monoid(const struct suite_case *is)
{
    const int proving = suite_proving_monoid(is->part);
    return is->proof && proving >= 0 ? proving : is->monoid;
}

/* ---- builds -------------------------------------------------------------------------------------------- */

void suite_library(char *path, size_t size, int monoid, size_t tile, bool for_proofs)
{
    char words[24] = "";
    if (tile != SUITE_TILE)
        snprintf(words, sizeof words, ".%zu", tile);
    snprintf(path, size, "%s/%s.%s%s%s.so", suite_options.submission, suite_lab->name, monoids[monoid].name,
             words, for_proofs ? ".checked" : "");
}

bool suite_has_proof_build(int monoid, size_t tile)
{
    char path[4096];
    suite_library(path, sizeof path, monoid, tile, true);
    return suite_proves(monoid) && access(path, R_OK) == 0;
}
