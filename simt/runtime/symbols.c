/* The runtime API: copies to and from __device__ and __constant__ variables, and their addresses. */
#include "core/memory.h"
#include "report/finding.h"
#include "runtime/copy.h"
#include "runtime/runtime.h"

/* Called by the templates in simt_templates.h with the variable's size. */
cudaError_t simt_copy_to_symbol(const void *symbol, size_t size, const void *from, size_t bytes,
                                size_t offset, enum cudaMemcpyKind kind, cudaStream_t stream,
                                size_t from_left);
cudaError_t simt_copy_from_symbol(void *to, const void *symbol, size_t size, size_t bytes, size_t offset,
                                  enum cudaMemcpyKind kind, cudaStream_t stream, size_t to_left);
cudaError_t simt_symbol_address(void **pointer, const void *symbol);
cudaError_t simt_symbol_size(size_t *bytes, const void *symbol, size_t size);

static cudaError_t check_symbol(const struct api_call *call, const void *symbol)
{
    cudaError_t error = runtime_enter(call);
    if (error)
        return error;
    struct region *region;
    enum memory_space space = memory_classify(symbol, &region);
    if (!region && (space == MEMORY_VARIABLE || space == MEMORY_CONSTANT || space == MEMORY_MANAGED))
        return cudaSuccess;
    return RUNTIME_FAIL(call, cudaErrorInvalidSymbol, .rule = SIMT_RULE_NO_SYMBOL,
                        .hint = SIMT_HINT_PASS_VARIABLE);
}

/* `natural` is the direction of the function. `kind` must be that, cudaMemcpyDeviceToDevice or cudaMemcpyDefault. */
static cudaError_t copy_symbol(struct api_call call, const char *name, const void *symbol, size_t size,
                               void *to, const void *from, size_t bytes, size_t offset,
                               enum cudaMemcpyKind kind, enum cudaMemcpyKind natural, struct queue queue,
                               size_t left)
{
    ON_DEVICE;
    call.function = name;
    cudaError_t error = check_symbol(&call, symbol);
    if (!error)
        error = runtime_check_stream(&call, queue.stream);
    if (error || bytes == 0)
        return error;
    if (kind != natural && kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault)
        return RUNTIME_FAIL(&call, cudaErrorInvalidMemcpyDirection,
                            .rule =
                                copy_direction(kind) ? SIMT_RULE_DIRECTION_OF_SYMBOL : SIMT_RULE_NO_DIRECTION,
                            .hint = SIMT_HINT_LEAVE_OUT_DIRECTION,
                            .fact = {FACT_NUMBER(VALUE, kind), FACT_TEXT(EXPECTED, copy_direction(natural)),
                                     FACT_TEXT(DIRECTION, copy_direction(kind))});
    if (size != SIZE_MAX && (offset > size || bytes > size - offset))
        return RUNTIME_FAIL(
            &call, cudaErrorInvalidValue, .rule = SIMT_RULE_COPY_LONGER_THAN_SYMBOL,
            .hint = SIMT_HINT_COUNT_AND_OFFSET,
            .fact = {FACT_NUMBER(SIZE, size), FACT_NUMBER(VALUE, bytes), FACT_NUMBER(DISTANCE, offset)});
    struct end symbol_end = {"symbol", (const char *)symbol + offset, bytes, SIDE_DEVICE, SIZE_MAX};
    struct end other = {natural == cudaMemcpyHostToDevice ? "src" : "dst",
                        natural == cudaMemcpyHostToDevice ? from : to, bytes, SIDE_EITHER, left};
    error = copy_check_end(&call, &symbol_end, "a copy");
    if (!error)
        error = copy_check_end(&call, &other, "a copy");
    if (error)
        return error;
    runtime_writes(&call, to, to ? bytes : 0);
    runtime_reads(&call, from, from ? bytes : 0);
    copy_move(&call, to ? to : (char *)symbol + offset, from ? from : (const char *)symbol + offset, bytes,
              queue);
    return cudaSuccess;
}

