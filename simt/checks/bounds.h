/* bounds.h: accesses that are refused. Internal. */
#ifndef SIMT_BOUNDS_H
#define SIMT_BOUNDS_H

#include "core/observer.h"

/* A kernel's access that is not in its own shared or local memory: fills in access->space and region, or
 * reports a finding, ends the launch and does not return. */
void bounds_check_kernel(struct access *access);

/* Reports an address that is no multiple of the access's size, and ends the launch. */
_Noreturn void bounds_misaligned(const struct access *access);

/* Reports a kernel's write to an input. The kernel goes on. */
void bounds_input_written(const struct access *access);

/* Host code's access: ends the call when it touches device memory. */
/* A function's return address is not what it was when it was called. */
_Noreturn void bounds_return_changed(const void *site);

void bounds_check_host(const void *address, size_t bytes, unsigned kind, const void *site);

#endif
