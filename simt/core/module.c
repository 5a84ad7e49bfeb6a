#define _GNU_SOURCE
#include "core/module.h"
#include "core/arch.h"
#include "core/host.h"
#include "simt.h"

#include <fcntl.h>
#include <elf.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_MODULES = 32 };

static struct module modules[MAX_MODULES];
static size_t modules_used;

static struct {
    bool is_kept; /* since the last module was loaded or unloaded */
    uint64_t state;
} first;

static const struct host_thread *followed; /* the host thread whose thread-local blocks are in `modules` */

/* ---- finding a module's segments ---------------------------------------------------------------- */

struct lookup {
    const void *code;
    struct module *module;
    bool found;
};

/* The thread-local block of this host thread. If the device is linked into the module, the device's own variable is
 * last in the block and is cut off, because it is not shared memory. */
static struct range thread_local_block(const struct dl_phdr_info *info, const ElfW(Phdr) * segment)
{
    struct range block = {info->dlpi_tls_data, info->dlpi_tls_data ? segment->p_memsz : 0};
    if (range_holds(block, &host_thread))
        block.bytes = (size_t)((char *)&host_thread - block.begin);
    return block;
}

static int fill_if_it_holds(struct dl_phdr_info *info, size_t size, void *argument)
{
    (void)size;
    struct lookup *lookup = argument;
    bool holds = false;

    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        struct range range = {(char *)(info->dlpi_addr + segment->p_vaddr), segment->p_memsz};
        if (segment->p_type == PT_LOAD && (segment->p_flags & PF_X) && range_holds(range, lookup->code))
            holds = true;
    }
    if (!holds)
        return 0;

    struct module *module = lookup->module;
    memset(module, 0, sizeof *module);
    module->bias = info->dlpi_addr;
    if (info->dlpi_name && info->dlpi_name[0]) {
        snprintf(module->path, sizeof module->path, "%s", info->dlpi_name);
    } else {
        ssize_t length = readlink("/proc/self/exe", module->path, sizeof module->path - 1);
        module->path[length > 0 ? length : 0] = 0;
    }
    bool apart = false; /* are read-only tables outside the code segment? */
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        struct range range = {(char *)(info->dlpi_addr + segment->p_vaddr), segment->p_memsz};
        if (segment->p_type == PT_LOAD && (segment->p_flags & PF_X))
            module->code = range;
        else if (segment->p_type == PT_GNU_RELRO ||
                 (segment->p_type == PT_LOAD && !(segment->p_flags & PF_W))) {
            apart |= segment->p_type == PT_LOAD;
            if (module->read_only_count < sizeof module->read_only / sizeof *module->read_only)
                module->read_only[module->read_only_count++] = range;
        } else if (segment->p_type == PT_LOAD &&
                   module->data_count < sizeof module->data / sizeof *module->data)
            module->data[module->data_count++] = range;
        else if (segment->p_type == PT_TLS)
            module->shared = thread_local_block(info, segment);
    }
    if (!apart && module->read_only_count < sizeof module->read_only / sizeof *module->read_only)
        module->read_only[module->read_only_count++] = module->code; /* linkers for arm64 do that */
    lookup->found = true;
    return 1;
}

void simt_register_module(const struct simt_module_ranges *ranges)
{
    if (module_of_code(ranges->code))
        return;
    modules_follow_host();
    if (modules_used == MAX_MODULES) {
        fprintf(stderr, "simt: more than %d translated modules are loaded\n", MAX_MODULES);
        abort();
    }
    struct module *module = &modules[modules_used];
    struct lookup lookup = {ranges->code, module, false};
    dl_iterate_phdr(fill_if_it_holds, &lookup);
    if (!lookup.found) {
        fprintf(stderr, "simt: the loader does not know the module at %p\n", ranges->code);
        abort();
    }
    module->device = (struct range){ranges->device_begin, ranges->device_end - ranges->device_begin};
    module->constant = (struct range){ranges->constant_begin, ranges->constant_end - ranges->constant_begin};
    module->managed = (struct range){ranges->managed_begin, ranges->managed_end - ranges->managed_begin};
    module->fences = ranges->fences;
    modules_used++;
    first.is_kept = false;
}

