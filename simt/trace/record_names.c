/* record_names.c: see record_names.h. */
#include "trace/record_names.h"
#include "core/shared.h"
#include "report/source.h"

#include <stdlib.h>

/* ---- text ---------------------------------------------------------------------------------------------------- */

void record_text(const char *text)
{
    fputc('"', record_file);
    for (; *text; text++) {
        const unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            fprintf(record_file, "\\%c", c);
        else if (c == '\n')
            fputs("\\n", record_file);
        else if (c < ' ' || c > '~')
            fprintf(record_file, "\\u%04x", c);
        else
            fputc(c, record_file);
    }
    fputc('"', record_file);
}

/* The bytes of a value in hexadecimal, in memory order. Of a long value, only the first bytes. */
void record_bytes(const void *bytes, size_t count)
{
    const unsigned char *byte = bytes;
    fputs(",\"", record_file);
    for (size_t i = 0; i < count && i < RECORD_MOST_BYTES; i++)
        fprintf(record_file, "%02x", byte[i]);
    fputc('"', record_file);
}

/* ---- numbers for code addresses and arrays -------------------------------------------------------------------- */

/* Two tables that grow. Each new entry gets the next number and a line that describes it. */
static struct {
    const void **address;
    int *line;
    size_t count, room;
} sites;

struct array {
    uint64_t serial; /* of a region; 0 for a variable or dynamic shared memory */
    uint64_t launch; /* for dynamic shared memory, which is a new array in each launch */
    const char *begin;
    size_t bytes;
};
static struct {
    struct array *array;
    size_t count, room;
} arrays;

static void *room_for(void *memory, size_t count, size_t *room, size_t size)
{
    if (count < *room)
        return memory;
    *room = *room ? 2 * *room : 64;
    memory = realloc(memory, *room * size);
    if (!memory)
        abort(); /* a record with gaps would be a wrong one */
    return memory;
}

size_t record_site(const void *site)
{
    for (size_t i = sites.count; i-- > 0;)
        if (sites.address[i] == site)
            return i;
    size_t room = sites.room;
    sites.address = room_for(sites.address, sites.count, &sites.room, sizeof *sites.address);
    sites.line = room_for(sites.line, sites.count, &room, sizeof *sites.line);
    sites.address[sites.count] = site;
    struct simt_location place = {0};
    if (site)
        source_location(site, &place);
    sites.line[sites.count] = place.line;
    fprintf(record_file, "[\"site\",%zu,", sites.count);
    record_text(place.file);
    fprintf(record_file, ",%d,", place.line);
    record_text(place.function);
    fputs("]\n", record_file);
    return sites.count++;
}

static const char *const space_names[] = {
    [MEMORY_HOST] = "host",     [MEMORY_GLOBAL] = "global",     [MEMORY_MANAGED] = "managed",
    [MEMORY_PINNED] = "pinned", [MEMORY_VARIABLE] = "variable", [MEMORY_CONSTANT] = "constant",
    [MEMORY_SHARED] = "shared", [MEMORY_LOCAL] = "local"};

static size_t describe_array(const struct array *array, enum memory_space space, const char *name,
                             const struct source_extent *extent, const void *site)
{
    const bool has_site = site != NULL;
    const size_t number_of_allocation = has_site ? record_site(site) : 0;
    arrays.array = room_for(arrays.array, arrays.count, &arrays.room, sizeof *arrays.array);
    arrays.array[arrays.count] = *array;
    fprintf(record_file, "[\"array\",%zu,\"%s\",", arrays.count, space_names[space]);
    record_text(name);
    fprintf(record_file, ",%zu,%zu,\"%c\",[", array->bytes, extent->element,
            extent->kind ? extent->kind : '?');
    for (int i = 0; i < extent->dimensions; i++)
        fprintf(record_file, "%s%zu", i > 0 ? "," : "", extent->extent[i]);
    if (has_site)
        fprintf(record_file, "],%zu]\n", number_of_allocation);
    else
        fputs("],null]\n", record_file);
    return arrays.count++;
}

static size_t number_of_region(const struct region *region)
{
    for (size_t i = arrays.count; i-- > 0;)
        if (arrays.array[i].serial == region->serial)
            return i;
    const struct source_extent extent = {.element = region->element_size};
    return describe_array(&(struct array){region->serial, 0, region->array, region->array_bytes},
                          region->space, region->name ? region->name : "", &extent, region->alloc_site);
}

/* Variables and shared memory are identified by their address. */
static size_t number_of_variable(const char *address, enum memory_space space)
{
    const bool dynamic = space == MEMORY_SHARED && shared_dynamic_distance(address) >= 0;
    const uint64_t launch = dynamic && current_launch ? current_launch->number : 0;
    for (size_t i = arrays.count; i-- > 0;) {
        const struct array *array = &arrays.array[i];
        if (array->serial == 0 && array->launch == launch && (size_t)(address - array->begin) < array->bytes)
            return i;
    }
    struct source_extent extent;
    if (!source_extent(address, &extent))
        extent = (struct source_extent){.begin = address, .bytes = 1, .element = 1};
    return describe_array(&(struct array){0, launch, extent.begin, extent.bytes}, space, extent.name, &extent,
                          NULL);
}

size_t record_array(const char *address, enum memory_space space, const struct region *region)
{
    return region ? number_of_region(region) : number_of_variable(address, space);
}

int record_line(size_t site)
{
    return sites.line[site];
}

const char *record_begin(size_t array)
{
    return arrays.array[array].begin;
}
