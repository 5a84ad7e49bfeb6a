#define _GNU_SOURCE
#include "checks/bounds.h"
#include "core/arch.h"
#include "core/error.h"
#include "core/fault.h"
#include "core/guard.h"
#include "core/module.h"
#include "core/registered.h"
#include "core/shared.h"
#include "core/stacks.h"
#include "report/finding.h"
#include "report/memory_words.h"
#include "report/source.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

static const char below_0[] = "check the index arithmetic: is the index below 0?";
static const uintptr_t NEAR = 4096; /* bytes: what misses by so much is told from where it should be */
enum { WIDEST_ACCESS = 16 /* bytes */ };

static const char *verb(unsigned kind)
{
    return kind & ACCESS_WRITE ? "writes" : "reads";
}

static const char *noun(unsigned kind)
{
    return kind & ACCESS_ATOMIC ? "atomic operation" : kind & ACCESS_WRITE ? "write" : "read";
}

static bool mapped(const void *address)
{
    unsigned char resident;
    return mincore((void *)((uintptr_t)address & -arch_kernel_page()), 1, &resident) == 0;
}

static _Noreturn void refuse(const struct access *access, enum simt_finding_kind kind, const char *variable,
                             const char *title, const char *more, const char *hint)
{
    char who[96];
    finding_thread_text(current_thread, who, sizeof who);
    finding_report(&(struct finding_text){.kind = kind,
                                          .site = access->site,
                                          .variable = variable,
                                          .title = title,
                                          .detail = text("%s %s %zu bytes; %s\nthe kernel ends here", who,
                                                         verb(access->kind), access->bytes, more),
                                          .hint = hint});
    fault_raise(kind == SIMT_MISALIGNED ? ERROR_MISALIGNED_ADDRESS : ERROR_ILLEGAL_ADDRESS);
}

static const char *counted(size_t count, const char *what)
{
    return text("%zu %s%s", count, what, count == 1 ? "" : "s");
}

static const char *region_text(const struct region *region)
{
    if (region->name && region->element_size)
        return text("%s has %s", region->name,
                    counted(region->array_bytes / region->element_size, "element"));
    return text("%s has %s", region->name ? region->name : "the allocation", counted(region->bytes, "byte"));
}

/* Is it as many bytes as there are elements, blocks or threads somewhere? */
static bool is_some_count(size_t bytes)
{
    for (const struct region *other = memory_newest(); other; other = other->previous) {
        if (!other->freed && other->name && other->element_size > 1 &&
            other->array_bytes / other->element_size == bytes)
            return true;
    }
    return bytes > 1 && (bytes == current_launch->grid_blocks ||
                         bytes == current_launch->grid_blocks * current_launch->block_threads);
}

/* The access is past the end of an allocation of the code's own: was its size taken for a count of elements? */
static void refuse_in_own_region(struct access *access, const struct region *region, const char *variable)
{
    static const char guard[] = "guard the access: threads whose index is not below n must not touch memory";
    const size_t offset = (size_t)(access->address - region->begin);
    const char *title = text("%s out of bounds: %s", noun(access->kind), variable);
    const bool may_be = !region->name && access->address > region->begin && access->bytes > 1 &&
                        offset / access->bytes < region->bytes;
    if (access->address < region->begin)
        refuse(access, SIMT_OUT_OF_BOUNDS, variable, title, region_text(region), below_0);
    if (!may_be)
        refuse(access, SIMT_OUT_OF_BOUNDS, variable, title, region_text(region), guard);
    struct simt_place made = {.line = 0};
    if (region->alloc_site)
        source_place(region->alloc_site, &made);
    const char *more = text("%s, made at %s:%d", region_text(region), made.file, made.line);
    if (region->bytes % access->bytes != 0 || is_some_count(region->bytes))
        refuse(access, SIMT_OUT_OF_BOUNDS, variable, title, more,
               "did you forget `* sizeof`? An allocation's size is in bytes: the count times sizeof(type)");
    refuse(access, SIMT_OUT_OF_BOUNDS, variable, title, more,
           text("%s; or is the allocation too small? Its size is in bytes", guard));
}

