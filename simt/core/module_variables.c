/* module_variables.c: finds a module's variables, both the device's and host code's. It is called at each access to
 * a variable of the device, so the symbol table is read once for each module, and the last result is kept. */
#include "core/module.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    ROOM_BEFORE = 64 /* the last bytes of a gap belong to the next variable: see simt_language.h */
};

static struct {
    uintptr_t bias; /* of the module that was read; 0 before that */
    char path[sizeof((struct module *)0)->path];
    struct range *variables; /* variables of the device, in ascending order */
    size_t count, last;
    struct range *host; /* variables of host code, in ascending order */
    size_t host_count;
    struct range *functions; /* functions of the program, in ascending order */
    size_t function_count;
    struct range *guards; /* guard bytes of shared variables, as offsets into the thread-local block */
    size_t guard_count;
} table;

bool module_holds_variable(const struct module *module, const void *address)
{
    return range_holds(module->device, address) || range_holds(module->constant, address) ||
           range_holds(module->managed, address);
}

static int by_address(const void *left, const void *right)
{
    const struct range *a = left, *b = right;
    if (a->begin != b->begin)
        return a->begin < b->begin ? -1 : 1;
    return a->bytes < b->bytes ? -1 : a->bytes > b->bytes;
}

/* Is this a section of ordinary variables? In a section that the program itself names, several variables may be
 * meant as one array. */
static bool is_ordinary(const char *section)
{
    static const char *const names[] = {".data", ".bss", ".rodata", ".data.rel.ro", ".data.rel.ro.local"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(section, names[i]) == 0)
            return true;
    }
    return false;
}

/* Is this the symbol of a function in the device's own headers? Such a function may call any address that it is
 * given. */
static bool is_of_device(const char *symbol)
{
    if (strncmp(symbol, "_ZN4simt", 8) == 0 || strncmp(symbol, "_ZNK4simt", 9) == 0)
        return true;
    symbol += strspn(symbol, "_ZL");
    symbol += strspn(symbol, "0123456789");
    return strncmp(symbol, "simt_", 5) == 0;
}

/* The sections of an ELF image, their names, and the names of its symbols. */
struct sections {
    const ElfW(Shdr) * headers;
    size_t count;
    const char *names, *symbols;
    size_t names_bytes, symbols_bytes;
};

static const char *section_name(const struct sections *sections, size_t i)
{
    return i < sections->count && sections->headers[i].sh_name < sections->names_bytes
               ? sections->names + sections->headers[i].sh_name
               : "";
}

static void take_symbols(const struct module *module, const ElfW(Sym) * symbols, size_t count,
                         const struct sections *sections)
{
    table.variables = calloc(count + 1, sizeof *table.variables);
    table.host = calloc(count + 1, sizeof *table.host);
    table.functions = calloc(count + 1, sizeof *table.functions);
    table.guards = calloc(count + 1, sizeof *table.guards);
    for (size_t i = 0; table.variables && table.host && table.functions && table.guards && i < count; i++) {
        const struct range range = {(char *)(module->bias + symbols[i].st_value), symbols[i].st_size};
        if (ELF64_ST_TYPE(symbols[i].st_info) == STT_FUNC && symbols[i].st_shndx != SHN_UNDEF &&
            symbols[i].st_name < sections->symbols_bytes &&
            !is_of_device(sections->symbols + symbols[i].st_name))
            table.functions[table.function_count++] = range;
        if (ELF64_ST_TYPE(symbols[i].st_info) == STT_TLS && symbols[i].st_name < sections->symbols_bytes &&
            strncmp(sections->symbols + symbols[i].st_name, "_ZGV", 4) == 0)
            table.guards[table.guard_count++] =
                (struct range){(char *)(uintptr_t)symbols[i].st_value, symbols[i].st_size};
        if (ELF64_ST_TYPE(symbols[i].st_info) != STT_OBJECT || range.bytes == 0)
            continue;
        if (module_holds_variable(module, range.begin))
            table.variables[table.count++] = range;
        else if (is_ordinary(section_name(sections, symbols[i].st_shndx)))
            table.host[table.host_count++] = range;
    }
    if (table.count > 0)
        qsort(table.variables, table.count, sizeof *table.variables, by_address);
    if (table.host_count > 0)
        qsort(table.host, table.host_count, sizeof *table.host, by_address);
    if (table.guard_count > 0)
        qsort(table.guards, table.guard_count, sizeof *table.guards, by_address);
    if (table.function_count > 0)
        qsort(table.functions, table.function_count, sizeof *table.functions, by_address);
}

