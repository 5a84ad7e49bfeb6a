#define _GNU_SOURCE
#include "report/allocations.h"
#include "core/module.h"
#include "report/debug_info.h"
#include "report/scopes.h"
#include "report/source_text.h"

#include <stdio.h>
#include <string.h>

enum { KEPT = 8 /* answers, because a race may be found a thousand times */ };

/* The type of a variable or member, without typedefs and qualifiers. */
static bool type_of(Dwarf_Die *of, Dwarf_Die *type)
{
    Dwarf_Attribute attribute;
    return dwarf_formref_die(dwarf_attr_integrate(of, DW_AT_type, &attribute), type) &&
           dwarf_peel_type(type, type) == 0;
}

/* Finds the variable, parameter or member with this name directly in a scope or struct. */
static bool find_named(Dwarf_Die *scope, const char *name, size_t length, Dwarf_Die *found)
{
    for (int more = dwarf_child(scope, found); more == 0; more = dwarf_siblingof(found, found)) {
        const char *own = dwarf_diename(found);
        const int tag = dwarf_tag(found);
        if ((tag == DW_TAG_variable || tag == DW_TAG_formal_parameter || tag == DW_TAG_member) && own &&
            strlen(own) == length && strncmp(own, name, length) == 0)
            return true;
    }
    return false;
}

/* The size of what `values`, `tiles.sums` or `tiles->sums` points to; 0 if unknown. */
static size_t pointed_to(const struct scopes *scopes, const char *name)
{
    size_t length = strcspn(name, ".-");
    Dwarf_Die variable, type, scope;
    Dwarf_Word bytes;
    bool found = false;
    for (int i = scopes->count - 1; i >= 0 && !found; i--) {
        scope = scopes->at[i];
        found = find_named(&scope, name, length, &variable);
    }
    while (found && name[length]) {
        name += length + (name[length] == '-' ? 2 : 1);
        length = strcspn(name, ".-");
        found = type_of(&variable, &type) &&
                (dwarf_tag(&type) != DW_TAG_pointer_type || type_of(&type, &type)) &&
                find_named(&type, name, length, &variable);
    }
    if (!found || !type_of(&variable, &type) || dwarf_tag(&type) != DW_TAG_pointer_type ||
        !type_of(&type, &type) || dwarf_aggregate_size(&type, &bytes) != 0)
        return 0;
    return bytes;
}

/* Does this function return a pointer? Then it allocates for others, for whom the name of its variable says nothing. */
static bool hands_on(struct scopes *scopes, const char *function)
{
    Dwarf_Die type;
    for (int i = scopes->count - 1; i >= 0; i--) {
        const int tag = dwarf_tag(&scopes->at[i]);
        const char *name = dwarf_diename(&scopes->at[i]);
        if ((tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine) && name &&
            strcmp(name, function) == 0)
            return type_of(&scopes->at[i], &type) && dwarf_tag(&type) == DW_TAG_pointer_type;
    }
    return false;
}

static void look_up(const void *site, struct allocation *found)
{
    const struct module *module = module_of_code(site);
    Dwarf *dwarf = module ? debug_info_of(module) : NULL;
    Dwarf_Addr address = module ? (uintptr_t)site - 1 - module->bias : 0;
    Dwarf_Die unit;
    struct scopes scopes;
    struct place place;
    if (!dwarf || !scopes_find_unit(dwarf, address, &unit))
        return;
    scopes_at(&unit, address, &scopes);
    scopes_place(&scopes, address, &place);
    if (!place.is_students || place.line <= 0 || !place.function || hands_on(&scopes, place.function) ||
        !source_text_allocated(site, place.file, (unsigned)place.line, found->name, sizeof found->name))
        return;
    found->element = pointed_to(&scopes, found->name);
    if (found->element == 0)
        found->name[0] = 0;
}

struct allocation allocation_at(const void *site)
{
    static struct {
        const void *site;
        struct allocation allocation;
    } kept[KEPT];
    static unsigned oldest;
    if (!site)
        return (struct allocation){.element = 0};
    for (unsigned i = 0; i < KEPT; i++) {
        if (kept[i].site == site)
            return kept[i].allocation;
    }
    const unsigned at = oldest++ % KEPT;
    kept[at].site = site;
    kept[at].allocation = (struct allocation){.element = 0};
    look_up(site, &kept[at].allocation);
    return kept[at].allocation;
}
