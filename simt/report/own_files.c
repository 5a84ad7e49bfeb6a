#include "report/own_files.h"

#include <dwarf.h>
#include <fnmatch.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

static bool begins_with(const char *text, const char *beginning)
{
    return strncmp(text, beginning, strlen(beginning)) == 0;
}

enum file_owner file_owner(Dwarf_Die *unit, const char *path)
{
    static const char folder[] = SIMT_FOLDER; /* the course's, with a slash: see simt/module.mk */
    static const char *const system[] = {"/usr/include/", "/usr/local/include/", "/usr/lib/"};
    static const char other_machine[] = "/usr/*-linux-*/include/*";       /* of a cross compiler */
    static const char *const compiler[] = {"/include/c++/", "/lib/gcc/"}; /* wherever it is installed */
    char absolute[PATH_MAX];
    Dwarf_Attribute attribute;

    if (path[0] != '/') {
        const char *compiled_in = dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &attribute));
        snprintf(absolute, sizeof absolute, "%s/%s", compiled_in ? compiled_in : "", path);
        path = absolute;
    }
    if (begins_with(path, folder)) {
        path += strlen(folder);
        if (begins_with(path, "labs/") || begins_with(path, "build/cccl/") ||
            (begins_with(path, "simt/") && !begins_with(path, "simt/tests/")))
            return FILE_OF_COURSE;
        return FILE_OF_USER;
    }
    for (size_t i = 0; i < sizeof system / sizeof *system; i++) {
        if (begins_with(path, system[i]))
            return FILE_OF_SYSTEM;
    }
    if (fnmatch(other_machine, path, 0) == 0)
        return FILE_OF_SYSTEM;
    for (size_t i = 0; i < sizeof compiler / sizeof *compiler; i++) {
        if (strstr(path, compiler[i]))
            return FILE_OF_SYSTEM;
    }
    return FILE_OF_USER;
}
