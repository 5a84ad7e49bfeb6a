/* debug_info.h: the debug information of modules, read with libdw. Internal. */
#ifndef SIMT_DEBUG_INFO_H
#define SIMT_DEBUG_INFO_H

#include "core/module.h"

#include <elfutils/libdw.h>

/* Opened at the first call; null when the module has no debug information. */
Dwarf *debug_info_of(const struct module *module);

#endif
