/* faults.h: reports of a spent budget and of crashes. Internal; core/fault.c detects them. */
#ifndef SIMT_FAULTS_H
#define SIMT_FAULTS_H

#include "core/judge.h"

/* Reports that the running kernel, or host code, is too slow or does not end. */
void faults_budget_is_spent(const void *site, const struct spent *spent);

/* Reports a signal in the running thread or host code. `address` is that of a segmentation fault. */
void faults_crash(const void *site, int signal, const void *address);

#endif
