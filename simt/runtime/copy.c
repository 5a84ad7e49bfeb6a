/* The runtime API: copies and fills. Each function checks both ranges against the arguments of the call, then calls
 * the observers, and only then moves bytes. */
#include "runtime/copy.h"
#include "runtime/graph.h"
#include "checks/sampled/sample.h"
#include "core/budget.h"
#include "core/memory.h"
#include "core/module.h"
#include "core/observer.h"
#include "core/registered.h"
#include "include/simt_host_arrays.h"
#include "report/finding.h"
#include "report/memory_words.h"
#include "report/variables.h"
#include "runtime/host_blocks.h"
#include "runtime/runtime.h"
#include "simt.h"

#include <string.h>

/* ---- checking ------------------------------------------------------------------------------------------------ */

static bool device_may_touch(const void *address)
{
    struct region *region;
    size_t bytes_left;
    enum memory_space space = memory_classify(address, &region);
    if (registered_holds(address, &bytes_left))
        return true;
    return !(region && region->freed) &&
           (space == MEMORY_GLOBAL || space == MEMORY_MANAGED || space == MEMORY_PINNED ||
            space == MEMORY_VARIABLE || space == MEMORY_CONSTANT);
}

static bool host_may_touch(const void *address)
{
    struct region *region;
    enum memory_space space = memory_classify(address, &region);
    return address && !(region && region->freed) &&
           (space == MEMORY_HOST || space == MEMORY_MANAGED || space == MEMORY_PINNED);
}

const char *copy_direction(enum cudaMemcpyKind kind)
{
    static const char *const words[] = {"cudaMemcpyHostToHost", "cudaMemcpyHostToDevice",
                                        "cudaMemcpyDeviceToHost", "cudaMemcpyDeviceToDevice",
                                        "cudaMemcpyDefault"};
    return (unsigned)kind <= cudaMemcpyDefault ? words[kind] : NULL;
}

/* The memory that an end of a copy points into: a note for the finding, and its data. */
struct owner {
    enum simt_note note;
    const char *name;    /* null if the note needs no name */
    size_t bytes;        /* size of a host variable */
    const void *made_at; /* site of the allocation */
};

/* The number of bytes of host memory that are left; SIZE_MAX when it is unknown. The symbol table has global and
 * static variables, and blocks of operator new are recorded. For local arrays and arrays of malloc, the size is the
 * one that the compiler derived. */
static size_t host_bytes_left(const struct end *end, struct owner *owner)
{
    const struct module *module = module_of_data(end->address);
    struct variable variable;
    struct range whole;
    size_t left = module ? SIZE_MAX : end->left;
    if (!module)
        host_blocks_find(end->address, &left);
    owner->note = SIMT_NOTE_POINTS_INTO_HOST_ARRAY;
    if (module && module_host_variable(module, end->address, &whole)) {
        left = (size_t)(whole.begin + whole.bytes - (const char *)end->address);
        if (variables_find(module, whole.begin, &variable))
            *owner =
                (struct owner){SIMT_NOTE_POINTS_INTO_VARIABLE, text("%s", variable.name), whole.bytes, NULL};
    }
    return left;
}

/* The number of bytes from an address to the end of its memory; SIZE_MAX for host memory of unknown length. */
static size_t bytes_left(const struct end *end, struct owner *owner)
{
    const void *address = end->address;
    struct region *region;
    size_t left = SIZE_MAX;
    enum memory_space space = memory_classify(address, &region);
    if (region) {
        const char *behind = region->begin + region->bytes;
        left = (const char *)address < behind ? (size_t)(behind - (const char *)address) : 0;
        *owner = region->name ? (struct owner){SIMT_NOTE_POINTS_INTO, region->name, 0, NULL}
                              : (struct owner){SIMT_NOTE_POINTS_INTO_ALLOCATION, NULL, 0, region->alloc_site};
    } else if (space == MEMORY_VARIABLE || space == MEMORY_CONSTANT || space == MEMORY_MANAGED) {
        const struct module *module = module_of_data(address);
        struct variable variable;
        struct range whole;
        if (module && module_variable(module, address, &whole)) {
            left =
                range_holds(whole, address) ? (size_t)(whole.begin + whole.bytes - (const char *)address) : 0;
            *owner = (struct owner){SIMT_NOTE_POINTS_INTO,
                                    variables_find(module, whole.begin, &variable) ? text("%s", variable.name)
                                                                                   : "a variable",
                                    0, NULL};
        }
    } else if (space == MEMORY_HOST) {
        left = host_bytes_left(
            end, owner); /* for registered memory, too: its array may be longer than the registered part */
    }
    return left;
}