/* `address` lies in or near a region of the heap. */
static void check_region(struct access *access, struct region *region)
{
    char variable[128];
    const bool fits = access->address >= region->array && access->bytes <= region->array_bytes &&
                      (size_t)(access->address - region->array) <= region->array_bytes - access->bytes;
    if (fits && !region->freed) {
        access->space = region->space;
        access->region = region;
        access->offset = (size_t)(access->address - region->begin);
        return;
    }
    source_variable(access->address, variable, sizeof variable);
    if (region->freed) {
        const struct freed_words words =
            freed_words(region, "free device memory only after the last kernel that uses it");
        refuse(access, SIMT_USE_AFTER_FREE, variable,
               text("%s of freed memory: %s", noun(access->kind), variable), words.why, words.hint);
    }
    refuse_in_own_region(access, region, variable);
}

static bool in_read_only(const struct module *module, const void *address)
{
    for (size_t i = 0; i < module->read_only_count; i++) {
        if (range_holds(module->read_only[i], address))
            return true;
    }
    return range_holds(module->code, address);
}

/* An extern __shared__ array outside of functions is translated to a reference, which is a host variable. */
static bool refers_to_dynamic_shared(const struct access *access)
{
    return access->bytes == sizeof(char *) && *(char **)access->address == shared_dynamic_base();
}

/* Memory without a name shortly before or behind the __device__ variables was meant to be one of them. */
static void refuse_beside_variables(const struct access *access, const struct module *module)
{
    enum { BESIDE = 1 << 16 };
    const char *begin = module->device.begin, *end = begin + module->device.bytes, *at = access->address;
    const bool behind = at >= end;
    char variable[128] = "";
    if (begin == end || (behind ? at - end : begin - at) > BESIDE)
        return;
    for (const char *near = behind ? end - 1 : begin; !variable[0] && near >= begin && near < end;
         near += behind ? -1 : 1)
        source_variable(near, variable, sizeof variable);
    refuse(access, SIMT_OUT_OF_BOUNDS, variable,
           text("%s out of bounds: %s %s", noun(access->kind), behind ? "behind" : "before", variable),
           text("it is %td bytes away, where the module has no variable", behind ? at - end : begin - at),
           "check the index against the length of the __device__ array");
}

/* An access among the variables of the device that is not wholly in one of them. There is room between any two, which no
 * code may touch: on a GPU the next variable may be there. */
static void refuse_between_variables(const struct access *access, const struct module *module)
{
    struct range owner;
    char variable[128];
    const char *at = access->address;
    if (!module_variable(module, at, &owner))
        return;
    const char *end = owner.begin + owner.bytes;
    if (at >= owner.begin && at + access->bytes <= end)
        return;
    if (at < owner.begin) {
        source_variable(owner.begin, variable, sizeof variable);
        refuse(access, SIMT_OUT_OF_BOUNDS, variable,
               text("%s out of bounds: %s before %s", noun(access->kind),
                    counted((size_t)(owner.begin - at), "byte"), variable),
               text("the variable has %s", counted(owner.bytes, "byte")), below_0);
    }
    source_variable(at < end ? at : end - 1, variable, sizeof variable);
    const char *over =
        at < end ? text("it reaches %s over the end", counted((size_t)(at - end) + access->bytes, "byte"))
                 : text("it begins %s behind the end", counted((size_t)(at - end), "byte"));
    refuse(access, SIMT_OUT_OF_BOUNDS, variable,
           text("%s out of bounds: %s%s", noun(access->kind), at < end ? "" : "behind ", variable),
           text("%s of a variable of %s", over, counted(owner.bytes, "byte")),
           "check the index against the length of the variable, and the type against its own");
}

