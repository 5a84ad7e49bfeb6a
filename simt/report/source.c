/* Maps addresses to source locations by libdw. A module's tables are read when its first finding needs them. */
#define _GNU_SOURCE
#include "report/source.h"
#include "core/locals.h"
#include "core/memory.h"
#include "core/module.h"
#include "core/shared.h"
#include "core/stacks.h"
#include "core/thread.h"
#include "report/debug_info.h"
#include "report/allocations.h"
#include "report/own_files.h"
#include "report/scopes.h"
#include "report/source_text.h"
#include "report/variables.h"
#include "simt.h"

#include <elfutils/libdw.h>
#include <dwarf.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    LOCATION_SETS = 61, /* sets of the cache of source_location */
    LOCATION_WAYS = 4   /* locations in each set */
};

/* ---- locations -------------------------------------------------------------------------------------------- */

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static void strip_parameters(char *name)
{
    /* The last top-level parenthesis opens the parameters; template arguments may contain some, too. */
    int depth = 0;
    for (char *c = name; *c; c++) {
        if (*c == '<')
            depth++;
        else if (*c == '>')
            depth--;
        else if (*c == '(' && !depth && c > name && c[1] != ')' && strncmp(c, "(anonymous", 10) != 0) {
            *c = 0;
            return;
        }
    }
}

/* A location, and whether its file is a student's, which the name alone does not show. */
struct spot {
    struct simt_location location;
    const char *path; /* of the file; null if unknown */
    bool students;
    int statement; /* column at which its statement begins; 0 when that is on another line or unknown */
};

/* g++ marks the rows of its line table at which statements begin; the calls and accesses of a statement follow its
 * row. Rows of other files are inlined code. */
static int find_statement(Dwarf_Die *unit, Dwarf_Addr address, const char *file, int line)
{
    Dwarf_Lines *rows;
    size_t count, low = 0, high;
    if (!file || dwarf_getsrclines(unit, &rows, &count) != 0)
        return 0;
    for (high = count; low < high;) { /* afterwards the rows up to the address are those before `low` */
        const size_t middle = low + (high - low) / 2;
        Dwarf_Addr at;
        if (dwarf_lineaddr(dwarf_onesrcline(rows, middle), &at) == 0 && at <= address)
            low = middle + 1;
        else
            high = middle;
    }
    while (low-- > 0) {
        Dwarf_Line *row = dwarf_onesrcline(rows, low);
        const char *of = dwarf_linesrc(row, NULL, NULL);
        bool begins, ends;
        int row_line, column;
        if (dwarf_lineendsequence(row, &ends) != 0 || ends)
            return 0;
        if (dwarf_linebeginstatement(row, &begins) == 0 && begins && of && strcmp(of, file) == 0)
            return dwarf_lineno(row, &row_line) == 0 && row_line == line && dwarf_linecol(row, &column) == 0
                       ? column
                       : 0;
    }
    return 0;
}

static void find_location(const void *site, struct spot *spot)
{
    struct simt_location *location = &spot->location;
    const struct module *module = module_of_code(site);
    Dwarf *dwarf = module ? debug_info_of(module) : NULL;
    if (!dwarf)
        return;
    Dwarf_Addr address = (uintptr_t)site - 1 - module->bias;
    Dwarf_Die unit;
    if (!scopes_find_unit(dwarf, address, &unit))
        return;
    struct scopes scopes;
    struct place place;
    scopes_at(&unit, address, &scopes);
    scopes_place(&scopes, address, &place);
    if (place.file)
        snprintf(location->file, sizeof location->file, "%s", base_name(place.file));
    location->line = place.line;
    spot->path = place.file;
    spot->students = place.is_students;
    spot->statement = find_statement(&unit, address, place.file, place.line);
    if (place.function) {
        snprintf(location->function, sizeof location->function, "%s", place.function);
        strip_parameters(location->function);
    }
}

static void find_function(const void *address, char *name, size_t size)
{
    Dl_info info;
    const struct module *module = module_of_code(address);
    Dwarf *dwarf = module ? debug_info_of(module) : NULL;
    Dwarf_Die unit;
    struct scopes scopes;
    Dwarf_Addr at = module ? (uintptr_t)address - module->bias : 0;
    if (dwarf && scopes_find_unit(dwarf, at, &unit)) {
        scopes_at(&unit, at, &scopes);
        for (int i = 0; i < scopes.count; i++) {
            if (dwarf_tag(&scopes.at[i]) == DW_TAG_subprogram && dwarf_diename(&scopes.at[i])) {
                debug_function_name(&scopes.at[i], name, size);
                break;
            }
        }
    } else if (dladdr(address, &info) && info.dli_sname) {
        snprintf(name, size, "%s", info.dli_sname);
    }
    strip_parameters(name);
}

/* ---- variables ------------------------------------------------------------------------------------------- */

static void set_element(struct simt_variable *variable, int64_t index, uint64_t length, size_t element)
{
    variable->is_element = true;
    variable->index = index;
    variable->length = length;
    variable->element = (uint32_t)element;
}

