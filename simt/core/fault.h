/* fault.h: what ends a kernel or host code before its time. Internal. */
#ifndef SIMT_CORE_FAULT_H
#define SIMT_CORE_FAULT_H

#include "core/error.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A fault in the current kernel or host code, already reported. In a kernel: the launch ends with `error`,
 * which sticks. In host code under simt_call: the call ends. Else the process exits with status 1. */
_Noreturn void fault_raise(int error);

/* Translated code divided an integer by zero, on a machine that has no signal for it. */
void fault_divided_by_zero(const void *site);

/* What a launch, or a call with all its launches, may execute is counted from here to there: see budget.h. */
void fault_begin_budget(void);
void fault_end_budget(void);

/* Installs the handlers of crashes, which have a stack of their own. Called by launches and simt_call; repeated calls do
 * nothing. */
void fault_install(void);

#endif
