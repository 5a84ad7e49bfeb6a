/* race_flags.h: flags that were read, for messages and for data behind them. Internal. */
#ifndef SIMT_RACE_FLAGS_H
#define SIMT_RACE_FLAGS_H

#include "checks/races/race_report.h"

/* The block `reader_identity` has read, at the code address `reader`, what the strong write of the record left. */
void flags_note(const struct record *record, uint32_t reader_identity, uint32_t reader,
                enum race_fence fence);

/* The flag that was meant to publish `write`; no site when there is none. `is_now`: the write happens now. */
struct race_flag flags_of(const struct race_side *write, bool is_now);

#endif