cudaError_t simt_copy_to_symbol(const void *symbol, size_t size, const void *from, size_t bytes,
                                size_t offset, enum cudaMemcpyKind kind, cudaStream_t stream,
                                size_t from_left)
{
    return copy_symbol(API_CALL, "cudaMemcpyToSymbol", symbol, size, NULL, from, bytes, offset, kind,
                       cudaMemcpyHostToDevice, WAITED_IF_DEFAULT(stream), from_left);
}

cudaError_t simt_copy_from_symbol(void *to, const void *symbol, size_t size, size_t bytes, size_t offset,
                                  enum cudaMemcpyKind kind, cudaStream_t stream, size_t to_left)
{
    return copy_symbol(API_CALL, "cudaMemcpyFromSymbol", symbol, size, to, NULL, bytes, offset, kind,
                       cudaMemcpyDeviceToHost, WAITED_IF_DEFAULT(stream), to_left);
}

cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *src, size_t count, size_t offset,
                               enum cudaMemcpyKind kind)
{
    return copy_symbol(API_CALL, __func__, symbol, SIZE_MAX, NULL, src, count, offset, kind,
                       cudaMemcpyHostToDevice, WAITED, SIZE_MAX);
}

cudaError_t cudaMemcpyFromSymbol(void *dst, const void *symbol, size_t count, size_t offset,
                                 enum cudaMemcpyKind kind)
{
    return copy_symbol(API_CALL, __func__, symbol, SIZE_MAX, dst, NULL, count, offset, kind,
                       cudaMemcpyDeviceToHost, WAITED, SIZE_MAX);
}

cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *src, size_t count, size_t offset,
                                    enum cudaMemcpyKind kind, cudaStream_t stream)
{
    return copy_symbol(API_CALL, __func__, symbol, SIZE_MAX, NULL, src, count, offset, kind,
                       cudaMemcpyHostToDevice, QUEUED(stream), SIZE_MAX);
}

cudaError_t cudaMemcpyFromSymbolAsync(void *dst, const void *symbol, size_t count, size_t offset,
                                      enum cudaMemcpyKind kind, cudaStream_t stream)
{
    return copy_symbol(API_CALL, __func__, symbol, SIZE_MAX, dst, NULL, count, offset, kind,
                       cudaMemcpyDeviceToHost, QUEUED(stream), SIZE_MAX);
}

static cudaError_t symbol_address(struct api_call call, void **pointer, const void *symbol)
{
    ON_DEVICE;
    call.function = "cudaGetSymbolAddress";
    cudaError_t error = check_symbol(&call, symbol);
    if (error)
        return error;
    if (!pointer)
        return runtime_fail_null(&call, "devPtr");
    runtime_writes(&call, pointer, sizeof *pointer);
    *pointer = (void *)symbol;
    return cudaSuccess;
}

cudaError_t simt_symbol_address(void **pointer, const void *symbol)
{
    return symbol_address(API_CALL, pointer, symbol);
}

cudaError_t cudaGetSymbolAddress(void **devPtr, const void *symbol)
{
    return symbol_address(API_CALL, devPtr, symbol);
}

cudaError_t simt_symbol_size(size_t *bytes, const void *symbol, size_t size)
{
    API_ENTER;
    call.function = "cudaGetSymbolSize";
    cudaError_t error = check_symbol(&call, symbol);
    if (error)
        return error;
    if (!bytes)
        return runtime_fail_null(&call, "size");
    runtime_writes(&call, bytes, sizeof *bytes);
    *bytes = size;
    return cudaSuccess;
}

cudaError_t cudaGetSymbolSize(size_t *size, const void *symbol)
{
    API_ENTER;
    (void)size;
    (void)symbol;
    return RUNTIME_FAIL(&call, cudaErrorInvalidSymbol, .rule = SIMT_RULE_SYMBOL_SIZE_NOT_KNOWN,
                        .hint = SIMT_HINT_PASS_VARIABLE_UNCAST);
}
