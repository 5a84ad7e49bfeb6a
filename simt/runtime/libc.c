/* C library functions for translated code. Those that access memory are checked like the code's own accesses, and
 * malloc and free handle the device's heap, too. */
#include "core/access.h"
#include "core/budget.h"
#include "core/fault.h"
#include "core/guard.h"
#include "core/host_heap.h"
#include "core/judge.h"
#include "core/memory.h"
#include "core/observer.h"
#include "core/thread.h"
#include "report/finding.h"
#include "report/memory_words.h"
#include "runtime/device_api.h"
#include "runtime/host_blocks.h"
#include "runtime/runtime.h"
#include "simt.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SITE __builtin_return_address(0)

/* ---- simt_libc.h renames memcpy and similar functions to these --------------------------------------- */

void *simt_memcpy(void *to, const void *from, size_t bytes);
void *simt_memmove(void *to, const void *from, size_t bytes);
void *simt_memset(void *to, int value, size_t bytes);

void *simt_memcpy(void *to, const void *from, size_t bytes)
{
    simt_access_copy(to, from, bytes, SITE);
    return memcpy(to, from, bytes);
}

void *simt_memmove(void *to, const void *from, size_t bytes)
{
    simt_access_copy(to, from, bytes, SITE);
    return memmove(to, from, bytes);
}

void *simt_memset(void *to, int value, size_t bytes)
{
    simt_access_range(to, bytes, ACCESS_WRITE, SITE);
    return memset(to, value, bytes);
}

void *simt_mempcpy(void *to, const void *from, size_t bytes);
void *simt_mempcpy(void *to, const void *from, size_t bytes)
{
    simt_access_copy(to, from, bytes, SITE);
    return (char *)memcpy(to, from, bytes) + bytes;
}

void simt_bcopy(const void *from, void *to, size_t bytes);
void simt_bcopy(const void *from, void *to, size_t bytes)
{
    simt_access_copy(to, from, bytes, SITE);
    memmove(to, from, bytes);
}

void simt_bzero(void *to, size_t bytes);
void simt_bzero(void *to, size_t bytes)
{
    simt_access_range(to, bytes, ACCESS_WRITE, SITE);
    memset(to, 0, bytes);
}

/* ---- allocation -------------------------------------------------------------------------------------------------- */

static void *allocate_in_kernel(size_t bytes, const void *site)
{
    simt_note_used(SIMT_USED_HEAP);
    struct region *region = bytes ? memory_allocate(bytes, MEMORY_GLOBAL, site) : NULL;
    if (!region)
        return NULL;
    observe_allocate(region);
    return region->begin;
}

static void *allocate_in_host(size_t bytes)
{
    void *memory = guard_is_on() ? host_heap_allocate(bytes) : malloc(bytes);
    if (memory)
        budget_spend_allocated(bytes);
    return memory;
}

void *simt_malloc(size_t bytes)
{
    return current_thread ? allocate_in_kernel(bytes, SITE) : allocate_in_host(bytes);
}

void *simt_calloc(size_t count, size_t bytes);
void *simt_calloc(size_t count, size_t bytes)
{
    size_t all;
    void *memory = __builtin_mul_overflow(count, bytes, &all) ? NULL : simt_malloc(all);
    return memory ? memset(memory, 0, all) : NULL;
}

static void free_in_kernel(struct region *region, const void *pointer, const void *site)
{
    if (region && region->freed) {
        const struct freed_memory freed = freed_memory(region, SIMT_HINT_FREE_ONCE);
        finding_report(&(struct finding_facts){.rule = SIMT_RULE_FREED_AGAIN,
                                               .site = site,
                                               .note = {freed.note},
                                               .hint = freed.hint,
                                               .fact = {FREED_FACTS(region)}});
        fault_raise(ERROR_LAUNCH_FAILURE);
    }
    if (!region || region->begin != pointer) {
        finding_report(&(struct finding_facts){.rule = SIMT_RULE_FREE_OF_NO_ALLOCATION,
                                               .site = site,
                                               .hint = SIMT_HINT_FREE_WHAT_MALLOC_GAVE,
                                               .fact = {FACT_TEXT(MEMORY, memory_words(pointer))}});
        fault_raise(ERROR_LAUNCH_FAILURE);
    }
    observe_release(region);
    memory_free(region->begin, site);
}

static void release(void *pointer, const void *site)
{
    if (!pointer)
        return;
    struct region *region = memory_find(pointer);
    if (current_thread) {
        free_in_kernel(region, pointer, site);
    } else if (region) {
        host_enter();
        finding_report(&(struct finding_facts){.rule = SIMT_RULE_FREE_ON_HOST,
                                               .site = site,
                                               .hint = region->space == MEMORY_PINNED
                                                           ? SIMT_HINT_FREE_BY_CUDAFREEHOST
                                                           : SIMT_HINT_FREE_BY_CUDAFREE,
                                               .fact = {FACT_TEXT(MEMORY, memory_words(pointer))}});
        fault_raise(ERROR_INVALID_VALUE);
    } else {
        host_blocks_remove(pointer);
        if (!guard_is_on()) {
            free(pointer);
        } else if (!host_heap_free(pointer)) {
            judge->host_access(pointer, 1, ACCESS_WRITE, site);
            abort(); /* the C library does the same */
        }
    }
}

