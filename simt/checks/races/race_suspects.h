/* race_suspects.h: races that are judged at the end of the launch, when the purpose of the reading lines is known.
 * Internal.
 *
 *     A volatile read that a thread repeats polls a flag. One that no thread repeats reads data.
 *     A plain read may provide the first guess of a compare-and-swap, as in the CUDA C++ Programming Guide's atomicAdd for
 *     double (section "Atomic Functions"): if it reads too early, the swap fails and is tried again. */
#ifndef SIMT_RACE_SUSPECTS_H
#define SIMT_RACE_SUSPECTS_H

#include "checks/races/race_report.h"
#include "core/observer.h"

/* Notes a strong read by the running thread. A line that reads the same address twice in a row polls. */
void suspects_volatile_read(struct thread *thread, const struct access *access);
bool suspects_is_polled(uint32_t site);

/* Notes a compare-and-swap at `swap`. The same thread's last read of the address was a plain one at `read`; 0 if
 * not. */
void suspects_swap(uint32_t swap, uint32_t read);
bool suspects_is_swap(uint32_t site);

/* Stores a race until the end of the launch. A verdict of RACE_VOLATILE or RACE_LOCKSTEP then holds unless the
 * reading line polls. RACE_GUESS becomes RACE_REAL unless a compare-and-swap follows the read. */
void suspects_add(const struct race *race);

/* Where the thread last read the address that it writes now; 0 if it did not, or too long ago. */
uint32_t suspects_site_of_read(const struct thread *thread, const struct access *access);
void suspects_end_launch(void);

#endif
