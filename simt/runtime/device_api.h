/* device_api.h: helpers for the files that define include/simt_device_api.h. Internal. */
#ifndef SIMT_DEVICE_API_INTERNAL_H
#define SIMT_DEVICE_API_INTERNAL_H

#include "include/simt_device_api.h"

/* For operations that only kernels have. nvcc rejects them in host code, but g++ cannot. In host code this function
 * reports the use and ends the call. */
void device_only(const char *what, const void *site);

#endif
