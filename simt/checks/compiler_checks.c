/* compiler_checks.c: the checks that g++ itself inserts into translated code
 * (-fsanitize=alignment,bounds,builtin,return,shift-exponent; and in builds for proofs SIMT_DEFINED of simt/module.mk).
 * They report by calling functions whose names g++ defines. */
#include "core/access.h"
#include "core/error.h"
#include "core/fault.h"
#include "core/host.h"
#include "core/memory.h"
#include "core/observer.h"
#include "report/finding.h"
#include "report/source.h"
#include "report/source_text.h"
#include "simt.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- functions that end without returning a value: g++ -fsanitize=return ------------------------------------- */

void __ubsan_handle_missing_return(const void *data);
void __ubsan_handle_missing_return(const void *data)
{
    const void *site = __builtin_return_address(0);
    struct simt_location location;
    (void)data;
    host_enter();
    source_location(site, &location);
    finding_report(&(struct finding_facts){.rule = SIMT_RULE_NOTHING_RETURNED,
                                           .site = site,
                                           .variable = finding_named(location.function),
                                           .note = {SIMT_NOTE_NO_VALUE},
                                           .hint = SIMT_HINT_RETURN_VALUE});
    fault_raise(ERROR_LAUNCH_FAILURE);
}

/* ---- arrays of known length: g++ -fsanitize=bounds --------------------------------------------------------- */

/* A type, in the layout of the compiler's runtime interface. */
struct type_name {
    uint16_t kind, info;
    char name[]; /* 'int [512]', including the quotes */
};

struct bounds_data {
    const char *file;
    uint32_t line, column;
    const struct type_name *array, *index;
};

/* The bound of the first index of an array type, such as "int [512]" or "float [16][17]"; 0 if unknown. */
static uint64_t length_of(const char *type)
{
    const char *bracket = strchr(type, '[');
    return bracket ? strtoull(bracket + 1, NULL, 10) : 0;
}

/* Is the index a number of 32 bits from unwritten memory, or a few elements from it? */
static bool is_near_junk(int64_t index)
{
    const int64_t junk = MEMORY_JUNK * (int64_t)0x01010101, near = 4096;
    return index > junk - near && index < junk + near;
}

/* An index of 32 bits or more in the upper half of its unsigned type was below 0 before it wrapped. */
static enum simt_hint hint_of(const struct simt_variable *variable)
{
    if (is_near_junk(variable->index))
        return SIMT_HINT_JUNK_INDEX;
    const bool wrapped = variable->is_huge || (variable->index > INT32_MAX && variable->index <= UINT32_MAX);
    if (wrapped || variable->index < 0)
        return wrapped ? SIMT_HINT_TEST_BEFORE_SUBTRACTION : SIMT_HINT_INDEX_BELOW_0;
    return current_thread && variable->index == current_thread->number ? SIMT_HINT_FEWER_THREADS_OR_LENGTH
                                                                       : SIMT_HINT_ARRAY_LENGTH;
}

static _Noreturn void index_out_of_bounds(const struct bounds_data *data, uintptr_t index, const void *site)
{
    char type[128], name[128];
    host_enter(); /* this may be host code while another thread uses the device */
    snprintf(type, sizeof type, "%s", data->array->name + (data->array->name[0] == '\''));
    if (type[0] && type[strlen(type) - 1] == '\'')
        type[strlen(type) - 1] = 0;
    if (!source_text_indexed(site, data->file, data->line, data->column, name, sizeof name))
        source_array(site, type, name, sizeof name);
    struct simt_variable variable = finding_named(name);
    variable.is_element = true;
    variable.index = (int64_t)index;
    variable.is_huge = !(data->index->kind == 0 && (data->index->info & 1)) && variable.index < 0;
    variable.length = length_of(type);
    const enum simt_note ends = current_thread ? SIMT_NOTE_KERNEL_ENDS : SIMT_NOTE_HOST_CODE_ENDS;
    finding_report(&(struct finding_facts){.rule = SIMT_RULE_INDEX_OUTSIDE_ARRAY,
                                           .site = site,
                                           .variable = variable,
                                           .note = {SIMT_NOTE_INDEX_OF_TYPE, ends},
                                           .hint = hint_of(&variable),
                                           .fact = {FACT_TEXT(TYPE, type)}});
    fault_raise(ERROR_ILLEGAL_ADDRESS);
}

void __ubsan_handle_out_of_bounds(struct bounds_data *data, uintptr_t index);
void __ubsan_handle_out_of_bounds(struct bounds_data *data, uintptr_t index)
{
    index_out_of_bounds(data, index, __builtin_return_address(0));
}

void __ubsan_handle_out_of_bounds_abort(struct bounds_data *data, uintptr_t index);
void __ubsan_handle_out_of_bounds_abort(struct bounds_data *data, uintptr_t index)
{
    index_out_of_bounds(data, index, __builtin_return_address(0));
}

/* ---- addresses that do not fit their type: g++ -fsanitize=alignment ----------------------------------------- */

struct mismatch_data {
    const char *file;
    uint32_t line, column;
    const struct type_name *type;
    uint8_t log_alignment, what;
};

enum { STORES = 1 }; /* what: 0: load, 1: store, larger: reference or member of a struct */

void __ubsan_handle_type_mismatch_v1(struct mismatch_data *data, const void *address);
void __ubsan_handle_type_mismatch_v1(struct mismatch_data *data, const void *address)
{
    access_misaligned(address, (size_t)1 << data->log_alignment,
                      data->what == STORES ? ACCESS_WRITE : ACCESS_READ, __builtin_return_address(0));
}

/* ---- integer division by zero: g++ -fsanitize=integer-divide-by-zero, if it raises no signal ------------------- */

