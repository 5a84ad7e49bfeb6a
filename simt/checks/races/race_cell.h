/* race_cell.h: which accesses a cell remembers: as few as will do to find each race that comes later. Internal. */
#ifndef SIMT_RACE_CELL_H
#define SIMT_RACE_CELL_H

#include "checks/races/race_report.h"
#include "checks/races/races.h"

/* A read or a strong access by the actor: takes it into the records of the cell. */
void race_cell_remember(const struct race_actor *actor, enum race_side_kind side, const struct access *access,
                        struct cell *cell);

#endif
