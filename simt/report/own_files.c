#include "report/own_files.h"

#include <dwarf.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

static bool begins_with(const char *text, const char *beginning)
{
    return strncmp(text, beginning, strlen(beginning)) == 0;
}

bool is_own_file(Dwarf_Die *unit, const char *path)
{
    static const char folder[] = SIMT_FOLDER; /* the course's, with a slash: simt/module.mk */
    char absolute[PATH_MAX];
    Dwarf_Attribute attribute;

    if (path[0] != '/') {
        const char *compiled_in = dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &attribute));
        snprintf(absolute, sizeof absolute, "%s/%s", compiled_in ? compiled_in : "", path);
        path = absolute;
    }
    if (!begins_with(path, folder))
        return false;
    path += strlen(folder);
    return begins_with(path, "labs/") || (begins_with(path, "simt/") && !begins_with(path, "simt/tests/"));
}
