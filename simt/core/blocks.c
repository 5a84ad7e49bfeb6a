#define _GNU_SOURCE
#include "core/blocks.h"
#include "core/budget.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    BYTES_OF_INSTRUCTION = 4, /* exact on arm64, the average on x86-64 */
    BYTES_OF_HOOK = 8,        /* the call of a hook and the instruction that loads the address */
    AFTER_CALL = 4            /* bytes from the relocation of a call to the address that it returns to */
};

enum mark { NOTHING, BLOCK, HOOK, LIBRARY, FUNCTION };

/* An ELF file in memory. */
struct image {
    const char *begin;
    size_t bytes;
    const ElfW(Shdr) * sections;
    unsigned count;
};

static bool read_header(struct image *image)
{
    const ElfW(Ehdr) *header = (const void *)image->begin;
    if (image->bytes < sizeof *header || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
        header->e_shoff + (size_t)header->e_shnum * sizeof *image->sections > image->bytes)
        return false;
    image->sections = (const void *)(image->begin + header->e_shoff);
    image->count = header->e_shnum;
    return true;
}

static bool is_hook(const char *name)
{
    return strncmp(name, "__tsan_", 7) == 0 || strncmp(name, "simt_count_", 11) == 0;
}

/* A function of a shared library, of whose work the device sees nothing. The compiler's own helpers are short; the
 * device's functions have no type before the library is loaded. */
static bool is_library(const ElfW(Sym) * symbol, const char *name)
{
    return symbol->st_shndx == SHN_UNDEF && ELF64_ST_TYPE(symbol->st_info) == STT_FUNC &&
           (strncmp(name, "__", 2) != 0 || strncmp(name, "__cxa_", 6) == 0);
}

/* Marks the calls that one section's relocations describe. `marks` has a byte for each byte of code. */
static void mark_calls(const struct image *image, const ElfW(Shdr) * relocations, uintptr_t code,
                       unsigned char *marks, size_t bytes)
{
    const ElfW(Shdr) *table = &image->sections[relocations->sh_link];
    const ElfW(Sym) *symbols = (const void *)(image->begin + table->sh_offset);
    const char *names = image->begin + image->sections[table->sh_link].sh_offset;
    const ElfW(Rela) *all = (const void *)(image->begin + relocations->sh_offset);
    for (size_t i = 0; i < relocations->sh_size / sizeof *all; i++) {
        const ElfW(Sym) *symbol = &symbols[ELF64_R_SYM(all[i].r_info)];
        const char *name = names + symbol->st_name;
        const size_t after = all[i].r_offset + AFTER_CALL - code;
        if (after >= bytes)
            continue;
        if (strcmp(name, "__sanitizer_cov_trace_pc") == 0)
            marks[after] = BLOCK;
        else if (is_hook(name))
            marks[after] = HOOK;
        else if (is_library(symbol, name))
            marks[after] = LIBRARY;
    }
}

static void mark_functions(const struct image *image, const ElfW(Shdr) * table, uintptr_t code,
                           unsigned char *marks, size_t bytes)
{
    const ElfW(Sym) *symbols = (const void *)(image->begin + table->sh_offset);
    for (size_t i = 0; i < table->sh_size / sizeof *symbols; i++) {
        const size_t begin = symbols[i].st_value - code, end = begin + symbols[i].st_size;
        if (ELF64_ST_TYPE(symbols[i].st_info) != STT_FUNC)
            continue;
        if (begin < bytes && marks[begin] == NOTHING)
            marks[begin] = FUNCTION;
        if (end < bytes && marks[end] == NOTHING)
            marks[end] = FUNCTION;
    }
}

static void mark(const struct image *image, uintptr_t code, unsigned char *marks, size_t bytes)
{
    for (unsigned i = 0; i < image->count; i++) {
        const ElfW(Shdr) *section = &image->sections[i];
        if (section->sh_type == SHT_RELA && section->sh_info < image->count && section->sh_info > 0 &&
            image->sections[section->sh_info].sh_flags & SHF_EXECINSTR)
            mark_calls(image, section, code, marks, bytes);
    }
    for (unsigned i = 0; i < image->count; i++)
        if (image->sections[i].sh_type == SHT_SYMTAB)
            mark_functions(image, &image->sections[i], code, marks, bytes);
}

/* A block extends to the next block or to the end of its function. A hook counts as one instruction. */
static void weigh(const unsigned char *marks, struct blocks *blocks)
{
    size_t end = blocks->bytes, hooks = 0, calls = 0;
    for (size_t i = 0; i < blocks->bytes / BLOCKS_APART + 1; i++)
        blocks->weight[i] = blocks->cost[i] = 1;
    for (size_t at = blocks->bytes; at-- > 0;) {
        hooks += marks[at] == HOOK;
        calls += marks[at] == LIBRARY;
        if (marks[at] == BLOCK) {
            const size_t bytes = end - at, less = hooks * (BYTES_OF_HOOK - BYTES_OF_INSTRUCTION);
            const size_t weight =
                ((bytes > less ? bytes - less : 0) + BYTES_OF_INSTRUCTION) / BYTES_OF_INSTRUCTION;
            blocks->weight[at / BLOCKS_APART] = (uint32_t)weight;
            blocks->cost[at / BLOCKS_APART] = (uint32_t)(weight + calls * BUDGET_OF_LIBRARY);
        }
        if (marks[at] == BLOCK || marks[at] == FUNCTION) {
            end = at;
            hooks = calls = 0;
        }
    }
}

static void read_blocks(const struct module *module, struct blocks *blocks)
{
    blocks->begin = module->code.begin;
    blocks->bytes = module->code.bytes;
    blocks->weight = calloc(blocks->bytes / BLOCKS_APART + 1, sizeof *blocks->weight);
    blocks->cost = calloc(blocks->bytes / BLOCKS_APART + 1, sizeof *blocks->cost);
    unsigned char *marks = calloc(blocks->bytes, 1);
    if (!blocks->weight || !blocks->cost || !marks)
        abort(); /* a meter must not lose counts */
    const int file = open(module->path, O_RDONLY | O_CLOEXEC);
    struct stat status;
    if (file >= 0 && fstat(file, &status) == 0 && status.st_size > 0) {
        void *begin = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
        struct image image = {begin, (size_t)status.st_size, NULL, 0};
        if (begin != MAP_FAILED) {
            if (read_header(&image))
                mark(&image, (uintptr_t)blocks->begin - module->bias, marks, blocks->bytes);
            munmap(begin, (size_t)status.st_size);
        }
    }
    if (file >= 0)
        close(file);
    weigh(marks, blocks);
    free(marks);
}

const struct blocks *blocks_of_code(const void *code)
{
    static struct blocks none, known;
    if ((size_t)((const char *)code - known.begin) < known.bytes)
        return &known;
    const struct module *module = module_of_code(code);
    if (!module)
        return &none;
    free(known.weight);
    free(known.cost);
    read_blocks(module, &known);
    return &known;
}