/* An array of the harness has a name and a type. An allocation of the program has those of the pointer that its line
 * sets. */
static struct allocation describe(const struct region *region)
{
    struct allocation found = {.element = 0};
    if (!region->name)
        return allocation_at(region->alloc_site);
    snprintf(found.name, sizeof found.name, "%s", region->name);
    found.element = region->element_size;
    return found;
}

static void region_variable(const struct region *region, const char *address, struct simt_variable *out)
{
    const struct allocation is = describe(region);
    const ptrdiff_t offset = address - region->array, element = (ptrdiff_t)is.element;
    out->memory = SIMT_IN_ALLOCATION;
    if (is.name[0] && element && region->array_bytes % is.element == 0) {
        snprintf(out->name, sizeof out->name, "%s", is.name);
        set_element(out, offset < 0 ? (offset + 1) / element - 1 : offset / element,
                    region->array_bytes / is.element, is.element);
    } else {
        set_element(out, offset, region->bytes, 0);
    }
}

static enum simt_memory memory_of(enum memory_space space)
{
    return space == MEMORY_SHARED     ? SIMT_IN_SHARED
           : space == MEMORY_CONSTANT ? SIMT_IN_CONSTANT
           : space == MEMORY_VARIABLE ? SIMT_IN_DEVICE
                                      : SIMT_IN_OTHER;
}

static void find_variable(const void *address, struct simt_variable *out)
{
    struct region *region;
    enum memory_space space = memory_classify(address, &region);
    if (region) {
        region_variable(memory_nearest(address), address, out);
        return;
    }
    const struct simt_local_memory *local =
        space == MEMORY_LOCAL && current_thread ? locals_find(address) : NULL;
    if (local) {
        out->memory = SIMT_IN_LOCAL;
        snprintf(out->name, sizeof out->name, "%s", local->name);
        set_element(out, ((const char *)address - local->begin) / (ptrdiff_t)local->element_size,
                    local->bytes / local->element_size, local->element_size);
        return;
    }
    const long dynamic = shared_dynamic_distance(address);
    if (dynamic >= 0) {
        *out = source_dynamic_shared(dynamic);
        return;
    }
    const struct module *module = module_of_data(address);
    struct variable variable;
    if (!module || !variables_find(module, address, &variable))
        return;
    const size_t element = variable.element_size ? variable.element_size : 1;
    out->memory = memory_of(space);
    snprintf(out->name, sizeof out->name, "%s", variable.name);
    if (variable.dimensions > 0)
        set_element(out, (int64_t)(variable.offset / element), variable.bytes / element, element);
    out->dimensions = (uint32_t)variable.dimensions;
    for (int i = 0; i < variable.dimensions; i++)
        out->extent[i] = variable.extent[i];
}

struct simt_variable source_dynamic_shared(long offset)
{
    struct simt_variable variable = {.memory = SIMT_IN_DYNAMIC_SHARED, .name = "dynamic shared memory"};
    set_element(&variable, offset, current_launch ? current_launch->dynamic_bytes : 0, 0);
    return variable;
}

static void find_extent(const void *address, struct source_extent *extent)
{
    struct region *region;
    enum memory_space space = memory_classify(address, &region);
    const struct simt_local_memory *local =
        space == MEMORY_LOCAL && current_thread ? locals_find(address) : NULL;
    if (local) {
        *extent = (struct source_extent){
            .begin = local->begin, .bytes = local->bytes, .element = local->element_size, .dimensions = 1};
        snprintf(extent->name, sizeof extent->name, "%s", local->name);
        return;
    }
    if (region) {
        const struct allocation is = describe(region);
        const bool fits = is.element > 0 && region->array_bytes % is.element == 0;
        *extent = (struct source_extent){.begin = region->array,
                                         .bytes = region->array_bytes,
                                         .element = fits ? is.element : 1,
                                         .dimensions = 1};
        snprintf(extent->name, sizeof extent->name, "%.63s", fits ? is.name : "the allocation");
        return;
    }
    if (shared_dynamic_distance(address) >= 0) {
        *extent = (struct source_extent){.begin = shared_dynamic_base(),
                                         .bytes = current_launch ? current_launch->dynamic_bytes : 0,
                                         .element = 1,
                                         .dimensions = 1,
                                         .name = "dynamic shared memory"};
        return;
    }
    const struct module *module = module_of_data(address);
    struct variable variable;
    if (!module || !variables_find(module, address, &variable))
        return;
    *extent = (struct source_extent){.begin = (const char *)address - variable.offset,
                                     .bytes = variable.bytes,
                                     .element = variable.element_size ? variable.element_size : 1,
                                     .dimensions = variable.dimensions,
                                     .kind = variable.kind};
    memcpy(extent->extent, variable.extent, sizeof extent->extent);
    snprintf(extent->name, sizeof extent->name, "%s", variable.name);
}

