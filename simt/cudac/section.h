/* section.h: marks variables of the device with the section of their memory space. Internal to cudac. */
#ifndef CUDAC_SECTION_H
#define CUDAC_SECTION_H

#include "local.h"

/* Token i is the __device__, __constant__ or __managed__ of a variable. */
void mark_variable(const struct unit *unit, const struct local_walk *walk, size_t i);

/* Token i is `static`. Marks the variable that it declares in a function of the device without a memory space. */
void mark_static(const struct unit *unit, const struct local_walk *walk, size_t i);

#endif