static cudaError_t fail_too_long(const struct api_call *call, const struct end *end, size_t left,
                                 const struct owner *owner, const struct region *region)
{
    const bool of_host =
        owner->note == SIMT_NOTE_POINTS_INTO_VARIABLE || owner->note == SIMT_NOTE_POINTS_INTO_HOST_ARRAY;
    const bool is_factor =
        region && !region->name && left == region->bytes && end->bytes % left == 0 && end->bytes / left <= 16;
    return RUNTIME_FAIL(call, cudaErrorInvalidValue, .rule = SIMT_RULE_COPY_TOO_LONG,
                        .note = {owner->note, of_host ? SIMT_NOTE_ENDS_TOO_EARLY : SIMT_NOTE_NONE},
                        .hint = is_factor                     ? SIMT_HINT_SIZEOF_IN_ALLOCATION
                                : left == 0 && region != NULL ? SIMT_HINT_COPY_AT_THE_END
                                                              : SIMT_HINT_COUNT_OF_COPY,
                        .fact = {FACT_TEXT(ARGUMENT, end->name), FACT_NUMBER(SIZE, left),
                                 FACT_NUMBER(VALUE, end->bytes), FACT_NUMBER(ELEMENTS, owner->bytes),
                                 FACT_NUMBER(DISTANCE, end->bytes - left), FACT_TEXT(HOLDER, owner->name),
                                 FACT_LOCATION(ALLOCATED, owner->made_at)});
}

#define SIDE_FACTS(end, claim)                                                                               \
    FACT_TEXT(ARGUMENT, (end)->name), FACT_TEXT(MEMORY, memory_words((end)->address)),                       \
        FACT_TEXT(DIRECTION, claim)

/* An element of an array at a null pointer, perhaps the one before it. */
static bool is_near_null(const void *address)
{
    const uintptr_t near = 4096;
    return (uintptr_t)address + near < 2 * near;
}

/* `claim` is the text that says on which side the memory is: a direction, or a word for the call. */
cudaError_t copy_check_end(const struct api_call *call, const struct end *end, const char *claim)
{
    const void *address = end->address;
    struct region *region;
    memory_classify(address, &region);
    if (region && region->freed) {
        const struct freed_memory freed = freed_memory(region, SIMT_HINT_FREE_IT_AFTER_USE);
        return RUNTIME_FAIL(call, cudaErrorInvalidValue, .rule = SIMT_RULE_COPY_OF_FREED_MEMORY,
                            .note = {freed.note}, .hint = freed.hint,
                            .fact = {FACT_TEXT(ARGUMENT, end->name), FREED_FACTS(region)});
    }
    if (!address)
        return RUNTIME_FAIL(call, cudaErrorInvalidValue, .rule = SIMT_RULE_ARGUMENT_NULL,
                            .hint = SIMT_HINT_ALLOCATION_CHECKED, .fact = {FACT_TEXT(ARGUMENT, end->name)});
    if (is_near_null(address))
        return RUNTIME_FAIL(call, cudaErrorInvalidValue, .rule = SIMT_RULE_ARGUMENT_NEAR_NULL,
                            .hint = SIMT_HINT_NOTHING_ALLOCATED, .fact = {FACT_TEXT(ARGUMENT, end->name)});
    if (end->side == SIDE_DEVICE && !device_may_touch(address))
        return RUNTIME_FAIL(call, cudaErrorInvalidValue, .rule = SIMT_RULE_DEVICE_MEMORY_WANTED,
                            .hint = SIMT_HINT_POINTERS_SWAPPED, .fact = {SIDE_FACTS(end, claim)});
    if (end->side == SIDE_HOST && !host_may_touch(address) && !device_may_touch(address))
        return RUNTIME_FAIL(call, cudaErrorInvalidValue, .rule = SIMT_RULE_HOST_MEMORY_WANTED,
                            .fact = {SIDE_FACTS(end, claim)});
    struct owner owner = {.note = SIMT_NOTE_NONE};
    const size_t left = bytes_left(end, &owner);
    return end->bytes > left ? fail_too_long(call, end, left, &owner, region) : cudaSuccess;
}

