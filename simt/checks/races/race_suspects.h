/* race_suspects.h: races that are judged at the end of the launch, when it is known what the lines that read are for.
 * Internal.
 *
 *     A volatile read that a thread repeats polls a flag. One that no thread repeats reads data.
 *     A plain read may give a compare-and-swap its first guess, as in the CUDA C++ Programming Guide's atomicAdd for double
 *     (section "Atomic Functions"): what it reads too early makes the swap fail and try again. */
#ifndef SIMT_RACE_SUSPECTS_H
#define SIMT_RACE_SUSPECTS_H

#include "checks/races/race_report.h"
#include "core/observer.h"

/* A strong read by the running thread. A line that reads the same address twice in a row polls. */
void suspects_volatile_read(struct thread *thread, const struct access *access);
bool suspects_is_polled(uint32_t site);

/* A compare-and-swap at `swap` by the thread that has last read the same address, plainly, at `read`; 0 when it has not. */
void suspects_swap(uint32_t swap, uint32_t read);
bool suspects_is_swap(uint32_t site);

/* Keeps a race until the end of the launch. A verdict of RACE_VOLATILE or RACE_LOCKSTEP then holds unless the line that reads
 * polls, and one of RACE_GUESS becomes RACE_REAL unless a compare-and-swap follows the read. */
void suspects_add(const struct race *race);

/* Where the thread has last read what it now writes; 0 if it has not, or too long ago. */
uint32_t suspects_site_of_read(const struct thread *thread, const struct access *access);
void suspects_end_launch(void);

#endif
