/* race_explore.h: the race check's answers for explored launches: see struct judge. Internal. */
#ifndef SIMT_RACE_EXPLORE_H
#define SIMT_RACE_EXPLORE_H

#include "core/judge.h"

void race_moment(const struct thread *thread, const struct access *access, struct instant *instant);
bool race_is_before(const struct thread *thread, const struct access *access, const struct instant *then);
void race_keep_released(const struct access *access, struct released *held);
void race_set_released(const struct access *access, const struct released *held);

#endif