static int follow(struct dl_phdr_info *info, size_t size, void *nothing)
{
    (void)size;
    (void)nothing;
    for (size_t i = 0; i < modules_used; i++) {
        for (int k = 0; k < info->dlpi_phnum && modules[i].bias == info->dlpi_addr; k++) {
            if (info->dlpi_phdr[k].p_type == PT_TLS)
                modules[i].shared = thread_local_block(info, &info->dlpi_phdr[k]);
        }
    }
    return 0;
}

void modules_follow_host(void)
{
    if (followed == &host_thread)
        return;
    followed = &host_thread;
    dl_iterate_phdr(follow, NULL);
}

void simt_unregister_module(const void *code)
{
    for (size_t i = 0; i < modules_used; i++) {
        if (range_holds(modules[i].code, code)) {
            modules[i] = modules[--modules_used];
            first.is_kept = false;
            return;
        }
    }
}

const struct module *module_of_code(const void *address)
{
    for (size_t i = 0; i < modules_used; i++) {
        if (range_holds(modules[i].code, address))
            return &modules[i];
    }
    return NULL;
}

/* Is the address in one of the range's pages? The rest of the last page holds nothing, and an index behind the last
 * variable may lead there. */
static bool pages_hold(struct range range, const void *address)
{
    const uintptr_t end = (uintptr_t)range.begin + range.bytes + ARCH_PAGE - 1;
    return (uintptr_t)address >= (uintptr_t)range.begin && (uintptr_t)address < end / ARCH_PAGE * ARCH_PAGE;
}

const struct module *module_of_data(const void *address)
{
    for (size_t i = 0; i < modules_used; i++) {
        const struct module *module = &modules[i];
        if (range_holds(module->shared, address))
            return module;
        for (size_t k = 0; k < module->data_count; k++) {
            if (pages_hold(module->data[k], address))
                return module;
        }
        for (size_t k = 0; k < module->read_only_count; k++) {
            if (range_holds(module->read_only[k], address))
                return module;
        }
    }
    return NULL;
}

size_t module_count(void)
{
    return modules_used;
}

const struct module *module_at(size_t i)
{
    return &modules[i];
}

/* ---- the contents of the variables -------------------------------------------------------------------- */

/* Each call of a proof hashes them. Above this limit it does not: then they count as changed. */
#define MOST_STATE ((size_t)1 << 20)

static uint64_t mix_range(uint64_t state, struct range range)
{
    for (size_t i = 0; i < range.bytes; i++)
        state = (state ^ (unsigned char)range.begin[i]) * 0x100000001b3u; /* FNV-1a */
    return state;
}

static size_t state_bytes(void)
{
    size_t bytes = 0;
    for (size_t i = 0; i < modules_used; i++) {
        const struct module *module = &modules[i];
        for (size_t k = 0; k < module->data_count; k++)
            bytes += module->data[k].bytes;
        bytes += module->device.bytes + module->constant.bytes + module->managed.bytes;
    }
    return bytes;
}

static uint64_t hash_state(void)
{
    uint64_t state = 0xcbf29ce484222325u;
    for (size_t i = 0; i < modules_used; i++) {
        const struct module *module = &modules[i];
        for (size_t k = 0; k < module->data_count; k++)
            state = mix_range(state, module->data[k]);
        state = mix_range(mix_range(mix_range(state, module->device), module->constant), module->managed);
    }
    return state;
}

void simt_keep_state(void)
{
    if (!first.is_kept && state_bytes() <= MOST_STATE)
        first.state = hash_state();
    first.is_kept = true;
}

