/* race_flags.h: flags that were read, for messages and for data behind them. Internal. */
#ifndef SIMT_RACE_FLAGS_H
#define SIMT_RACE_FLAGS_H

#include "checks/races/race_report.h"

/* A block has read, at that place, what the strong write of the record left. */
void flags_note(const struct record *record, uint32_t reader_identity, uint32_t reader,
                enum race_fence fence);

/* The flag that should have handed on what `write` did; no site when there is none. `is_now`: the write is just made. */
struct race_flag flags_of(const struct race_side *write, bool is_now);

#endif
