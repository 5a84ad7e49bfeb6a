/*
 * compiler_checks.c: what g++ checks by itself in translated code (-fsanitize=alignment,bounds,builtin,return) and tells by
 * calls of its own names.
 */
#include "core/access.h"
#include "core/error.h"
#include "core/fault.h"
#include "core/host.h"
#include "core/observer.h"
#include "report/finding.h"
#include "report/source.h"
#include "report/source_text.h"
#include "simt.h"

#include <stdio.h>
#include <string.h>

/* ---- functions that end without the value they should return: g++ -fsanitize=return ------------------------- */

void __ubsan_handle_missing_return(const void *data);
void __ubsan_handle_missing_return(const void *data)
{
    const void *site = __builtin_return_address(0);
    struct simt_place place;
    (void)data;
    host_enter();
    source_place(site, &place);
    finding_report(&(struct finding_text){
        .kind = SIMT_CRASH,
        .site = site,
        .variable = place.function,
        .title = text("%s ends without a return", place.function),
        .detail =
            "it should return a value, and comes to its closing brace: what its caller gets is anything",
        .hint = "return a value on every way out of the function"});
    fault_raise(ERROR_LAUNCH_FAILURE);
}

/* ---- arrays of known length: g++ -fsanitize=bounds --------------------------------------------------------- */

/* A type, as the compiler's runtime interface lays it out. */
struct type_name {
    uint16_t kind, info;
    char name[]; /* 'int [512]', quotes included */
};

struct bounds_data {
    const char *file;
    uint32_t line, column;
    const struct type_name *array, *index;
};

static _Noreturn void index_out_of_bounds(const struct bounds_data *data, uintptr_t index, const void *site)
{
    char type[128], name[128];
    host_enter(); /* this may be host code, and another thread on the device */
    snprintf(type, sizeof type, "%s", data->array->name + (data->array->name[0] == '\''));
    if (type[0] && type[strlen(type) - 1] == '\'')
        type[strlen(type) - 1] = 0;
    if (!source_text_indexed(site, data->file, data->line, data->column, name, sizeof name))
        source_array(site, type, name, sizeof name);
    const bool is_signed = data->index->kind == 0 && (data->index->info & 1);
    const char *at =
        is_signed ? text("%lld", (long long)(intptr_t)index) : text("%llu", (unsigned long long)index);
    char who[96] = "host code";
    if (current_thread)
        finding_thread_text(current_thread, who, sizeof who);
    finding_report(&(struct finding_text){
        .kind = SIMT_OUT_OF_BOUNDS,
        .site = site,
        .variable = name[0] ? text("%s[%s]", name, at) : "",
        .title = text("index out of bounds: %s[%s]", name[0] ? name : "array", at),
        .detail = text("%s; the array is %s\nthe kernel ends here", who, type),
        .hint = "guard the access, or make the array as long as the largest index needs"});
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

enum { STORES = 1 }; /* what: 0 loads, 1 stores; above, a reference or a member of a struct */

void __ubsan_handle_type_mismatch_v1(struct mismatch_data *data, const void *address);
void __ubsan_handle_type_mismatch_v1(struct mismatch_data *data, const void *address)
{
    access_misaligned(address, (size_t)1 << data->log_alignment,
                      data->what == STORES ? ACCESS_WRITE : ACCESS_READ, __builtin_return_address(0));
}

/* ---- integer division by zero: g++ -fsanitize=integer-divide-by-zero, where it is no signal -------------------- */

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
    const char *name = data->kind == 0 ? "__builtin_ctz" : "__builtin_clz";
    finding_report(&(struct finding_text){
        .kind = SIMT_CRASH,
        .site = __builtin_return_address(0),
        .variable = name,
        .title = text("%s() of 0 is anything", name),
        .hint = data->kind == 0 ? "ask for 0 first; in a kernel __ffs(x) is 0 for it"
                                : "ask for 0 first; in a kernel __clz(x) is the number of bits for it"});
    fault_raise(ERROR_LAUNCH_FAILURE);
}
