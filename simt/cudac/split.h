/* split.h: declarations of several variables of the device. Internal to cudac. */
#ifndef CUDAC_SPLIT_H
#define CUDAC_SPLIT_H

#include "declare.h"

/* Token i is `__device__`, `__constant__` or `__managed__`. Where it is the first of them in a plain declaration of two
 * variables or more, each gets a declaration of its own: the room between variables (simt_language.h) stands before what is
 * declared, and not before each name of it. */
void split_declaration(const struct unit *unit, size_t i);

#endif
