#define _GNU_SOURCE
#include "checks/bounds.h"
#include "checks/races/races.h"
#include "core/arch.h"
#include "core/error.h"
#include "core/fault.h"
#include "core/guard.h"
#include "core/module.h"
#include "core/registered.h"
#include "core/returns.h"
#include "core/shared.h"
#include "core/stacks.h"
#include "report/finding.h"
#include "report/memory_words.h"
#include "report/source.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

static const uintptr_t NEAR = 4096; /* bytes: an access that misses an array by less was meant to be in it */
enum { WIDEST_ACCESS = 16 /* bytes */ };

/* Is this address in memory that a program may own? The address ranges that the device reserves are terabytes large
 * and differ from run to run, so an address in them counts as unmapped. */
static bool mapped(const void *address)
{
    unsigned char resident;
    if (range_holds(memory_arena, address) || range_holds(memory_sparse, address))
        return false;
    return mincore((void *)((uintptr_t)address & -arch_kernel_page()), 1, &resident) == 0;
}

static bool in_table(const void *address)
{
    const size_t pages = memory_arena.bytes / MEMORY_PAGE;
    const struct range table = {(char *)memory_page_region, pages * sizeof *memory_page_region};
    return range_holds(table, address);
}

/* `facts` may have at most one note. */
static _Noreturn void refuse(const struct access *access, struct finding_facts facts)
{
    facts.site = access->site;
    facts.operation = finding_operation(access->kind);
    facts.bytes = access->bytes;
    facts.note[1] = facts.note[0];
    facts.note[0] = SIMT_NOTE_ACCESS;
    facts.note[2] = SIMT_NOTE_KERNEL_ENDS;
    finding_report(&facts);
    fault_raise(facts.rule == SIMT_RULE_ADDRESS_MISALIGNED ? ERROR_MISALIGNED_ADDRESS
                                                           : ERROR_ILLEGAL_ADDRESS);
}

#define REFUSE(access, ...) refuse(access, (struct finding_facts){__VA_ARGS__})

/* Is this number of bytes equal to some number of elements, blocks or threads? */
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

static uint64_t number_in_grid(void)
{
    return current_block->number * current_launch->block_threads + current_thread->number;
}

/* Does the index say that each thread has several elements, k t to k t + k - 1, while there is a thread for each element? */
static bool has_too_many_threads(const struct simt_variable *variable)
{
    const uint64_t threads = current_launch->block_threads, index = (uint64_t)variable->index;
    const uint64_t thread = number_in_grid();
    const uint64_t each = thread > 0 ? index / thread : 0;
    return variable->is_element && variable->length > 0 && each >= 2 && index % thread < each &&
           variable->length % each == 0 && current_launch->grid_blocks * threads >= variable->length;
}

/* The element with the thread's own number, in an array of words, that the thread has read and that holds the index:
 * slots[i] in out[slots[i]]. Null when there is none. The newest array comes first: an array is made of older ones. */
static const char *source_of_index(const struct simt_variable *variable)
{
    const uint64_t thread = number_in_grid();
    for (const struct region *other = memory_newest(); other; other = other->previous) {
        const char *element = other->array + thread * sizeof(uint32_t);
        uint32_t value;
        if (other->freed || other->space != MEMORY_GLOBAL || thread >= other->array_bytes / sizeof value ||
            (other->name && other->element_size != sizeof value))
            continue;
        memcpy(&value, element, sizeof value);
        if (value == variable->index && races_has_read(memory_find(element), element))
            return element;
    }
    return NULL;
}

/* The thread is one that has an element, but the index that it uses is past the end. */
static void ask_about_index(struct finding_facts *facts, char name[static 192])
{
    const char *source = source_of_index(&facts->variable);
    facts->hint = SIMT_HINT_GUARD_INDEX;
    if (!source)
        return;
    const struct simt_variable holder = source_variable(source);
    if (holder.name[0] && holder.is_element)
        snprintf(name, 192, "%s[%" PRId64 "]", holder.name, holder.index);
    else
        snprintf(name, 192, "%s", "a number in an allocation");
    facts->note[0] = SIMT_NOTE_ARRAY_LENGTH_AND_SOURCE;
    facts->hint = SIMT_HINT_INDEX_OF_SCAN;
    facts->fact[0] = (struct finding_fact)FACT_TEXT(HOLDER, name);
}

