/* device_api.h: helpers of the files that define include/simt_device_api.h. Internal. */
#ifndef SIMT_DEVICE_API_INTERNAL_H
#define SIMT_DEVICE_API_INTERNAL_H

#include "include/simt_device_api.h"

/* For operations that only a kernel has: nvcc refuses them in host code, and g++ cannot. Reports a use there
 * and ends the host code's call. */
void device_only(const char *what, const void *site);

#endif
