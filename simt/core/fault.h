/* fault.h: faults, which end a kernel or host code early. Internal. */
#ifndef SIMT_CORE_FAULT_H
#define SIMT_CORE_FAULT_H

#include "core/error.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Ends the current kernel or host code because of a fault that has already been reported. In a kernel, the launch
 * ends with `error`, which is sticky. In host code under simt_call, the call ends. Otherwise the process exits with
 * status 1. */
_Noreturn void fault_raise(int error);

/* Called when translated code divides an integer by zero on a machine that has no signal for it. */
void fault_divided_by_zero(const void *site);

/* These calls enclose the code whose work is counted and limited, a launch or a whole call: see budget.h. */
void fault_begin_budget(void);
void fault_end_budget(void);

/* Installs the handlers of crashes, which run on a stack of their own. Called by launches and simt_call; repeated
 * calls have no effect. */
void fault_install(void);

#endif
