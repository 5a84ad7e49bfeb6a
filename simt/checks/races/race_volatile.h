/* race_volatile.h: volatile reads of data, which nobody repeats, and of flags, which threads poll. Internal. */
#ifndef SIMT_RACE_VOLATILE_H
#define SIMT_RACE_VOLATILE_H

#include "checks/races/race_report.h"
#include "core/observer.h"

/* A strong read by the running thread. A line that reads the same address twice in a row polls. */
void volatile_read(struct thread *thread, const struct access *access);
bool volatile_is_polled(uint32_t site);

/* One of the two is a volatile read: reported at the end of the launch, unless its line polls. */
void volatile_suspect(const struct race *race);

/* Where the thread has last read what it now writes; 0 if it has not, or too long ago. */
uint32_t volatile_site_of_read(const struct thread *thread, const struct access *access);
void volatile_end_launch(void);

#endif
