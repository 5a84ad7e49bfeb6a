/* debug_info.h: the debug information of modules, by libdw. Internal. */
#ifndef SIMT_DEBUG_INFO_H
#define SIMT_DEBUG_INFO_H

#include "core/module.h"

#include <elfutils/libdw.h>

/* Opened when it is first asked for; null when the module has none. */
Dwarf *debug_info_of(const struct module *module);

#endif