/* The access is beyond the end of an allocation by the code under test. The code may have passed a count of
 * elements as the size. */
static void refuse_in_own_region(struct access *access, const struct region *region)
{
    static char name[192]; /* threads of a kernel have small stacks */
    struct finding_facts facts = {.rule = SIMT_RULE_OUTSIDE_ARRAY,
                                  .variable = source_variable(access->address),
                                  .note = {SIMT_NOTE_ARRAY_LENGTH},
                                  .hint = SIMT_HINT_GUARD};
    if (!facts.variable.is_element) /* it begins before the part that has a name */
        facts.variable = source_variable(region->array);
    const size_t offset = (size_t)(access->address - region->begin);
    const bool may_be = !region->name && access->address >= region->begin && access->bytes > 1 &&
                        offset / access->bytes < region->bytes;
    if (access->address < region->begin) {
        facts.hint = SIMT_HINT_INDEX_BELOW_0;
    } else if (may_be) {
        facts.note[0] =
            facts.variable.element > 0 ? SIMT_NOTE_BYTES_ALLOCATED : SIMT_NOTE_ARRAY_LENGTH_ALLOCATED;
        facts.fact[1] = (struct finding_fact)FACT_NUMBER(SIZE, region->bytes);
        facts.hint = region->bytes % access->bytes != 0 || is_some_count(region->bytes)
                         ? SIMT_HINT_SIZEOF
                         : SIMT_HINT_GUARD_OR_SIZE;
        facts.fact[0] = (struct finding_fact)FACT_LOCATION(ALLOCATED, region->alloc_site);
    } else if (has_too_many_threads(&facts.variable)) {
        facts.hint = SIMT_HINT_FEWER_THREADS;
    } else if (facts.variable.is_element && facts.variable.length > number_in_grid()) {
        ask_about_index(&facts, name);
    }
    refuse(access, facts);
}

/* `address` is in or near a region of the heap. */
static void check_region(struct access *access, struct region *region)
{
    const bool fits = access->address >= region->array && access->bytes <= region->array_bytes &&
                      (size_t)(access->address - region->array) <= region->array_bytes - access->bytes;
    if (fits && !region->freed) {
        access->space = region->space;
        access->region = region;
        access->offset = (size_t)(access->address - region->begin);
        return;
    }
    if (region->freed) {
        const struct freed_memory freed = freed_memory(region, SIMT_HINT_FREE_AFTER_KERNELS);
        REFUSE(access, .rule = SIMT_RULE_FREED_MEMORY, .variable = source_variable(access->address),
               .note = {freed.note}, .hint = freed.hint, .fact = {FREED_FACTS(region)});
    }
    refuse_in_own_region(access, region);
}

static bool in_read_only(const struct module *module, const void *address)
{
    for (size_t i = 0; i < module->read_only_count; i++) {
        if (range_holds(module->read_only[i], address))
            return true;
    }
    return range_holds(module->code, address);
}

/* An extern __shared__ array outside functions is translated to a reference, which is a host variable. */
static bool refers_to_dynamic_shared(const struct access *access)
{
    return access->bytes == sizeof(char *) && *(char **)access->address == shared_dynamic_base();
}

