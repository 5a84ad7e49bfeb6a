/* arch.h: translates #ifdef __CUDA_ARCH__ in functions for host and device. Internal to cudac. */
#ifndef CUDAC_ARCH_H
#define CUDAC_ARCH_H

#include "local.h"

/* Token i is an #if, #ifdef or #ifndef. If it asks whether code is compiled for the device, in the body of a function
 * that may run on both, this becomes a question at run time. */
void choose_by_device(const struct unit *unit, struct local_walk *walk, size_t i);

#endif
