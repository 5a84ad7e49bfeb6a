/* bounds.h: accesses that are refused. Internal. */
#ifndef SIMT_BOUNDS_H
#define SIMT_BOUNDS_H

#include "core/observer.h"

/* Checks a kernel's access that is not in its own shared or local memory. Fills in access->space and region, or
 * reports a finding, ends the launch and does not return. */
void bounds_check_kernel(struct access *access);

/* Reports an address that is not a multiple of the access's size, and ends the launch. */
_Noreturn void bounds_misaligned(const struct access *access);

/* Reports a kernel's write to an input. The kernel continues. */
void bounds_input_written(const struct access *access);

/* Reports that a function's return address has changed since the call, and ends the launch or call. */
_Noreturn void bounds_return_changed(const void *site);

/* Checks an access of host code. Ends the call if it is not allowed. */
void bounds_check_host(const void *address, size_t bytes, unsigned kind, const void *site);

#endif