/* Fills in the side of each end. */
static cudaError_t take_direction(const struct api_call *call, enum cudaMemcpyKind kind, struct end *to,
                                  struct end *from)
{
    if ((unsigned)kind > cudaMemcpyDefault)
        return RUNTIME_FAIL(call, cudaErrorInvalidMemcpyDirection, .rule = SIMT_RULE_NO_DIRECTION,
                            .hint = SIMT_HINT_DIRECTION_LAST, .fact = {FACT_NUMBER(VALUE, kind)});
    to->side = kind == cudaMemcpyDefault                                            ? SIDE_EITHER
               : kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice ? SIDE_DEVICE
                                                                                    : SIDE_HOST;
    from->side = kind == cudaMemcpyDefault                                            ? SIDE_EITHER
                 : kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice ? SIDE_DEVICE
                                                                                      : SIDE_HOST;
    return cudaSuccess;
}

/* Warns of a wrong direction that the CUDA runtime accepts because it goes by the addresses. */
static void warn_of_side(const struct api_call *call, const struct end *end, enum cudaMemcpyKind kind)
{
    if (end->side == SIDE_HOST && !host_may_touch(end->address))
        RUNTIME_NOTE(call, .warning = true, .rule = SIMT_RULE_DIRECTION_SAYS_HOST,
                     .hint = SIMT_HINT_SAY_DIRECTION, .fact = {SIDE_FACTS(end, copy_direction(kind))});
}

static cudaError_t check_copy(const struct api_call *call, struct end *to, struct end *from,
                              enum cudaMemcpyKind kind)
{
    cudaError_t error = take_direction(call, kind, to, from);
    if (!error)
        error = copy_check_end(call, to, copy_direction(kind));
    if (!error)
        error = copy_check_end(call, from, copy_direction(kind));
    if (error)
        return error;
    runtime_writes(call, to->address, to->bytes);
    runtime_reads(call, from->address, from->bytes);
    warn_of_side(call, to, kind);
    warn_of_side(call, from, kind);
    return cudaSuccess;
}

/* Reports a copy or fill that writes to an input. The copy is done anyway, as on a GPU. */
static void note_input(const struct api_call *call, const void *to)
{
    const struct region *region = memory_find(to);
    if (region && region->is_input)
        finding_report(&(struct finding_facts){.rule = SIMT_RULE_INPUT_COPIED_TO,
                                               .site = call->site,
                                               .variable = finding_named(region->name),
                                               .operation = SIMT_WRITE,
                                               .hint = SIMT_HINT_DESTINATION,
                                               .fact = {FACT_TEXT(FUNCTION, call->function)}});
}

/* ---- moving --------------------------------------------------------------------------------------------------- */

void copy_move(const struct api_call *call, void *to, const void *from, size_t bytes, struct queue queue)
{
    const char *low = (const char *)to < (const char *)from ? to : from;
    const char *high = low == (const char *)to ? from : to;
    if (low != high && low + bytes > high)
        RUNTIME_NOTE(call, .rule = SIMT_RULE_RANGES_OVERLAP, .hint = SIMT_HINT_THIRD_BUFFER,
                     .fact = {FACT_NUMBER(SIZE, low + bytes - high)});
    note_input(call, to);
    const struct copy copy = {to, from, bytes, queue.stream, call->site, queue.asynchronous};
    if (sampler && !sample_copy(&copy))
        return;
    budget_spend_copied(copy.bytes);
    observe_copy(&copy);
    memmove(to, from, bytes);
}

/* What the compiler has derived about both ends: see simt_host_arrays.h. */
struct known {
    size_t to, from;
};
static const struct known UNKNOWN = {SIZE_MAX, SIZE_MAX};

static cudaError_t copy(const struct api_call *call, void *dst, const void *src, size_t count,
                        enum cudaMemcpyKind kind, struct queue queue, struct known known)
{
    if (count == 0)
        return cudaSuccess;
    cudaError_t error = runtime_enter(call);
    if (!error && queue.asynchronous && graph_captures &&
        graph_captures_copy(call, dst, src, count, kind, queue.stream))
        return cudaSuccess;
    if (!error)
        error = runtime_check_stream(call, queue.stream);
    struct end to = {"dst", dst, count, SIDE_EITHER, known.to};
    struct end from = {"src", src, count, SIDE_EITHER, known.from};
    if (!error)
        error = check_copy(call, &to, &from, kind);
    if (!error)
        copy_move(call, dst, src, count, queue);
    return error;
}

