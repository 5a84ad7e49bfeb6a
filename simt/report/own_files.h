/* own_files.h: which source files are the course's own. Internal. */
#ifndef SIMT_OWN_FILES_H
#define SIMT_OWN_FILES_H

#include <elfutils/libdw.h>
#include <stdbool.h>

/* Is it a file of the device or of the labs? That is decided by the folder that the device was built in, so that a user's
 * folder may have any name. `path` is as the unit's debug information has it: absolute, or seen from the folder that the
 * unit was compiled in. The device's tests are a user's files. */
bool is_own_file(Dwarf_Die *unit, const char *path);

#endif
