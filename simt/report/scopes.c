#include "report/scopes.h"
#include "report/own_files.h"

#include <string.h>

Dwarf_Die *scopes_find_unit(Dwarf *dwarf, Dwarf_Addr address, Dwarf_Die *unit)
{
    if (dwarf_addrdie(dwarf, address, unit))
        return unit;
    /* Some compilers omit the index of addresses. */
    Dwarf_CU *cu = NULL;
    Dwarf_Half version;
    uint8_t unit_type;
    while (dwarf_get_units(dwarf, cu, &cu, &version, &unit_type, unit, NULL) == 0) {
        if (dwarf_haspc(unit, address) > 0)
            return unit;
    }
    return NULL;
}

/* Adds the scopes below `parent` that contain the address. With `everywhere`, it also descends into scopes that do
 * not contain it, such as namespaces. */
static bool descend(Dwarf_Die *parent, Dwarf_Addr address, bool everywhere, struct scopes *scopes)
{
    Dwarf_Die die;
    for (int more = dwarf_child(parent, &die); more == 0; more = dwarf_siblingof(&die, &die)) {
        if (dwarf_haspc(&die, address) > 0) {
            if (scopes->count < MAX_SCOPES)
                scopes->at[scopes->count++] = die;
            descend(&die, address, false, scopes);
            return true;
        }
        if (everywhere && descend(&die, address, true, scopes))
            return true;
    }
    return false;
}

/* dwarf_getscopes continues where an inlined function was written, not where it was called, and dwarf_getscopes_die
 * reads the whole unit. */
void scopes_at(Dwarf_Die *unit, Dwarf_Addr address, struct scopes *scopes)
{
    scopes->at[0] = *unit;
    scopes->count = 1;
    if (!descend(unit, address, false, scopes))
        descend(unit, address, true, scopes);
}

/* Is this a file that a student wrote, whose lines a finding should name? Headers may also belong to the system or
 * the course: a finding in code inlined from those names the line of the call. */
static bool is_students(Dwarf_Die *unit, const char *path)
{
    static const char *const headers[] = {".h",   ".cuh", ".hpp", ".hh",  ".hxx",
                                          ".inl", ".inc", ".ipp", ".tpp", ".impl"};
    const char *dot = path ? strrchr(path, '.') : NULL;
    if (!dot)
        return false;
    if (strcmp(dot, ".cu") == 0)
        return true;
    bool header = false;
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
        header = header || strcmp(dot, headers[i]) == 0;
    return header && file_owner(unit, path) == FILE_OF_USER;
}

static const char *file_of_call(Dwarf_Die *cu, Dwarf_Die *inlined, int *line)
{
    Dwarf_Attribute attribute;
    Dwarf_Word file_index, call_line;
    Dwarf_Files *files;
    size_t count;
    if (dwarf_formudata(dwarf_attr(inlined, DW_AT_call_file, &attribute), &file_index) != 0 ||
        dwarf_formudata(dwarf_attr(inlined, DW_AT_call_line, &attribute), &call_line) != 0 ||
        dwarf_getsrcfiles(cu, &files, &count) != 0)
        return NULL;
    *line = (int)call_line;
    return dwarf_filesrc(files, file_index, NULL, NULL);
}

void scopes_place(struct scopes *scopes, Dwarf_Addr address, struct place *place)
{
    Dwarf_Die *unit = &scopes->at[0];
    Dwarf_Line *row = dwarf_getsrc_die(unit, address);
    *place = (struct place){.file = row ? dwarf_linesrc(row, NULL, NULL) : NULL};
    if (row)
        dwarf_lineno(row, &place->line);
    for (int i = scopes->count - 1; i >= 0; i--) {
        const int tag = dwarf_tag(&scopes->at[i]);
        if (tag != DW_TAG_inlined_subroutine && tag != DW_TAG_subprogram)
            continue;
        if (is_students(unit, place->file) || tag == DW_TAG_subprogram) {
            place->function = dwarf_diename(&scopes->at[i]);
            break;
        }
        int call_line = 0;
        const char *call_file = file_of_call(unit, &scopes->at[i], &call_line);
        if (call_file) {
            place->file = call_file;
            place->line = call_line;
        }
    }
    place->is_students = is_students(unit, place->file);
}