cudaError_t cudaMemcpy(void *dst, const void *src, size_t count, enum cudaMemcpyKind kind)
{
    API_ENTER;
    return copy(&call, dst, src, count, kind, WAITED, UNKNOWN);
}

cudaError_t copy_queued(const struct api_call *call, void *to, const void *from, size_t bytes,
                        enum cudaMemcpyKind kind, cudaStream_t stream)
{
    return copy(call, to, from, bytes, kind, QUEUED(stream), UNKNOWN);
}

cudaError_t cudaMemcpyAsync(void *dst, const void *src, size_t count, enum cudaMemcpyKind kind,
                            cudaStream_t stream)
{
    API_ENTER;
    return copy(&call, dst, src, count, kind, QUEUED(stream), UNKNOWN);
}

cudaError_t simt_copy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind, size_t to_left,
                      size_t from_left)
{
    API_ENTER;
    call.function = "cudaMemcpy";
    return copy(&call, to, from, bytes, kind, WAITED, (struct known){to_left, from_left});
}

cudaError_t simt_copy_queued(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
                             cudaStream_t stream, size_t to_left, size_t from_left)
{
    API_ENTER;
    call.function = "cudaMemcpyAsync";
    return copy(&call, to, from, bytes, kind, QUEUED(stream), (struct known){to_left, from_left});
}

/* ---- two dimensions --------------------------------------------------------------------------------------------- */

static cudaError_t check_pitch(const struct api_call *call, const char *name, size_t pitch, size_t width)
{
    if (width <= pitch)
        return cudaSuccess;
    return RUNTIME_FAIL(
        call, cudaErrorInvalidPitchValue, .rule = SIMT_RULE_ROW_WIDER_THAN_PITCH,
        .hint = SIMT_HINT_WIDTH_IN_BYTES,
        .fact = {FACT_NUMBER(VALUE, width), FACT_TEXT(ARGUMENT, name), FACT_NUMBER(MOST, pitch)});
}

/* The number of bytes from the first byte of the rectangle to its end; SIZE_MAX on overflow. */
static size_t extent(size_t pitch, size_t width, size_t height)
{
    size_t bytes;
    if (__builtin_mul_overflow(pitch, height - 1, &bytes) || __builtin_add_overflow(bytes, width, &bytes))
        return SIZE_MAX;
    return bytes;
}

/* Does a sampled run skip this rectangle? It skips one that is too long as a whole, however short its rows are. */
static bool left_out(const struct api_call *call, const struct end *to, const struct end *from,
                     struct queue queue)
{
    if (!sampler)
        return false;
    struct copy whole = {NULL, from->address, from->bytes, queue.stream, call->site, queue.asynchronous};
    bool wanted = !from->address || sample_copy(&whole);
    whole.to = (void *)to->address;
    whole.from = NULL;
    whole.bytes = to->bytes;
    if (sample_copy(&whole) && wanted)
        return false;
    note_input(call, to->address);
    return true;
}

static cudaError_t copy_2d(const struct api_call *call, void *dst, size_t dpitch, const void *src,
                           size_t spitch, size_t width, size_t height, enum cudaMemcpyKind kind,
                           struct queue queue, struct known known)
{
    if (width == 0 || height == 0)
        return cudaSuccess;
    cudaError_t error = runtime_enter(call);
    if (!error)
        error = runtime_check_stream(call, queue.stream);
    if (!error)
        error = check_pitch(call, "dpitch", dpitch, width);
    if (!error)
        error = check_pitch(call, "spitch", spitch, width);
    if (error)
        return error;
    struct end to = {"dst", dst, extent(dpitch, width, height), SIDE_EITHER, known.to};
    struct end from = {"src", src, extent(spitch, width, height), SIDE_EITHER, known.from};
    error = check_copy(call, &to, &from, kind);
    if (error)
        return error;
    if (dpitch == width && spitch == width) {
        copy_move(call, dst, src, width * height, queue);
        return cudaSuccess;
    }
    if (left_out(call, &to, &from, queue))
        return cudaSuccess;
    for (size_t row = 0; row < height; row++)
        copy_move(call, (char *)dst + row * dpitch, (const char *)src + row * spitch, width, queue);
    return cudaSuccess;
}

cudaError_t cudaMemcpy2D(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width,
                         size_t height, enum cudaMemcpyKind kind)
{
    API_ENTER;
    return copy_2d(&call, dst, dpitch, src, spitch, width, height, kind, WAITED, UNKNOWN);
}

