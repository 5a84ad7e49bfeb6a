#include "checks/races/race_volatile.h"

#include <string.h>

enum { PLACES = 128, SUSPECTS = 32 };
static uint32_t polled[PLACES]; /* by hash; one that another pushes out is found again at its next poll */

static struct race suspects[SUSPECTS]; /* of the running launch, one for each place that reads */
static unsigned suspect_count;

bool volatile_is_polled(uint32_t site)
{
    return polled[site % PLACES] == site;
}

void volatile_read(struct thread *thread, const struct access *access)
{
    const uint32_t site = (uint32_t)(uintptr_t)access->site;
    for (unsigned i = 0; i < READS_KEPT; i++)
        if (thread->volatile_read[i].address == access->address && thread->volatile_read[i].site == site) {
            polled[site % PLACES] = site;
            return;
        }
    thread->volatile_read[thread->volatile_reads++ % READS_KEPT] =
        (struct volatile_read){access->address, site};
}

uint32_t volatile_site_of_read(const struct thread *thread, const struct access *access)
{
    for (unsigned i = 0; i < READS_KEPT; i++)
        if (thread->volatile_read[i].address == access->address)
            return thread->volatile_read[i].site;
    return 0;
}

static uint32_t read_site(const struct race *race)
{
    return race->now.kind == SIDE_VOLATILE_READ ? race->now.site : race->then.site;
}

void volatile_suspect(const struct race *race)
{
    for (unsigned i = 0; i < suspect_count; i++)
        if (read_site(&suspects[i]) == read_site(race))
            return;
    if (suspect_count < SUSPECTS)
        suspects[suspect_count++] = *race;
}

void volatile_end_launch(void)
{
    for (unsigned i = 0; i < suspect_count; i++)
        if (!volatile_is_polled(read_site(&suspects[i])))
            race_report(&suspects[i]);
    suspect_count = 0;
}
