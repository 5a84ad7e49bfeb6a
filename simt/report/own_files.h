/* own_files.h: whose a source file is. Internal. */
#ifndef SIMT_OWN_FILES_H
#define SIMT_OWN_FILES_H

#include <elfutils/libdw.h>

enum file_owner {
    FILE_OF_USER,
    FILE_OF_COURSE, /* of the device or of the labs */
    FILE_OF_SYSTEM  /* a header of the compiler or of a library */
};

/* `path` is as the unit's debug information has it: absolute, or seen from the folder that the unit was compiled in. What is
 * the course's is decided by the folder that the device was built in, so that a user's folder may have any name. The device's
 * tests are a user's files. */
enum file_owner file_owner(Dwarf_Die *unit, const char *path);

#endif
