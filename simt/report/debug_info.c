#include "report/debug_info.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>

Dwarf *debug_info_of(const struct module *module)
{
    static struct {
        char path[sizeof module->path];
        Dwarf *dwarf;
    } opened[8];
    const size_t slots = sizeof opened / sizeof *opened;
    for (size_t i = 0; i < slots; i++) {
        if (strcmp(opened[i].path, module->path) == 0)
            return opened[i].dwarf;
        if (opened[i].path[0])
            continue;
        int file = open(module->path, O_RDONLY | O_CLOEXEC);
        if (file < 0)
            return NULL;
        snprintf(opened[i].path, sizeof opened[i].path, "%s", module->path);
        opened[i].dwarf = dwarf_begin(file, DWARF_C_READ);
        return opened[i].dwarf;
    }
    return NULL;
}

void debug_function_name(Dwarf_Die *function, char *name, size_t size)
{
    const char *file = dwarf_decl_file(function), *own = dwarf_diename(function);
    const char *library = file ? strstr(file, "simt/thrust/simt_") : NULL;
    if (library)
        snprintf(name, size, "%s::%.*s", strstr(library, "_thrust.h") ? "thrust" : "cub",
                 (int)strcspn(own, "<"), own);
    else
        snprintf(name, size, "%s", own);
}
