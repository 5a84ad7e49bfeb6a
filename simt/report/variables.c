#define _GNU_SOURCE
#include "report/variables.h"
#include "report/debug_info.h"
#include "report/own_files.h"

#include <dwarf.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- types ----------------------------------------------------------------------------------------------- */

/* The type of a variable or array without typedefs and qualifiers. */
static bool plain_type(Dwarf_Die *of, Dwarf_Die *type)
{
    Dwarf_Attribute attribute;
    return dwarf_formref_die(dwarf_attr_integrate(of, DW_AT_type, &attribute), type) &&
           dwarf_peel_type(type, type) == 0;
}

static size_t count_of(Dwarf_Die *subrange)
{
    Dwarf_Attribute attribute;
    Dwarf_Word value;
    if (dwarf_formudata(dwarf_attr(subrange, DW_AT_count, &attribute), &value) == 0)
        return value;
    if (dwarf_formudata(dwarf_attr(subrange, DW_AT_upper_bound, &attribute), &value) == 0)
        return value + 1;
    return 0;
}

/* The kind of an element: see struct variable. */
static char kind_of(Dwarf_Die *type)
{
    Dwarf_Attribute attribute;
    Dwarf_Word encoding;
    if (dwarf_tag(type) != DW_TAG_base_type ||
        dwarf_formudata(dwarf_attr(type, DW_AT_encoding, &attribute), &encoding) != 0)
        return dwarf_tag(type) == DW_TAG_pointer_type ? 'u' : 's';
    if (encoding == DW_ATE_float)
        return 'f';
    return encoding == DW_ATE_signed || encoding == DW_ATE_signed_char ? 'i' : 'u';
}

/* Fills in the variable's shape. Returns false when its size is unknown. */
static bool shape(Dwarf_Die *die, struct variable *variable)
{
    Dwarf_Die type;
    Dwarf_Word bytes;
    if (!plain_type(die, &type))
        return false;
    variable->dimensions = 0;
    size_t elements = 1;
    while (dwarf_tag(&type) == DW_TAG_array_type) {
        Dwarf_Die child, element;
        for (int more = dwarf_child(&type, &child); more == 0; more = dwarf_siblingof(&child, &child)) {
            if (dwarf_tag(&child) == DW_TAG_subrange_type && variable->dimensions < MAX_DIMENSIONS) {
                variable->extent[variable->dimensions] = count_of(&child);
                elements *= variable->extent[variable->dimensions++];
            }
        }
        if (!plain_type(&type, &element))
            return false;
        type = element;
    }
    if (dwarf_aggregate_size(&type, &bytes) != 0)
        return false;
    variable->element_size = bytes;
    variable->kind = kind_of(&type);
    variable->bytes = bytes * elements;
    return true;
}

/* ---- the addresses of variables ------------------------------------------------------------------------------ */

/* Is the variable at a fixed address or at a fixed offset in the thread-local block? */
static bool location(Dwarf_Die *die, bool *thread_local_, Dwarf_Word *at)
{
    Dwarf_Attribute attribute;
    Dwarf_Op *operations;
    size_t count;
    if (dwarf_getlocation(dwarf_attr(die, DW_AT_location, &attribute), &operations, &count) != 0 ||
        count == 0)
        return false;
    *at = operations[0].number;
    if (count == 1 && operations[0].atom == DW_OP_addr) {
        *thread_local_ = false;
        return true;
    }
    if (count == 2 &&
        (operations[1].atom == DW_OP_GNU_push_tls_address || operations[1].atom == DW_OP_form_tls_address)) {
        *thread_local_ = true;
        return true;
    }
    return false;
}

/* On arm64 g++ gives no location for thread-local variables. This finds the symbol that contains an offset in the
 * thread-local block. */
struct symbol {
    const char *name; /* mangled; null when there is none */
    size_t begin, bytes;
};

static struct symbol symbol_at(Dwarf *dwarf, size_t offset)
{
    Elf *elf = dwarf_getelf(dwarf);
    for (Elf_Scn *section = NULL; elf && (section = elf_nextscn(elf, section)) != NULL;) {
        GElf_Shdr header;
        Elf_Data *data;
        if (!gelf_getshdr(section, &header) || header.sh_type != SHT_SYMTAB || header.sh_entsize == 0 ||
            !(data = elf_getdata(section, NULL)))
            continue;
        GElf_Sym symbol;
        for (int i = 0; gelf_getsym(data, i, &symbol); i++) {
            if (GELF_ST_TYPE(symbol.st_info) == STT_TLS && offset - symbol.st_value < symbol.st_size)
                return (struct symbol){elf_strptr(elf, header.sh_link, symbol.st_name), symbol.st_value,
                                       symbol.st_size};
        }
    }
    return (struct symbol){0};
}

/* Is this the symbol of this variable of this function? `s` at namespace scope may be s, _Z1s or _ZL1s. In f(int)
 * it is _ZZ1fiE1s, and _ZZ1fiE1s_0 if it is the second one. In a C function the symbol is mangled, too. */