cudaError_t cudaMemcpy2DAsync(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width,
                              size_t height, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    API_ENTER;
    return copy_2d(&call, dst, dpitch, src, spitch, width, height, kind, QUEUED(stream), UNKNOWN);
}

cudaError_t simt_copy_2d(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                         size_t height, enum cudaMemcpyKind kind, size_t to_left, size_t from_left)
{
    API_ENTER;
    call.function = "cudaMemcpy2D";
    return copy_2d(&call, to, to_pitch, from, from_pitch, width, height, kind, WAITED,
                   (struct known){to_left, from_left});
}

cudaError_t simt_copy_2d_queued(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                                size_t height, enum cudaMemcpyKind kind, cudaStream_t stream, size_t to_left,
                                size_t from_left)
{
    API_ENTER;
    call.function = "cudaMemcpy2DAsync";
    return copy_2d(&call, to, to_pitch, from, from_pitch, width, height, kind, QUEUED(stream),
                   (struct known){to_left, from_left});
}

/* ---- fills -------------------------------------------------------------------------------------------------------- */

static void fill(const struct api_call *call, void *to, int value, size_t bytes, struct queue queue)
{
    note_input(call, to);
    const struct copy copy = {to, NULL, bytes, queue.stream, call->site, queue.asynchronous};
    if (sampler && !sample_copy(&copy))
        return;
    budget_spend_copied(copy.bytes);
    observe_copy(&copy);
    memset(to, value, bytes);
}

static cudaError_t check_fill(const struct api_call *call, void *to, size_t bytes, struct queue queue)
{
    cudaError_t error = runtime_enter(call);
    if (!error)
        error = runtime_check_stream(call, queue.stream);
    if (error)
        return error;
    return copy_check_end(call, &(struct end){"devPtr", to, bytes, SIDE_DEVICE, SIZE_MAX}, "a fill");
}

static cudaError_t set(const struct api_call *call, void *to, int value, size_t bytes, struct queue queue)
{
    if (bytes == 0 ||
        (queue.asynchronous && graph_captures && graph_captures_fill(call, to, value, bytes, queue.stream)))
        return cudaSuccess;
    cudaError_t error = check_fill(call, to, bytes, queue);
    if (error)
        return error;
    if (value < -128 || value > 255)
        RUNTIME_NOTE(call, .warning = true, .rule = SIMT_RULE_FILL_IS_NO_BYTE,
                     .hint = SIMT_HINT_FILL_IN_KERNEL,
                     .fact = {FACT_NUMBER(VALUE, value), FACT_NUMBER(WRITTEN, value & 255)});
    fill(call, to, value, bytes, queue);
    return cudaSuccess;
}

cudaError_t cudaMemset(void *devPtr, int value, size_t count)
{
    API_ENTER;
    return set(&call, devPtr, value, count, WAITED);
}

cudaError_t fill_queued(const struct api_call *call, void *to, int value, size_t bytes, cudaStream_t stream)
{
    return set(call, to, value, bytes, QUEUED(stream));
}

cudaError_t cudaMemsetAsync(void *devPtr, int value, size_t count, cudaStream_t stream)
{
    API_ENTER;
    return set(&call, devPtr, value, count, QUEUED(stream));
}

static cudaError_t set_2d(const struct api_call *call, void *to, size_t pitch, int value, size_t width,
                          size_t height, struct queue queue)
{
    if (width == 0 || height == 0)
        return cudaSuccess;
    cudaError_t error = check_fill(call, to, 1, queue);
    if (!error)
        error = check_pitch(call, "pitch", pitch, width);
    if (!error)
        error = check_fill(call, to, extent(pitch, width, height), queue);
    if (error)
        return error;
    const struct end whole = {"devPtr", to, extent(pitch, width, height), SIDE_DEVICE, SIZE_MAX}, none = {0};
    if (left_out(call, &whole, &none, queue))
        return cudaSuccess;
    for (size_t row = 0; row < height; row++)
        fill(call, (char *)to + row * pitch, value, width, queue);
    return cudaSuccess;
}

cudaError_t cudaMemset2D(void *devPtr, size_t pitch, int value, size_t width, size_t height)
{
    API_ENTER;
    return set_2d(&call, devPtr, pitch, value, width, height, WAITED);
}

cudaError_t cudaMemset2DAsync(void *devPtr, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream)
{
    API_ENTER;
    return set_2d(&call, devPtr, pitch, value, width, height, QUEUED(stream));
}
