/* race_cell.h: selects the accesses that a cell records: as few as are needed to find every later race. Internal. */
#ifndef SIMT_RACE_CELL_H
#define SIMT_RACE_CELL_H

#include "checks/races/race_report.h"
#include "checks/races/races.h"

/* Adds a read or a strong access by the actor to the records of the cell. */
void race_cell_remember(const struct race_actor *actor, enum race_side_kind side, const struct access *access,
                        struct cell *cell);

#endif
