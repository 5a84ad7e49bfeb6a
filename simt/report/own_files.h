/* own_files.h: decides to whom a source file belongs. Internal. */
#ifndef SIMT_OWN_FILES_H
#define SIMT_OWN_FILES_H

#include <elfutils/libdw.h>

enum file_owner {
    FILE_OF_USER,
    FILE_OF_COURSE, /* of the device or the labs */
    FILE_OF_SYSTEM  /* a header of the compiler or of a library */
};

/* `path` is as in the unit's debug information: absolute, or relative to the folder in which the unit was compiled.
 * A file of the course is recognised by the folder in which the device was built, so that a user's folder may have
 * any name. The device's tests count as a user's files. */
enum file_owner file_owner(Dwarf_Die *unit, const char *path);

#endif