/* An access to unnamed memory shortly before or after the __device__ variables was meant for one of them. */
static void refuse_beside_variables(const struct access *access, const struct module *module)
{
    enum { BESIDE = 1 << 16 };
    const char *begin = module->device.begin, *end = begin + module->device.bytes, *at = access->address;
    const bool behind = at >= end;
    struct simt_variable variable = {.memory = SIMT_IN_OTHER};
    if (begin == end || (behind ? at - end : begin - at) > BESIDE)
        return;
    for (const char *next = behind ? end - 1 : begin; !variable.name[0] && next >= begin && next < end;
         next += behind ? -1 : 1)
        variable = source_variable(next);
    REFUSE(access, .rule = behind ? SIMT_RULE_BEHIND_VARIABLE : SIMT_RULE_BEFORE_VARIABLES,
           .variable = variable, .note = {SIMT_NOTE_AWAY_FROM_VARIABLES},
           .hint = SIMT_HINT_DEVICE_ARRAY_LENGTH,
           .fact = {FACT_NUMBER(DISTANCE, behind ? at - end : begin - at)});
}

/* An access among the device's variables that is not entirely inside one of them. There are gaps between variables,
 * which no code may access, because on a GPU the next variable may be there. */
static void refuse_between_variables(const struct access *access, const struct module *module)
{
    struct range owner;
    const char *at = access->address;
    if (!module_variable(module, at, &owner))
        return;
    const char *end = owner.begin + owner.bytes;
    if (at >= owner.begin && at + access->bytes <= end)
        return;
    if (at < owner.begin)
        REFUSE(access, .rule = SIMT_RULE_BEFORE_ARRAY, .variable = source_variable(owner.begin),
               .note = {SIMT_NOTE_VARIABLE_SIZE}, .hint = SIMT_HINT_INDEX_BELOW_0,
               .fact = {FACT_NUMBER(DISTANCE, owner.begin - at), FACT_NUMBER(SIZE, owner.bytes)});
    REFUSE(access, .rule = at < end ? SIMT_RULE_OUTSIDE_ARRAY : SIMT_RULE_BEHIND_VARIABLE,
           .variable = source_variable(at < end ? at : end - 1),
           .note = {at < end ? SIMT_NOTE_REACHES_OVER_VARIABLE : SIMT_NOTE_BEGINS_BEHIND_VARIABLE},
           .hint = SIMT_HINT_VARIABLE_LENGTH_AND_TYPE,
           .fact = {FACT_NUMBER(DISTANCE, at < end ? at - end + (ptrdiff_t)access->bytes : at - end),
                    FACT_NUMBER(SIZE, owner.bytes)});
}

/* Replaces a variable without a name by the block's shared memory as a whole. */
static struct simt_variable or_shared_memory(struct simt_variable variable)
{
    return variable.name[0] ? variable : finding_named("shared memory");
}

/* An index below 0 leads before the array, and if it is the first one, to unused memory. */
static void refuse_before_array(struct access *access)
{
    const char *at = access->address;
    struct region *region = memory_find(at + NEAR);
    if (region && at < region->begin && !region->freed)
        REFUSE(access, .rule = SIMT_RULE_BEFORE_ARRAY, .variable = source_variable(region->array),
               .note = {SIMT_NOTE_ARRAY_LENGTH}, .hint = SIMT_HINT_INDEX_BELOW_0,
               .fact = {FACT_NUMBER(DISTANCE, region->array - at)});
    const char *statics = current_launch->static_base, *dynamic = shared_dynamic_base();
    if (current_launch->dynamic_bytes > 0 && at < dynamic && dynamic - at <= (ptrdiff_t)NEAR)
        REFUSE(access, .rule = SIMT_RULE_OUTSIDE_ARRAY, .variable = source_dynamic_shared(at - dynamic),
               .note = {SIMT_NOTE_DYNAMIC_BYTES}, .hint = SIMT_HINT_INDEX_BELOW_0,
               .fact = {FACT_NUMBER(DYNAMIC_BYTES, current_launch->dynamic_bytes)});
    if (current_launch->static_bytes > 0 && at < statics && statics - at <= (ptrdiff_t)NEAR)
        REFUSE(access, .rule = SIMT_RULE_BEFORE_ARRAY, .variable = or_shared_memory(source_variable(statics)),
               .note = {SIMT_NOTE_BEFORE_SHARED}, .hint = SIMT_HINT_INDEX_BELOW_0,
               .fact = {FACT_NUMBER(DISTANCE, statics - at)});
}

