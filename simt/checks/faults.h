/* faults.h: a spent budget and crashes, in words. Internal; how they are caught is core/fault.c. */
#ifndef SIMT_FAULTS_H
#define SIMT_FAULTS_H

#include "core/judge.h"

/* Reports what is too slow or does not end: the running kernel, or host code. */
void faults_budget_is_spent(const void *site, const struct spent *spent);

/* Reports a signal of the running thread or host code; address: that of a segmentation fault. */
void faults_crash(const void *site, int signal, const void *address);

#endif