/* An index below 0 leads before an array: to where nothing is, if it is the first one. */
static void refuse_before_array(struct access *access)
{
    const char *at = access->address;
    struct region *region = memory_find(at + NEAR);
    char variable[128];
    if (region && at < region->begin && !region->freed) {
        source_variable(region->array, variable, sizeof variable);
        refuse(
            access, SIMT_OUT_OF_BOUNDS, variable,
            text("%s out of bounds: %td bytes before %s", noun(access->kind), region->array - at, variable),
            region_text(region), below_0);
    }
    const char *statics = current_launch->static_base, *dynamic = shared_dynamic_base();
    if (current_launch->dynamic_bytes > 0 && at < dynamic && dynamic - at <= (ptrdiff_t)NEAR)
        refuse(access, SIMT_OUT_OF_BOUNDS, "dynamic shared memory",
               text("%s out of bounds: dynamic shared memory, byte %td", noun(access->kind), at - dynamic),
               text("the launch gives the block %zu bytes", current_launch->dynamic_bytes), below_0);
    if (current_launch->static_bytes > 0 && at < statics && statics - at <= (ptrdiff_t)NEAR) {
        source_variable(statics, variable, sizeof variable);
        refuse(access, SIMT_OUT_OF_BOUNDS, variable,
               text("%s out of bounds: %td bytes before %s", noun(access->kind), statics - at,
                    variable[0] ? variable : "shared memory"),
               "it is before all of the block's shared memory", below_0);
    }
}

/* An index too large leads behind the block's shared memory. */
static void refuse_behind_shared(const struct access *access)
{
    enum { BEHIND = 1 << 14 /* bytes */ };
    const char *end = (char *)current_launch->static_base + current_launch->static_bytes,
               *at = access->address;
    char variable[128] = "";
    if (current_launch->static_bytes == 0 || (uintptr_t)at - (uintptr_t)end > BEHIND)
        return;
    for (const char *last = end - 1; !variable[0] && last >= (char *)current_launch->static_base; last--)
        source_variable(last, variable, sizeof variable);
    refuse(access, SIMT_OUT_OF_BOUNDS, variable,
           text("%s out of bounds: behind %s", noun(access->kind), variable[0] ? variable : "shared memory"),
           text("it is %td bytes behind all of the block's shared memory", at - end),
           "is the shared array large enough for the block?");
}

/* An unsigned index of 32 bits below 0, as of p[i - 1u], is one just below 2^32: so far behind the array it leads. */
static void refuse_wrapped_index(const struct access *access)
{
    const size_t wrap = (size_t)1 << 32;
    const char *meant = access->address - access->bytes * wrap, *array = shared_dynamic_base(),
               *end = array + current_launch->dynamic_bytes;
    const struct region *region = memory_nearest(meant);
    char variable[128];
    if (!region)
        region = memory_find(meant + NEAR);
    if (region && !region->freed)
        array = region->array, end = array + region->array_bytes;
    if (array == end || meant < array - NEAR || meant >= end)
        return;
    if (meant > array)
        array = meant;
    source_variable(array, variable, sizeof variable);
    refuse(access, SIMT_OUT_OF_BOUNDS, variable,
           text("%s out of bounds: %zu elements behind %s", noun(access->kind),
                wrap - (size_t)(array - meant) / access->bytes, variable),
           region ? text("%s, made at %s", region_text(region), place_words(region->alloc_site))
                  : text("the launch gives the block %zu bytes", current_launch->dynamic_bytes),
           "an unsigned index below 0 wraps: -1 becomes 4294967295; test it before you subtract");
}

/* Among the addresses that allocations may have, but behind them all: the index is far too large. */
static void refuse_behind_all(const struct access *access)
{
    const char *at = access->address;
    const struct region *last = NULL;
    while (!last && range_holds(memory_arena, at)) {
        at -= MEMORY_PAGE;
        last = memory_find(at);
    }
    if (last)
        refuse(access, SIMT_OUT_OF_BOUNDS, "",
               text("%s out of bounds: %td bytes behind an allocation", noun(access->kind),
                    access->address - (last->begin + last->bytes)),
               text("%s, made at %s", region_text(last), place_words(last->alloc_site)),
               "check the index arithmetic: are sizes in bytes and in elements mixed?");
}

