/* launches.h: launches that the device refuses, as the real runtime does, with the codes of CUDA 13 (until CUDA 12,
 * a wrong shape was invalid configuration, 9). Internal. */
#ifndef SIMT_LAUNCHES_H
#define SIMT_LAUNCHES_H

#include "core/launch.h"
#include "core/module.h"

/* Returns 0, or reports a finding and returns the error. */
int launches_check(const struct launch_request *request, const struct module *module);

/* Reports that a kernel launches a kernel, and returns the error. */
int launches_refuse_nested(const struct launch_request *request);

/* Reports that the blocks of the running kernel have more threads than its __launch_bounds__ allow, and returns the
 * error. */
int launches_refuse_bounds(unsigned threads);

#endif
