/* cast.h: removes the casts to void * from kernels that are passed to the runtime's launch functions. Internal to
 * cudac. */
#ifndef CUDAC_CAST_H
#define CUDAC_CAST_H

#include "declare.h"

/* Whether token i is the name of a function that launches a kernel by its address. */
bool is_launch_function(const struct unit *unit, size_t i);

/* Token i names such a function. If it is called, removes a cast to void * from its first argument, because the
 * device needs the kernel's type. */
void drop_kernel_cast(const struct unit *unit, size_t i);

/* The same for the field `func` of a graph's kernel node, `params.func = (void *)kernel`, where token i is the `=`. The
 * field belongs to another struct perhaps, so the cast becomes one to a class that is both. */
void keep_kernel_type(const struct unit *unit, size_t i);

#endif