static bool is_symbol(const struct symbol *symbol, Dwarf_Die *die, size_t bytes, const char *function)
{
    const char *name = dwarf_diename(die), *at = symbol->name;
    char mangled[512];
    if (!at || !name || bytes != symbol->bytes || (strncmp(at, "_ZZ", 3) == 0) != (function != NULL))
        return false;
    if (function) {
        const bool of_c = strncmp(function, "_Z", 2) != 0;
        const int length = of_c ? snprintf(mangled, sizeof mangled, "%zu%s", strlen(function), function)
                                : snprintf(mangled, sizeof mangled, "%s", function + 2);
        if (strncmp(at + 3, mangled, (size_t)length) != 0)
            return false;
        at += 3 + length;
    }
    const int length = snprintf(mangled, sizeof mangled, "%zu%s", strlen(name), name);
    const char *found = strstr(at, mangled);
    return strcmp(at, name) == 0 || (found && (found[length] == 0 || found[length] == '_'));
}

struct search {
    const struct module *module;
    const char *address;
    struct variable *found;
    struct symbol symbol; /* symbol of the thread-local variable at the address */
};

/* A function's mangled name, or the plain name of a C function. */
static const char *linkage_name(Dwarf_Die *function)
{
    Dwarf_Attribute attribute;
    const char *name = dwarf_formstring(dwarf_attr_integrate(function, DW_AT_linkage_name, &attribute));
    return name ? name : dwarf_diename(function);
}

/* `function` is the name of the function that contains `parent`. */
static bool search_tree(Dwarf_Die *parent, const struct search *search, const char *function)
{
    Dwarf_Die die;
    for (int more = dwarf_child(parent, &die); more == 0; more = dwarf_siblingof(&die, &die)) {
        switch (dwarf_tag(&die)) {
        case DW_TAG_variable: {
            bool local;
            Dwarf_Word at;
            struct variable variable = {0};
            if (!shape(&die, &variable))
                break;
            if (!location(&die, &local, &at)) {
                if (!is_symbol(&search->symbol, &die, variable.bytes, function))
                    break;
                local = true;
                at = search->symbol.begin;
            }
            const char *begin =
                local ? search->module->shared.begin + at : (char *)(search->module->bias + at);
            if ((uintptr_t)search->address - (uintptr_t)begin >= variable.bytes)
                break;
            variable.name = dwarf_diename(&die);
            variable.offset = (size_t)(search->address - begin);
            if (!variable.name || strcmp(variable.name, "simt_tls_anchor") == 0) /* see simt_launch.h */
                break;
            *search->found = variable;
            return true;
        }
        case DW_TAG_subprogram:
        case DW_TAG_inlined_subroutine:
            if (search_tree(&die, search, linkage_name(&die)))
                return true;
            break;
        case DW_TAG_lexical_block:
        case DW_TAG_namespace:
            if (search_tree(&die, search, function))
                return true;
            break;
        default:
            break;
        }
    }
    return false;
}

/* Is this one of the course's own sources, such as the device's, which are part of the program? Findings do not
 * name their variables. */
static bool is_of_library(Dwarf_Die *unit)
{
    const char *name = dwarf_diename(unit);
    return name && file_owner(unit, name) == FILE_OF_COURSE;
}

bool variables_find(const struct module *module, const void *address, struct variable *variable)
{
    Dwarf *dwarf = debug_info_of(module);
    Dwarf_CU *cu = NULL;
    Dwarf_Half version;
    uint8_t unit_type;
    Dwarf_Die unit;
    struct search search = {.module = module, .address = address, .found = variable};
    if (dwarf && range_holds(module->shared, address))
        search.symbol = symbol_at(dwarf, (size_t)((const char *)address - module->shared.begin));
    while (dwarf && dwarf_get_units(dwarf, cu, &cu, &version, &unit_type, &unit, NULL) == 0) {
        if (!is_of_library(&unit) && search_tree(&unit, &search, NULL))
            return true;
    }
    return false;
}

/* ---- by type ------------------------------------------------------------------------------------------------- */

/* Does the type look like "elem_t [512]" or "float [16][17]"? Only the dimensions are compared, because the
 * element's name may be a typedef's. */
static bool reads_like(Dwarf_Die *die, const char *wanted)
{
    struct variable variable = {0};
    Dwarf_Die array, element;
    Dwarf_Attribute attribute;
    char text[256];
    if (!shape(die, &variable) || variable.dimensions == 0 || !plain_type(die, &array) ||
        !dwarf_formref_die(dwarf_attr_integrate(&array, DW_AT_type, &attribute), &element))
        return false;
    const char *bracket = strchr(wanted, '[');
    if (!bracket)
        return false;
    /* The subject may be an inner dimension, so only the trailing ones are compared. */
    for (int first = 0; first < variable.dimensions; first++) {
        int used = 0;
        text[0] = 0;
        for (int i = first; i < variable.dimensions; i++)
            used += snprintf(text + used, sizeof text - (size_t)used, "[%zu]", variable.extent[i]);
        if (strcmp(text, bracket) == 0)
            return true;
    }
    return false;
}

int variables_with_type(Dwarf_Die *scope, const char *type, char *name, size_t size)
{
    Dwarf_Die die;
    int found = 0;
    for (int more = dwarf_child(scope, &die); more == 0; more = dwarf_siblingof(&die, &die)) {
        if (dwarf_tag(&die) == DW_TAG_variable && dwarf_diename(&die) && reads_like(&die, type)) {
            if (found++ == 0)
                snprintf(name, size, "%s", dwarf_diename(&die));
        }
    }
    return found;
}
