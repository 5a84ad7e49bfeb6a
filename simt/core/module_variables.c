/* module_variables.c: where a module's variables of the device lie. Asked at each access to one of them: the table of
 * symbols is read once a module, and the last answer is kept. */
#include "core/module.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static struct {
    uintptr_t bias; /* of the module that the table is of; 0: of none */
    char path[sizeof((struct module *)0)->path];
    struct range *variables; /* in ascending order */
    size_t count, last;
} table;

bool module_holds_variable(const struct module *module, const void *address)
{
    return range_holds(module->device, address) || range_holds(module->constant, address) ||
           range_holds(module->managed, address);
}

static int by_address(const void *left, const void *right)
{
    const struct range *a = left, *b = right;
    return a->begin < b->begin ? -1 : a->begin > b->begin;
}

static void take_symbols(const struct module *module, const ElfW(Sym) * symbols, size_t count)
{
    table.variables = calloc(count + 1, sizeof *table.variables);
    for (size_t i = 0; table.variables && i < count; i++) {
        char *begin = (char *)(module->bias + symbols[i].st_value);
        if (ELF64_ST_TYPE(symbols[i].st_info) == STT_OBJECT && symbols[i].st_size > 0 &&
            module_holds_variable(module, begin))
            table.variables[table.count++] = (struct range){begin, symbols[i].st_size};
    }
    if (table.count > 0)
        qsort(table.variables, table.count, sizeof *table.variables, by_address);
}

static void take_image(const struct module *module, const char *image, size_t bytes)
{
    const ElfW(Ehdr) *header = (const void *)image;
    if (bytes < sizeof *header || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
        header->e_shoff + (size_t)header->e_shnum * sizeof(ElfW(Shdr)) > bytes)
        return;
    const ElfW(Shdr) *sections = (const void *)(image + header->e_shoff);
    for (int s = 0; s < header->e_shnum; s++) {
        if (sections[s].sh_type == SHT_SYMTAB && sections[s].sh_offset + sections[s].sh_size <= bytes) {
            take_symbols(module, (const void *)(image + sections[s].sh_offset),
                         sections[s].sh_size / sizeof(ElfW(Sym)));
            return;
        }
    }
}

static void read_table(const struct module *module)
{
    free(table.variables);
    table.variables = NULL;
    table.count = table.last = 0;
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

bool module_variable(const struct module *module, const void *address, struct range *variable)
{
    if (table.bias != module->bias || strcmp(table.path, module->path) != 0)
        read_table(module);
    if (table.count == 0)
        return false;
    if (!range_holds(table.variables[table.last], address)) {
        size_t low = 0,
               high = table.count; /* the last that begins at the address or before it stands before `low` */
        while (low < high) {
            const size_t middle = (low + high) / 2;
            if (table.variables[middle].begin <= (const char *)address)
                low = middle + 1;
            else
                high = middle;
        }
        if (low == 0)
            return false;
        table.last = low - 1;
    }
    *variable = table.variables[table.last];
    return true;
}
