/* launches.h: launches that the device refuses, as the real runtime does, with the codes of CUDA 13 (12 and before said
 * invalid configuration, 9, for a wrong shape). Internal. */
#ifndef SIMT_LAUNCHES_H
#define SIMT_LAUNCHES_H

#include "core/launch.h"
#include "core/module.h"

/* 0, or the error with its finding reported. */
int launches_check(const struct launch_request *request, const struct module *module);

/* A kernel launches a kernel: reports it and returns the error. */
int launches_refuse_nested(const struct launch_request *request);

/* The blocks of the running kernel have more threads than its __launch_bounds__ allow: the same. */
int launches_refuse_bounds(unsigned threads);

#endif