/* An index that is too large leads beyond the block's shared memory. */
static void refuse_behind_shared(const struct access *access)
{
    enum { BEHIND = 1 << 14 /* bytes */ };
    const char *end = (char *)current_launch->static_base + current_launch->static_bytes,
               *at = access->address;
    struct simt_variable variable = {.memory = SIMT_IN_OTHER};
    if (current_launch->static_bytes == 0 || (uintptr_t)at - (uintptr_t)end > BEHIND)
        return;
    /* The linker may place a byte of the device before or after the variables. */
    for (const char *last = end; !variable.name[0] && last > (char *)current_launch->static_base; last--) {
        variable = source_variable(last - 1);
        if (variable.name[0])
            end = last;
    }
    REFUSE(access, .rule = SIMT_RULE_BEHIND_VARIABLE, .variable = or_shared_memory(variable),
           .note = {SIMT_NOTE_BEHIND_SHARED}, .hint = SIMT_HINT_SHARED_SIZE,
           .fact = {FACT_NUMBER(DISTANCE, at - end)});
}

/* A 32-bit unsigned index below 0, as in p[i - 1u], becomes just below 2^32, which is far behind the array. */
static void refuse_wrapped_index(const struct access *access)
{
    const size_t wrap = (size_t)1 << 32;
    const char *meant = access->address - access->bytes * wrap, *array = shared_dynamic_base(),
               *end = array + current_launch->dynamic_bytes;
    const struct region *near = memory_nearest(meant), *region = near ? near : memory_find(meant + NEAR);
    if (region && !region->freed)
        array = region->array, end = array + region->array_bytes;
    else
        region = NULL;
    if (array == end || meant < array - NEAR || meant >= end)
        return;
    array = meant > array ? meant : array;
    const size_t behind = wrap - (size_t)(array - meant) / access->bytes;
    struct simt_variable variable = source_variable(array);
    const bool named = variable.name[0] && variable.element == access->bytes;
    variable.index += named ? (int64_t)behind : 0;
    REFUSE(access, .rule = named ? SIMT_RULE_OUTSIDE_ARRAY : SIMT_RULE_UNSIGNED_INDEX_WRAPPED,
           .variable = variable, .note = {region ? memory_length_note(region) : SIMT_NOTE_DYNAMIC_BYTES},
           .hint = SIMT_HINT_TEST_BEFORE_SUBTRACTION,
           .fact = {FACT_NUMBER(ELEMENTS_BEHIND, behind),
                    FACT_NUMBER(DYNAMIC_BYTES, current_launch->dynamic_bytes),
                    FACT_LOCATION(ALLOCATED, region ? region->alloc_site : NULL)});
}

/* The address is in the range of allocations but after all of them: the index is far too large. */
static void refuse_behind_all(const struct access *access)
{
    const char *at = access->address;
    const struct region *last = NULL;
    while (!last && range_holds(memory_arena, at)) {
        at -= MEMORY_PAGE;
        last = memory_find(at);
    }
    if (last)
        REFUSE(access, .rule = SIMT_RULE_BEHIND_ALLOCATIONS,
               .variable = source_variable(last->array + last->array_bytes - 1),
               .note = {memory_length_note(last)}, .hint = SIMT_HINT_BYTES_OR_ELEMENTS,
               .fact = {FACT_NUMBER(DISTANCE, access->address - (last->begin + last->bytes)),
                        FACT_LOCATION(ALLOCATED, last->alloc_site)});
}

