/* numbers.c: see numbers.h.
 *
 * A hook receives only the length of an access, and the compiled code is the same for an int and for a struct of
 * four chars. So the types that the source file uses decide: no struct may have members that are shorter than the
 * access. Types that the C library and the device's headers declare for host code do not count, nor do the tuples
 * that carry a launch's arguments. */
#include "report/numbers.h"
#include "core/module.h"
#include "report/debug_info.h"
#include "report/own_files.h"

#include <dwarf.h>
#include <string.h>

enum { KNOWN = 64, DEEPEST = 8 /* nested structs */ };

/* The properties of a struct's members. */
struct members {
    size_t shortest, longest; /* bytes, of members that are numbers */
    bool bits;                /* it has bit-fields */
};

static void add_members(Dwarf_Die *record, struct members *members, int depth);

static void add_member(Dwarf_Die *member, struct members *members, int depth)
{
    Dwarf_Die type;
    Dwarf_Attribute attribute;
    Dwarf_Word bytes;
    members->bits = members->bits || dwarf_hasattr(member, DW_AT_bit_size);
    bool known = dwarf_formref_die(dwarf_attr_integrate(member, DW_AT_type, &attribute), &type) &&
                 dwarf_peel_type(&type, &type) == 0;
    while (known && dwarf_tag(&type) == DW_TAG_array_type)
        known = dwarf_formref_die(dwarf_attr_integrate(&type, DW_AT_type, &attribute), &type) &&
                dwarf_peel_type(&type, &type) == 0;
    const int tag = known ? dwarf_tag(&type) : DW_TAG_invalid;
    if (tag == DW_TAG_structure_type || tag == DW_TAG_class_type || tag == DW_TAG_union_type) {
        add_members(&type, members, depth + 1);
        return;
    }
    if (!known || dwarf_aggregate_size(&type, &bytes) != 0)
        bytes = 1; /* unknown, so it may be one byte */
    members->shortest = bytes < members->shortest ? bytes : members->shortest;
    members->longest = bytes > members->longest ? bytes : members->longest;
}

static void add_members(Dwarf_Die *record, struct members *members, int depth)
{
    Dwarf_Die child;
    if (depth > DEEPEST) {
        members->shortest = 1;
        return;
    }
    for (int more = dwarf_child(record, &child); more == 0; more = dwarf_siblingof(&child, &child)) {
        if (dwarf_tag(&child) == DW_TAG_member || dwarf_tag(&child) == DW_TAG_inheritance)
            add_member(&child, members, depth);
    }
}

/* Is this a struct that only host code uses: one for launches, of the language or the C library, or the tuple that
 * carries a launch's arguments? Other structs of C++ headers may be used in a kernel. */
static bool is_of_host(Dwarf_Die *record)
{
    Dwarf_Die unit;
    const char *file = dwarf_decl_file(record);
    if (!file || !dwarf_diecu(record, &unit, NULL, NULL))
        return false;
    const char *slash = strrchr(file, '/'), *name = slash ? slash + 1 : file;
    switch (file_owner(&unit, file)) {
    case FILE_OF_COURSE:
        return strncmp(name, "simt_la", strlen("simt_la")) == 0 ||
               strncmp(name, "driver_types", strlen("driver_types")) == 0;
    case FILE_OF_SYSTEM:
        return !strstr(file, "/c++/") || strcmp(name, "tuple") == 0;
    case FILE_OF_USER:
        break;
    }
    return false;
}

static bool may_be_members(Dwarf_Die *record, size_t bytes, bool declared)
{
    struct members members = {.shortest = bytes};
    if (dwarf_hasattr(record, DW_AT_declaration) || is_of_host(record))
        return false;
    add_members(record, &members, 0);
    if (members.bits)
        return true;
    return members.shortest < bytes &&
           (bytes < 8 || declared || members.longest >= bytes || dwarf_hasattr(record, DW_AT_alignment));
}

/* Could any struct in this part of the source consist of members that are accessed together? */
static bool any_may_be(Dwarf_Die *parent, size_t bytes, bool declared)
{
    Dwarf_Die die;
    for (int more = dwarf_child(parent, &die); more == 0; more = dwarf_siblingof(&die, &die)) {
        switch (dwarf_tag(&die)) {
        case DW_TAG_structure_type:
        case DW_TAG_class_type:
        case DW_TAG_union_type:
            if (may_be_members(&die, bytes, declared) || any_may_be(&die, bytes, declared))
                return true;
            break;
        case DW_TAG_namespace:
        case DW_TAG_subprogram:
        case DW_TAG_lexical_block:
            if (any_may_be(&die, bytes, declared))
                return true;
            break;
        default:
            break;
        }
    }
    return false;
}

static bool look(const void *site, size_t bytes, bool declared)
{
    const struct module *module = module_of_code(site);
    Dwarf *dwarf = module ? debug_info_of(module) : NULL;
    Dwarf_Die unit;
    return dwarf && dwarf_addrdie(dwarf, (Dwarf_Addr)((uintptr_t)site - 1 - module->bias), &unit) &&
           !any_may_be(&unit, bytes, declared);
}

bool numbers_only(const void *site, size_t bytes, bool declared)
{
    static struct {
        const void *site;
        size_t bytes;
        bool declared, verdict;
    } known[KNOWN], *entry;
    entry = &known[(uintptr_t)site / 4 % KNOWN];
    if (entry->site != site || entry->bytes != bytes || entry->declared != declared) {
        entry->site = site;
        entry->bytes = bytes;
        entry->declared = declared;
        entry->verdict = look(site, bytes, declared);
    }
    return entry->verdict;
}