void __ubsan_handle_divrem_overflow(const void *data, uintptr_t left, uintptr_t right);
void __ubsan_handle_divrem_overflow(const void *data, uintptr_t left, uintptr_t right)
{
    (void)data;
    (void)left;
    (void)right;
    fault_divided_by_zero(__builtin_return_address(0));
}

/* ---- the leading and trailing zeros of 0: g++ -fsanitize=builtin --------------------------------------------- */

struct builtin_data {
    const char *file;
    uint32_t line, column;
    uint8_t kind; /* 0: __builtin_ctz, 1: __builtin_clz */
};

void __ubsan_handle_invalid_builtin(const struct builtin_data *data);
void __ubsan_handle_invalid_builtin(const struct builtin_data *data)
{
    host_enter();
    finding_report(&(struct finding_facts){
        .rule = SIMT_RULE_BITS_OF_ZERO,
        .site = __builtin_return_address(0),
        .variable = finding_named(data->kind == 0 ? "__builtin_ctz" : "__builtin_clz"),
        .hint = data->kind == 0 ? SIMT_HINT_FFS : SIMT_HINT_CLZ});
    fault_raise(ERROR_LAUNCH_FAILURE);
}

/* ---- shifts by the width of the type or more: g++ -fsanitize=shift-exponent ---------------------------------- */

struct shift_data {
    const char *file;
    uint32_t line, column;
    const struct type_name *shifted, *count;
};

enum { IS_SIGNED = 1 }; /* flag of `info`, whose other bits are the logarithm of the width */

static int64_t signed_value(const struct type_name *type, uintptr_t value)
{
    const unsigned unused = 64 - (1u << (type->info >> 1));
    return type->info & IS_SIGNED ? (int64_t)(value << unused) >> unused : (int64_t)value;
}

/* Shifts in host code are not reported, because nvcc compiles host code with the same compiler. In kernels a GPU's
 * shift gives another result than this processor's. */
void __ubsan_handle_shift_out_of_bounds(const struct shift_data *data, uintptr_t shifted, uintptr_t count);
void __ubsan_handle_shift_out_of_bounds(const struct shift_data *data, uintptr_t shifted, uintptr_t count)
{
    (void)shifted;
    host_enter();
    if (current_thread)
        finding_report(
            &(struct finding_facts){.rule = SIMT_RULE_SHIFT_TOO_FAR,
                                    .site = __builtin_return_address(0),
                                    .note = {SIMT_NOTE_SHIFT_UNDEFINED},
                                    .hint = SIMT_HINT_SHIFT,
                                    .fact = {FACT_NUMBER(VALUE, signed_value(data->count, count)),
                                             FACT_NUMBER(BITS, 1u << (data->shifted->info >> 1))}});
    host_leave();
}

/* ---- signed arithmetic that overflows: g++ -fsanitize=signed-integer-overflow -ftrapv ------------------------- */

struct overflow_data {
    const char *file;
    uint32_t line, column;
    const struct type_name *type;
};

/* This is a warning, because here the result wraps around, and may be what was meant. */
static void overflowed(const char *type, const void *site)
{
    char name[64];
    snprintf(name, sizeof name, "%s", type + (type[0] == '\''));
    name[strcspn(name, "'")] = 0;
    host_enter();
    finding_report(&(struct finding_facts){.rule = SIMT_RULE_SIGNED_OVERFLOW,
                                           .warning = true,
                                           .site = site,
                                           .note = {SIMT_NOTE_OVERFLOW_UNDEFINED},
                                           .hint = SIMT_HINT_OVERFLOW,
                                           .fact = {FACT_TEXT(TYPE, name)}});
    host_leave();
}

#define OVERFLOW_HANDLER(operation)                                                                          \
    void __ubsan_handle_##operation##_overflow(const struct overflow_data *data, uintptr_t left,             \
                                               uintptr_t right);                                             \
    void __ubsan_handle_##operation##_overflow(const struct overflow_data *data, uintptr_t left,             \
                                               uintptr_t right)                                              \
    {                                                                                                        \
        (void)left;                                                                                          \
        (void)right;                                                                                         \
        overflowed(data->type->name, __builtin_return_address(0));                                           \
    }
OVERFLOW_HANDLER(add)
OVERFLOW_HANDLER(sub)
OVERFLOW_HANDLER(mul)
OVERFLOW_HANDLER(negate)

/* ---- what else C++ does not define: g++ -fsanitize=float-cast-overflow,bool,enum,unreachable ------------------- */

static void is_not_defined(const char *what, const void *site)
{
    host_enter();
    finding_report(&(struct finding_facts){
        .rule = SIMT_RULE_NOT_DEFINED, .warning = true, .site = site, .variable = finding_named(what)});
    host_leave();
}

void __ubsan_handle_float_cast_overflow(const void *data, uintptr_t value);
void __ubsan_handle_float_cast_overflow(const void *data, uintptr_t value)
{
    (void)data;
    (void)value;
    is_not_defined("a conversion of a float that the integer cannot hold", __builtin_return_address(0));
}

void __ubsan_handle_load_invalid_value(const void *data, uintptr_t value);
void __ubsan_handle_load_invalid_value(const void *data, uintptr_t value)
{
    (void)data;
    (void)value;
    is_not_defined("reading a value that is none of its type", __builtin_return_address(0));
}

void __ubsan_handle_builtin_unreachable(const void *data);
void __ubsan_handle_builtin_unreachable(const void *data)
{
    (void)data;
    host_enter();
    finding_report(&(struct finding_facts){.rule = SIMT_RULE_NOT_DEFINED,
                                           .site = __builtin_return_address(0),
                                           .variable = finding_named("reaching __builtin_unreachable()")});
    fault_raise(ERROR_LAUNCH_FAILURE);
}