/* A variable of the module: __device__, __constant__, __managed__, a constant table, or a host variable. */
static void check_variable(struct access *access, const struct module *module)
{
    if (module_holds_variable(module, access->address)) {
        if (module_without_variables(module))
            REFUSE(access, .rule = SIMT_RULE_HOST_MEMORY, .note = {SIMT_NOTE_NO_DEVICE_ADDRESS},
                   .hint = SIMT_HINT_POINTERS_FROM_CUDAMALLOC);
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
    const struct simt_variable variable = source_variable(access->address);
    if (range_holds(module->constant, access->address) || in_read_only(module, access->address))
        REFUSE(access, .rule = SIMT_RULE_CONSTANT_WRITTEN, .variable = variable,
               .note = {SIMT_NOTE_ONLY_READ}, .hint = SIMT_HINT_FILL_CONSTANT);
    if (!variable.name[0])
        refuse_beside_variables(access, module);
    REFUSE(access, .rule = variable.name[0] ? SIMT_RULE_HOST_VARIABLE : SIMT_RULE_HOST_MEMORY,
           .variable = variable, .note = {SIMT_NOTE_NOT_DECLARED_DEVICE}, .hint = SIMT_HINT_DECLARE_DEVICE);
}

void bounds_check_kernel(struct access *access)
{
    char *address = access->address;
    struct region *region = memory_nearest(address);

    if (!region && access->bytes > 1)
        region = memory_find(address + access->bytes - 1);
    if (region) {
        check_region(access, region);
        return;
    }
    if ((uintptr_t)address < NEAR)
        REFUSE(access, .rule = SIMT_RULE_NULL_POINTER, .note = {SIMT_NOTE_ADDRESS},
               .hint = SIMT_HINT_POINTER_SET, .fact = {finding_address(address)});
    if (shared_holds(address)) {
        struct simt_variable variable = source_variable(address);
        const bool found = variable.name[0] != 0;
        for (size_t back = 1; !variable.name[0] && back <= WIDEST_ACCESS;
             back++) /* finds the array that ends here */
            variable = source_variable(address - back);
        REFUSE(access, .rule = found ? SIMT_RULE_OUTSIDE_ARRAY : SIMT_RULE_BEHIND_VARIABLE,
               .variable = variable, .note = {SIMT_NOTE_REACHES_OVER_SHARED}, .hint = SIMT_HINT_SHARED_SIZE);
    }
    const long over = shared_dynamic_distance(address);
    if (over >= 0)
        REFUSE(access, .rule = SIMT_RULE_OUTSIDE_ARRAY, .variable = source_dynamic_shared(over),
               .note = {SIMT_NOTE_DYNAMIC_BYTES}, .hint = SIMT_HINT_DYNAMIC_BYTES,
               .fact = {FACT_NUMBER(DYNAMIC_BYTES, current_launch->dynamic_bytes)});
    if (stacks_hold(address))
        REFUSE(access, .rule = SIMT_RULE_LOCAL_OF_ANOTHER, .note = {SIMT_NOTE_HANDED_BETWEEN_THREADS},
               .hint = SIMT_HINT_SHARE_BY_SHARED);
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
    if (mapped(address) && !in_table(address))
        REFUSE(access, .rule = SIMT_RULE_HOST_MEMORY, .note = {SIMT_NOTE_NO_DEVICE_ADDRESS},
               .hint = SIMT_HINT_COPY_TO_DEVICE);
    REFUSE(access, .rule = SIMT_RULE_WILD_POINTER, .note = {SIMT_NOTE_NOBODYS_ADDRESS},
           .hint = SIMT_HINT_UNSIGNED_WRAPS, .fact = {finding_address(address)});
}

_Noreturn void bounds_misaligned(const struct access *access)
{
    REFUSE(access, .rule = SIMT_RULE_ADDRESS_MISALIGNED, .variable = source_variable(access->address),
           .note = {SIMT_NOTE_ALIGNMENT}, .hint = SIMT_HINT_VECTOR_INDEX,
           .fact = {FACT_NUMBER(DISTANCE, (uintptr_t)access->address % access->bytes)});
}

void bounds_input_written(const struct access *access)
{
    if (finding_repeats(SIMT_INPUT, false, access->site))
        return;
    finding_report(&(struct finding_facts){.rule = SIMT_RULE_INPUT_WRITTEN,
                                           .site = access->site,
                                           .variable = source_variable(access->address),
                                           .operation = finding_operation(access->kind),
                                           .bytes = access->bytes,
                                           .note = {SIMT_NOTE_INPUT_STAYS},
                                           .hint = SIMT_HINT_WORK_ELSEWHERE});
}

/* ---- host code ----------------------------------------------------------------------------------------- */

struct host_access {
    const void *address, *site;
    size_t bytes;
    unsigned kind; /* enum access_kind */
};

static _Noreturn void refuse_host(const struct host_access *access, struct finding_facts facts)
{
    facts.site = access->site;
    facts.operation = finding_operation(access->kind);
    facts.bytes = access->bytes;
    finding_report(&facts);
    fault_raise(ERROR_ILLEGAL_ADDRESS);
}

#define REFUSE_HOST(access, ...) refuse_host(access, (struct finding_facts){__VA_ARGS__})

/* Called when the address is in a region. */
static void check_host_region(const struct host_access *access, const struct region *region)
{
    const bool fits = (const char *)access->address + access->bytes <= region->begin + region->bytes;
    if (!region->freed && fits && (region->space == MEMORY_PINNED || region->space == MEMORY_MANAGED))
        return;
    const struct simt_variable variable = source_variable(access->address);
    if (region->freed) {
        const struct freed_memory freed = freed_memory(region, SIMT_HINT_FREE_AFTER_USE);
        REFUSE_HOST(access, .rule = SIMT_RULE_FREED_MEMORY, .variable = variable,
                    .note = {SIMT_NOTE_HOST_TOUCHES, freed.note}, .hint = freed.hint,
                    .fact = {FREED_FACTS(region)});
    }
    if (region->space == MEMORY_GLOBAL)
        REFUSE_HOST(access, .rule = SIMT_RULE_DEVICE_MEMORY, .variable = variable,
                    .note = {SIMT_NOTE_FROM_CUDAMALLOC}, .hint = SIMT_HINT_COPY_TO_HOST);
    REFUSE_HOST(access, .rule = SIMT_RULE_OUTSIDE_ARRAY, .variable = variable,
                .note = {SIMT_NOTE_ARRAY_LENGTH}, .hint = SIMT_HINT_LENGTH);
}

_Noreturn void bounds_return_changed(const void *site)
{
    finding_report(&(struct finding_facts){.rule = SIMT_RULE_RETURN_CHANGED,
                                           .site = site,
                                           .note = {SIMT_NOTE_RETURN_IN_FRAME},
                                           .hint = SIMT_HINT_OWN_MEMORY});
    fault_raise(ERROR_ILLEGAL_ADDRESS);
}

void bounds_check_host(const void *address, size_t bytes, unsigned kind, const void *site)
{
    const struct host_access access = {address, site, bytes, kind};
    const struct region *region = memory_find(address);

    if (region) {
        check_host_region(&access, region);
        return;
    }
    for (size_t i = 0; i < module_count(); i++) {
        const struct module *module = module_at(i);
        const char *what = range_holds(module->device, address)                    ? "__device__"
                           : range_holds(module->constant, address)                ? "__constant__"
                           : guard_is_on() && range_holds(module->shared, address) ? "__shared__"
                                                                                   : NULL;
        if (what)
            REFUSE_HOST(&access, .rule = SIMT_RULE_DEVICE_VARIABLE, .variable = source_variable(address),
                        .note = {SIMT_NOTE_HOST_SHADOW}, .hint = SIMT_HINT_COPY_SYMBOL,
                        .fact = {FACT_TEXT(SPACE, what)});
    }
    if (!guard_is_on() || guard_allows(address, bytes, kind & ACCESS_WRITE) || !mapped(address))
        return; /* an access to an unmapped page crashes, and is reported as a crash */
    if (kind & ACCESS_WRITE)
        REFUSE_HOST(&access, .rule = SIMT_RULE_HARNESS_MEMORY, .note = {SIMT_NOTE_HARNESS_OWNS},
                    .hint = SIMT_HINT_OWN_MEMORY);
    REFUSE_HOST(&access, .rule = SIMT_RULE_HARNESS_READ, .note = {SIMT_NOTE_HARNESS_OWNS},
                .hint = SIMT_HINT_COPY_TO_HOST);
}