static void take_image(const struct module *module, const char *image, size_t bytes)
{
    const ElfW(Ehdr) *header = (const void *)image;
    if (bytes < sizeof *header || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
        header->e_shoff + (size_t)header->e_shnum * sizeof(ElfW(Shdr)) > bytes)
        return;
    const ElfW(Shdr) *headers = (const void *)(image + header->e_shoff);
    struct sections sections = {headers, header->e_shnum, "", "", 1, 1};
    const ElfW(Shdr) *names = &headers[header->e_shstrndx < header->e_shnum ? header->e_shstrndx : 0];
    if (names->sh_type == SHT_STRTAB && names->sh_offset + names->sh_size <= bytes) {
        sections.names = image + names->sh_offset;
        sections.names_bytes = names->sh_size;
    }
    for (int s = 0; s < header->e_shnum; s++) {
        if (headers[s].sh_type == SHT_SYMTAB && headers[s].sh_offset + headers[s].sh_size <= bytes) {
            const ElfW(Shdr) *texts = &headers[headers[s].sh_link < header->e_shnum ? headers[s].sh_link : 0];
            if (texts->sh_type == SHT_STRTAB && texts->sh_offset + texts->sh_size <= bytes) {
                sections.symbols = image + texts->sh_offset;
                sections.symbols_bytes = texts->sh_size;
            }
            take_symbols(module, (const void *)(image + headers[s].sh_offset),
                         headers[s].sh_size / sizeof(ElfW(Sym)), &sections);
            return;
        }
    }
}

static void read_table(const struct module *module)
{
    free(table.variables);
    free(table.host);
    free(table.functions);
    free(table.guards);
    table.variables = table.host = table.functions = table.guards = NULL;
    table.count = table.last = table.host_count = table.function_count = table.guard_count = 0;
    table.bias = module->bias;
    memcpy(table.path, module->path, sizeof table.path);
    int file = open(module->path, O_RDONLY | O_CLOEXEC);
    struct stat status;
    if (file < 0)
        return;
    if (fstat(file, &status) == 0 && status.st_size > 0) {
        void *image = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
        if (image != MAP_FAILED) {
            take_image(module, image, (size_t)status.st_size);
            munmap(image, (size_t)status.st_size);
        }
    }
    close(file);
}

static void have_table(const struct module *module)
{
    if (table.bias != module->bias || strcmp(table.path, module->path) != 0)
        read_table(module);
}

/* The number of variables, out of `count`, that begin at or before the address. */
static size_t begin_before(const struct range *variables, size_t count, const void *address)
{
    size_t low = 0, high = count;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (variables[middle].begin <= (const char *)address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool module_variable(const struct module *module, const void *address, struct range *variable)
{
    have_table(module);
    if (table.count == 0)
        return false;
    if (!range_holds(table.variables[table.last], address)) {
        const size_t low = begin_before(table.variables, table.count, address);
        table.last = low > 0 ? low - 1 : 0;
        if (low > 0 && low < table.count && !range_holds(table.variables[low - 1], address) &&
            table.variables[low].begin - (const char *)address <= ROOM_BEFORE)
            table.last = low;
    }
    *variable = table.variables[table.last];
    return true;
}

bool module_without_variables(const struct module *module)
{
    have_table(module);
    return table.count == 0 && table.host_count > 0;
}

bool module_host_variable(const struct module *module, const void *address, struct range *variable)
{
    have_table(module);
    const size_t before = begin_before(table.host, table.host_count, address);
    if (before == 0 || !range_holds(table.host[before - 1], address))
        return false;
    *variable = table.host[before - 1];
    return true;
}

bool module_function(const struct module *module, const void *address)
{
    have_table(module);
    const size_t before = begin_before(table.functions, table.function_count, address);
    return before > 0 && table.functions[before - 1].begin == address;
}

bool module_holds_guard(const struct module *module, const void *address)
{
    have_table(module);
    const void *offset = (const void *)((uintptr_t)address - (uintptr_t)module->shared.begin);
    const size_t before = begin_before(table.guards, table.guard_count, offset);
    return before > 0 && range_holds(table.guards[before - 1], offset);
}

size_t module_variable_bytes(const struct module *module, struct range range)
{
    size_t bytes = 0;
    have_table(module);
    for (size_t i = 0; i < table.count; i++) {
        if (range_holds(range, table.variables[i].begin))
            bytes += table.variables[i].bytes;
    }
    return bytes;
}