/* A variable of the module: __device__, __constant__, __managed__, a constant table, or a host variable. */
static void check_variable(struct access *access, const struct module *module)
{
    char variable[128];
    if (module_holds_variable(module, access->address)) {
        if (module_without_variables(module))
            refuse(access, SIMT_HOST_POINTER, "", text("%s of host memory in a kernel", noun(access->kind)),
                   text("%p is no device address", (void *)access->address),
                   "check the index arithmetic, and pass pointers from cudaMalloc to the kernel");
        refuse_between_variables(access, module);
    }
    if (range_holds(module->device, access->address)) {
        access->space = MEMORY_VARIABLE;
        return;
    }
    if (range_holds(module->managed, access->address)) {
        access->space = MEMORY_MANAGED;
        return;
    }
    if (range_holds(module->constant, access->address) && !(access->kind & ACCESS_WRITE)) {
        access->space = MEMORY_CONSTANT;
        return;
    }
    if (!(access->kind & ACCESS_WRITE) &&
        (in_read_only(module, access->address) || refers_to_dynamic_shared(access))) {
        access->space = MEMORY_CONSTANT;
        return;
    }
    source_variable(access->address, variable, sizeof variable);
    if (range_holds(module->constant, access->address) || in_read_only(module, access->address))
        refuse(access, SIMT_READ_ONLY, variable, text("write to constant memory: %s", variable),
               "a kernel may only read it",
               "fill it from host code with cudaMemcpyToSymbol, or make it a __device__ variable");
    if (!variable[0])
        refuse_beside_variables(access, module);
    refuse(access, SIMT_HOST_POINTER, variable,
           variable[0] ? text("%s of host variable %s in a kernel", noun(access->kind), variable)
                       : text("%s of host memory in a kernel", noun(access->kind)),
           "it is not declared __device__, so a GPU cannot reach it",
           "pass its value as an argument, or declare it __device__ and fill it with cudaMemcpyToSymbol");
}

void bounds_check_kernel(struct access *access)
{
    char *address = access->address;
    struct region *region = memory_nearest(address);
    char variable[128];

    if (!region && access->bytes > 1)
        region = memory_find(address + access->bytes - 1);
    if (region) {
        check_region(access, region);
        return;
    }
    if ((uintptr_t)address < NEAR)
        refuse(access, SIMT_NULL_POINTER, "", text("%s through a null pointer", noun(access->kind)),
               text("the address is %p", (void *)address), "is the pointer set? Did cudaMalloc succeed?");
    if (shared_holds(address)) {
        source_variable(address, variable, sizeof variable);
        const bool found = variable[0] != 0;
        for (size_t back = 1; !variable[0] && back <= WIDEST_ACCESS; back++) /* the array that ends here */
            source_variable(address - back, variable, sizeof variable);
        refuse(access, SIMT_OUT_OF_BOUNDS, variable,
               text("%s out of bounds: %s%s", noun(access->kind), found ? "" : "behind ", variable),
               "it reaches over the end of shared memory", "is the shared array large enough for the block?");
    }
    long over = shared_dynamic_distance(address);
    if (over >= 0)
        refuse(access, SIMT_OUT_OF_BOUNDS, "dynamic shared memory",
               text("%s out of bounds: dynamic shared memory, byte %ld", noun(access->kind), over),
               text("the launch gives the block %zu bytes", current_launch->dynamic_bytes),
               "the third launch argument <<<blocks, threads, bytes>>> is in bytes");
    if (stacks_hold(address)) {
        refuse(access, SIMT_OTHER_LOCAL, "",
               text("%s of another thread's local variable", noun(access->kind)),
               "its address was handed from thread to thread", "share data in a __shared__ array");
    }
    size_t left;
    if (registered_holds(address, &left) && access->bytes <= left) {
        access->space = MEMORY_PINNED;
        return;
    }
    refuse_before_array(access);
    refuse_wrapped_index(access);
    const struct module *module = module_of_data(address);
    if (module) {
        check_variable(access, module);
        return;
    }
    refuse_behind_shared(access);
    refuse_behind_all(access);
    if (mapped(address))
        refuse(access, SIMT_HOST_POINTER, "", text("%s of host memory in a kernel", noun(access->kind)),
               text("%p is no device address", (void *)address),
               "copy the data into memory from cudaMalloc and pass that pointer to the kernel");
    refuse(access, SIMT_WILD_POINTER, "", text("%s through a wild pointer", noun(access->kind)),
           text("%p is nobody's memory", (void *)address),
           "check the index arithmetic: an unsigned index below 0 wraps to a huge one");
}

