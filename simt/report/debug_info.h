/* debug_info.h: the debug information of modules, read with libdw. Internal. */
#ifndef SIMT_DEBUG_INFO_H
#define SIMT_DEBUG_INFO_H

#include "core/module.h"

#include <elfutils/libdw.h>

/* Opened at the first call; null when the module has no debug information. */
Dwarf *debug_info_of(const struct module *module);

/* Writes the name of a function that has one. A kernel of simt/thrust/ gets that of the algorithm of Thrust or CUB. */
void debug_function_name(Dwarf_Die *function, char *name, size_t size);

#endif
