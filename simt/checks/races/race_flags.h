/* race_flags.h: flags that were read, for messages and for the check of data that flags publish. Internal. */
#ifndef SIMT_RACE_FLAGS_H
#define SIMT_RACE_FLAGS_H

#include "checks/races/race_report.h"

/* Notes that the block `reader_identity` has read the value of the record's strong write, at the code address
 * `reader`. */
void flags_note(const struct record *record, uint32_t reader_identity, uint32_t reader,
                enum race_fence fence);

/* The flag that was meant to publish `write`; its site is 0 if there is none. `is_now`: the write is the current
 * access. */
struct race_flag flags_of(const struct race_side *write, bool is_now);

#endif