_Noreturn void bounds_misaligned(const struct access *access)
{
    char variable[128];
    source_variable(access->address, variable, sizeof variable);
    refuse(access, SIMT_MISALIGNED, variable,
           text("misaligned %s: address %p", noun(access->kind), (void *)access->address),
           text("the address must be a multiple of %zu", access->bytes),
           "a vector type such as float4 needs an index that is a multiple of its length");
}

void bounds_input_written(const struct access *access)
{
    if (finding_repeats(SIMT_INPUT, false, access->site))
        return;
    char variable[128], who[96];
    source_variable(access->address, variable, sizeof variable);
    finding_thread_text(current_thread, who, sizeof who);
    finding_report(&(struct finding_text){
        .kind = SIMT_INPUT,
        .site = access->site,
        .variable = variable,
        .title = text("%s %s %s, which is an input", noun(access->kind),
                      access->kind & ACCESS_ATOMIC ? "on" : "to", variable),
        .detail = text("%s writes %zu bytes; inputs stay as they are, also while the kernel runs", who,
                       access->bytes),
        .hint = "work in shared memory, in the output, or in scratch memory from cudaMalloc"});
}

/* ---- host code ----------------------------------------------------------------------------------------- */

static _Noreturn void refuse_host(enum simt_finding_kind kind, const void *site, const char *variable,
                                  const char *title, const char *detail, const char *hint)
{
    finding_report(&(struct finding_text){
        .kind = kind, .site = site, .variable = variable, .title = title, .detail = detail, .hint = hint});
    fault_raise(ERROR_ILLEGAL_ADDRESS);
}

void bounds_check_host(const void *address, size_t bytes, unsigned kind, const void *site)
{
    struct region *region = memory_find(address);
    char variable[128];

    if ((kind & ACCESS_WRITE) && guard_holds(address, bytes))
        refuse_host(SIMT_WILD_POINTER, site, "", "host code writes to memory that is not its own",
                    "variables of the harness, of the device or of the C library lie there",
                    "write to your own variables and to what malloc or cudaMalloc gave");
    if (region) {
        const char *end = region->begin + region->bytes;
        bool fits = (const char *)address + bytes <= end;
        if (!region->freed && fits && (region->space == MEMORY_PINNED || region->space == MEMORY_MANAGED))
            return;
        source_variable(address, variable, sizeof variable);
        if (region->freed) {
            const struct freed_words words = freed_words(region, "free memory only after its last use");
            refuse_host(SIMT_USE_AFTER_FREE, site, variable,
                        text("%s of freed memory: %s", noun(kind), variable),
                        text("host code touches it; %s", words.why), words.hint);
        }
        if (region->space == MEMORY_GLOBAL)
            refuse_host(SIMT_DEVICE_POINTER, site, variable,
                        text("host code %s device memory: %s", verb(kind), variable),
                        "it comes from cudaMalloc, and only kernels can reach it",
                        "copy it to a host array with cudaMemcpy first, or do the work in a kernel");
        refuse_host(SIMT_OUT_OF_BOUNDS, site, variable, text("%s out of bounds: %s", noun(kind), variable),
                    region_text(region), "check the index against the length");
    }
    for (size_t i = 0; i < module_count(); i++) {
        const struct module *module = module_at(i);
        const char *what = range_holds(module->device, address)                    ? "__device__"
                           : range_holds(module->constant, address)                ? "__constant__"
                           : guard_is_on() && range_holds(module->shared, address) ? "__shared__"
                                                                                   : NULL;
        if (!what)
            continue;
        source_variable(address, variable, sizeof variable);
        refuse_host(SIMT_DEVICE_POINTER, site, variable,
                    text("host code %s %s variable %s", verb(kind), what, variable),
                    "on a GPU the host sees only a shadow of it",
                    "use cudaMemcpyFromSymbol and cudaMemcpyToSymbol");
    }
}