static void find_array(const void *site, const char *type, char *name, size_t size)
{
    const struct module *module = module_of_code(site);
    Dwarf *dwarf = module ? debug_info_of(module) : NULL;
    Dwarf_Addr address = module ? (uintptr_t)site - 1 - module->bias : 0;
    Dwarf_Die unit;
    struct scopes scopes;
    if (!dwarf || !scopes_find_unit(dwarf, address, &unit))
        return;
    scopes_at(&unit, address, &scopes);
    for (int i = scopes.count - 1; i >= 0; i--) {
        if (variables_with_type(&scopes.at[i], type, name, size) > 1) {
            name[0] = 0;
            break;
        }
        if (name[0])
            break;
    }
}

/* ---- on a large stack, because libdw needs more stack than a thread has -------------------------------------- */

struct question {
    enum { LOCATION, FUNCTION, VARIABLE, EXTENT, ARRAY } kind;
    const void *address;
    const char *type;
    struct spot *spot;
    struct source_extent *extent;
    struct simt_variable *variable;
    char *name;
    size_t size;
};

static void answer(void *argument)
{
    struct question *question = argument;
    switch (question->kind) {
    case LOCATION:
        find_location(question->address, question->spot);
        break;
    case FUNCTION:
        find_function(question->address, question->name, question->size);
        break;
    case VARIABLE:
        find_variable(question->address, question->variable);
        break;
    case EXTENT:
        find_extent(question->address, question->extent);
        break;
    case ARRAY:
        find_array(question->address, question->type, question->name, question->size);
        break;
    }
}

/* A lookup walks through the debug information, and a kernel that breaks the same rule a thousand times asks a
 * thousand times. So the results are cached. */
static const struct spot *spot_of(const void *site)
{
    static struct {
        const void *site[LOCATION_WAYS];
        struct spot spot[LOCATION_WAYS];
        unsigned oldest;
    } sets[LOCATION_SETS];
    const size_t set = (uintptr_t)site % LOCATION_SETS;
    size_t way = 0;
    while (way < LOCATION_WAYS && (!sets[set].site[way] || sets[set].site[way] != site))
        way++;
    if (way == LOCATION_WAYS) {
        way = sets[set].oldest++ % LOCATION_WAYS;
        memset(&sets[set].spot[way], 0, sizeof sets[set].spot[way]);
        stacks_call_on_large(
            answer, &(struct question){.kind = LOCATION, .address = site, .spot = &sets[set].spot[way]});
        sets[set].site[way] = site;
    }
    return &sets[set].spot[way];
}

void source_location(const void *site, struct simt_location *location)
{
    *location = spot_of(site)->location;
}

bool source_same_line(const void *a, const void *b)
{
    struct simt_location one, two;
    if (!a || !b || a == b)
        return a == b;
    source_location(a, &one);
    source_location(b, &two);
    return one.line > 0 && one.line == two.line && strcmp(one.file, two.file) == 0;
}

bool source_same_statement(const void *a, const void *b)
{
    return source_same_line(a, b) && spot_of(a)->statement == spot_of(b)->statement;
}

bool source_changes(const void *site, const char *variable)
{
    const struct spot *spot = site ? spot_of(site) : NULL;
    return spot && spot->path && spot->location.line > 0 &&
           source_text_changes(site, spot->path, (unsigned)spot->location.line, variable);
}

bool source_mentions(const void *site, const char *variable)
{
    const struct spot *spot = site ? spot_of(site) : NULL;
    return spot && spot->path && spot->location.line > 0 &&
           source_text_mentions(site, spot->path, (unsigned)spot->location.line, variable);
}

bool source_is_students(const void *site)
{
    return module_of_code(site) && !stacks_large_is_taken() && spot_of(site)->students;
}

const char *source_function(const void *address)
{
    struct named {
        const void *address;
        struct named *next;
        char name[128];
    };
    static struct named *known;
    for (struct named *named = known; named; named = named->next) {
        if (named->address == address)
            return named->name;
    }
    struct named *named = calloc(1, sizeof *named);
    if (!named)
        return "?";
    *named = (struct named){.address = address, .next = known, .name = "?"};
    known = named;
    stacks_call_on_large(
        answer, &(struct question){
                    .kind = FUNCTION, .address = address, .name = named->name, .size = sizeof named->name});
    return named->name;
}

struct simt_variable source_variable(const void *address)
{
    struct simt_variable variable = {.memory = SIMT_IN_OTHER};
    stacks_call_on_large(answer,
                         &(struct question){.kind = VARIABLE, .address = address, .variable = &variable});
    return variable;
}

bool source_extent(const void *address, struct source_extent *extent)
{
    extent->bytes = 0;
    stacks_call_on_large(answer, &(struct question){.kind = EXTENT, .address = address, .extent = extent});
    return extent->bytes > 0;
}

void source_array(const void *site, const char *type, char *name, size_t size)
{
    name[0] = 0;
    stacks_call_on_large(
        answer, &(struct question){.kind = ARRAY, .address = site, .type = type, .name = name, .size = size});
}