void simt_free(void *pointer)
{
    release(pointer, SITE);
}

/* The C library copies a block that grows, so it must be a block of the host. */
void *simt_realloc(void *pointer, size_t bytes);
void *simt_realloc(void *pointer, size_t bytes)
{
    if (current_thread || memory_find(pointer))
        release(pointer, SITE); /* reports an error, except for a pointer of a kernel's own heap */
    if (current_thread)
        return NULL;
    if (!guard_is_on())
        return realloc(pointer, bytes);
    const size_t had = host_heap_bytes(pointer);
    void *memory = allocate_in_host(bytes);
    if (memory && pointer) {
        memcpy(memory, pointer, had < bytes ? had : bytes);
        release(pointer, SITE);
    }
    return memory;
}

/* ---- operator new and delete, under their mangled names --------------------------------------------------------- */

void *_Znwm(size_t bytes);
void *_Znam(size_t bytes);
void _ZdlPv(void *pointer);
void _ZdaPv(void *pointer);
void _ZdlPvm(void *pointer, size_t bytes);
void _ZdaPvm(void *pointer, size_t bytes);

/* C++ requires an exception when host memory runs out. C code cannot throw one, so this prints a message and aborts. */
static void *allocate_object(size_t bytes, const void *site)
{
    if (current_thread)
        return allocate_in_kernel(bytes, site);
    void *memory = allocate_in_host(bytes ? bytes : 1);
    if (!memory) {
        fprintf(stderr, "operator new: no memory for %zu bytes\n", bytes);
        abort();
    }
    host_blocks_add(memory, bytes);
    return memory;
}

void *_Znwm(size_t bytes)
{
    return allocate_object(bytes, SITE);
}

void *_Znam(size_t bytes)
{
    return allocate_object(bytes, SITE);
}

void _ZdlPv(void *pointer)
{
    release(pointer, SITE);
}

void _ZdaPv(void *pointer)
{
    release(pointer, SITE);
}

void _ZdlPvm(void *pointer, size_t bytes)
{
    (void)bytes;
    release(pointer, SITE);
}

void _ZdaPvm(void *pointer, size_t bytes)
{
    (void)bytes;
    release(pointer, SITE);
}

/* ---- exceptions ---------------------------------------------------------------------------------------------------- */

/* g++ calls this for the memory of an object that is thrown. The C++ library frees it. */
void *simt_allocate_exception(size_t bytes);
void *simt_allocate_exception(size_t bytes)
{
    static void *(*allocate)(size_t);
    if (!allocate) {
        void *library = dlopen("libstdc++.so.6", RTLD_LAZY | RTLD_NOLOAD); /* the program's library */
        void *found = library ? dlsym(library, "__cxa_allocate_exception") : NULL;
        memcpy(&allocate, &found, sizeof allocate);
    }
    if (!allocate)
        abort();
    budget_spend(BUDGET_OF_THROW);
    budget_spend_allocated(bytes);
    void *object = allocate(bytes);
    guard_note_thrown(object, bytes);
    return object;
}

/* ---- exceptions of containers ------------------------------------------------------------------------------------ */

/* These functions take a text, which the C++ library would copy without checks. C code cannot throw, so the text is
 * printed and the program aborts, like a program that catches nothing. */
static _Noreturn void end_by_exception(const char *text, const void *site)
{
    simt_access_range(text, 1, ACCESS_READ, site);
    fprintf(stderr, "a container of the C++ library throws an exception: %s\n", text);
    abort();
}

#define THROWS(symbol)                                                                                       \
    _Noreturn void symbol(const char *text);                                                                 \
    _Noreturn void symbol(const char *text)                                                                  \
    {                                                                                                        \
        end_by_exception(text, SITE);                                                                        \
    }
THROWS(_ZSt19__throw_logic_errorPKc)
THROWS(_ZSt20__throw_length_errorPKc)
THROWS(_ZSt20__throw_out_of_rangePKc)
THROWS(_ZSt24__throw_invalid_argumentPKc)

_Noreturn void _ZSt24__throw_out_of_range_fmtPKcz(const char *format, ...);
_Noreturn void _ZSt24__throw_out_of_range_fmtPKcz(const char *format, ...)
{
    end_by_exception(format, SITE);
}

/* ---- time ---------------------------------------------------------------------------------------------------------- */

clock_t simt_clock_of_either_side(void);
clock_t simt_clock_of_either_side(void)
{
    return current_thread ? (clock_t)simt_clock() : clock();
}