void simt_note_state(void)
{
    if (first.is_kept && (state_bytes() > MOST_STATE || hash_state() != first.state))
        simt_note_used(SIMT_USED_STATE);
}

/* ---- static shared memory of one kernel ----------------------------------------------------------- */

/* Does the mangled name of a thread-local variable show that it is at namespace scope or local to the function with
 * this mangled name? `__shared__ int s[32]` in `f(int *)`, _Z1fPi, is _ZZ1fPiE1s. */
static bool belongs_to(const char *variable, const char *function)
{
    if (strncmp(variable, "_ZZ", 3) != 0)
        return true;
    if (!function)
        return false;
    if (strncmp(function, "_Z", 2) == 0)
        function += 2;
    size_t length = strlen(function);
    if (strncmp(variable + 3, function, length) == 0 && variable[3 + length] == 'E')
        return true;
    /* The name of a C function is not mangled, but its local variable's is, with the length in front: _ZZ6kernelE1s. */
    char prefix[32];
    int digits = snprintf(prefix, sizeof prefix, "%zu", length);
    return strncmp(variable + 3, prefix, (size_t)digits) == 0 &&
           strncmp(variable + 3 + digits, function, length) == 0;
}

/* The bytes of the kernel's variables in the first `block` bytes of the thread-local block. */
static size_t sum_shared_symbols(const char *image, size_t bytes, uintptr_t kernel, size_t block)
{
    const ElfW(Ehdr) *header = (const void *)image;
    if (bytes < sizeof *header || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
        header->e_shoff + (size_t)header->e_shnum * sizeof(ElfW(Shdr)) > bytes)
        return 0;
    const ElfW(Shdr) *sections = (const void *)(image + header->e_shoff);
    for (int s = 0; s < header->e_shnum; s++) {
        if (sections[s].sh_type != SHT_SYMTAB)
            continue;
        const ElfW(Sym) *symbols = (const void *)(image + sections[s].sh_offset);
        size_t count = sections[s].sh_size / sizeof *symbols;
        const char *names = image + sections[sections[s].sh_link].sh_offset;
        const char *function = NULL;
        for (size_t i = 0; i < count && kernel; i++) {
            if (ELF64_ST_TYPE(symbols[i].st_info) == STT_FUNC && symbols[i].st_value == kernel)
                function = names + symbols[i].st_name;
        }
        size_t sum = 0;
        for (size_t i = 0; i < count; i++) {
            const char *name = names + symbols[i].st_name;
            if (ELF64_ST_TYPE(symbols[i].st_info) == STT_TLS && symbols[i].st_value < block &&
                !strstr(name, "simt_tls_anchor") && belongs_to(name, function))
                sum += symbols[i].st_size;
        }
        return sum;
    }
    return 0;
}

static size_t read_static_shared(const struct module *module, const void *kernel)
{
    size_t result = 0;
    int file = open(module->path, O_RDONLY | O_CLOEXEC);
    struct stat status;
    if (file >= 0 && fstat(file, &status) == 0 && status.st_size > 0) {
        void *image = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
        if (image != MAP_FAILED) {
            result = sum_shared_symbols(image, (size_t)status.st_size,
                                        kernel ? (uintptr_t)kernel - module->bias : 0, module->shared.bytes);
            munmap(image, (size_t)status.st_size);
        }
    }
    if (file >= 0)
        close(file);
    return result;
}

size_t module_static_shared(const struct module *module, const void *kernel)
{
    enum { KNOWN = 64 };
    static struct {
        const void *key;
        size_t bytes;
    } known[KNOWN];
    static size_t used;
    const void *key = kernel ? kernel : module->code.begin;
    for (size_t i = 0; i < KNOWN && known[i].key; i++) {
        if (known[i].key == key)
            return known[i].bytes;
    }
    size_t bytes = read_static_shared(module, kernel);
    known[used].key = key;
    known[used].bytes = bytes;
    used = (used + 1) % KNOWN;
    return bytes;
}
