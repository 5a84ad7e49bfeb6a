#include "checks/races/race_suspects.h"
#include "checks/races/races.h"
#include "checks/races/race_kinds.h"

#include <string.h>

/* Sets of code addresses, by hash. An address is in one of the PROBES slots from its own on. If all are taken, it replaces
 * the one in its own slot, which returns at its next access. */
enum { PLACES = 1024, PROBES = 16, SUSPECTS = 32 };
static uint32_t polled[PLACES], guesses[PLACES], swaps[PLACES];

static struct race suspects[SUSPECTS]; /* of the running launch, one for each read site */
static unsigned suspect_count;

static bool contains(const uint32_t places[PLACES], uint32_t site)
{
    for (uint32_t i = 0; i < PROBES && places[(site + i) % PLACES]; i++)
        if (places[(site + i) % PLACES] == site)
            return true;
    return false;
}

static void add(uint32_t places[PLACES], uint32_t site)
{
    uint32_t i = 0;
    while (i < PROBES && places[(site + i) % PLACES] && places[(site + i) % PLACES] != site)
        i++;
    places[(site + i % PROBES) % PLACES] = site;
}

bool suspects_is_polled(uint32_t site)
{
    return contains(polled, site);
}

bool suspects_is_swap(uint32_t site)
{
    return contains(swaps, site);
}

void suspects_swap(uint32_t swap, uint32_t read)
{
    add(swaps, swap);
    if (read)
        add(guesses, read);
}

void suspects_volatile_read(struct thread *thread, const struct access *access)
{
    const uint32_t site = (uint32_t)(uintptr_t)access->site;
    for (unsigned i = 0; i < READS_KEPT; i++)
        if (thread->volatile_read[i].address == access->address && thread->volatile_read[i].site == site) {
            add(polled, site);
            return;
        }
    thread->volatile_read[thread->volatile_reads++ % READS_KEPT] =
        (struct volatile_read){access->address, site};
}

uint32_t suspects_site_of_read(const struct thread *thread, const struct access *access)
{
    for (unsigned i = 0; i < READS_KEPT; i++)
        if (thread->volatile_read[i].address == access->address)
            return thread->volatile_read[i].site;
    return 0;
}

static uint32_t read_site(const struct race *race)
{
    return is_write(race->now.kind) ? race->then.site : race->now.site;
}

/* Judges with the knowledge at the end of the launch. Returns false if the two do not race. */
static bool judge(struct race *race)
{
    if (race->verdict != RACE_GUESS)
        return !suspects_is_polled(read_site(race));
    if (!contains(guesses, read_site(race)))
        race->verdict = RACE_REAL;
    return true;
}

void suspects_add(const struct race *race)
{
    if (race_launch.sampled)
        return; /* what acquits it may be among the accesses that were left out */
    for (unsigned i = 0; i < suspect_count; i++)
        if (suspects[i].verdict == race->verdict && read_site(&suspects[i]) == read_site(race))
            return;
    if (suspect_count < SUSPECTS) {
        suspects[suspect_count++] = *race;
    } else if (race->verdict == RACE_GUESS) { /* it may be an error, so it must be reported */
        struct race judged = *race;
        judge(&judged);
        race_report(&judged);
    }
}

void suspects_end_launch(void)
{
    for (unsigned i = 0; i < suspect_count; i++)
        if (judge(&suspects[i]))
            race_report(&suspects[i]);
    suspect_count = 0;
}
