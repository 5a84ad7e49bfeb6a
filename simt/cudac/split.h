/* split.h: splits declarations of several device variables. Internal to cudac. */
#ifndef CUDAC_SPLIT_H
#define CUDAC_SPLIT_H

#include "declare.h"

/* Token i is `__device__`, `__constant__` or `__managed__`. If it is the first of them in a plain declaration of
 * two or more variables, each variable gets a declaration of its own, because the room between variables
 * (simt_language.h) is added once for each declaration and not for each name. */
void split_declaration(const struct unit *unit, size_t i);

#endif
