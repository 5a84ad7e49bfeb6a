/* The runtime API: device memory, pinned memory and managed memory. */
#include "core/memory.h"
#include "core/observer.h"
#include "core/registered.h"
#include "core/timeline.h"
#include "report/finding.h"
#include "report/memory_words.h"
#include "runtime/runtime.h"
#include "simt.h"

#include <stdint.h>
#include <stdlib.h>

static const size_t PITCH = 512; /* bytes; the pitch of cudaMallocPitch is a multiple of it */

/* ---- allocating ------------------------------------------------------------------------------------------ */

/* All allocating functions call this one. `name` is the parameter's name, for findings. */
static cudaError_t allocate(const struct api_call *call, const char *name, void **pointer, size_t bytes,
                            enum memory_space space)
{
    if (!pointer)
        return RUNTIME_FAIL(call, cudaErrorInvalidValue, .rule = SIMT_RULE_ARGUMENT_NULL,
                            .hint = SIMT_HINT_ADDRESS_OF_POINTER, .fact = {FACT_TEXT(ARGUMENT, name)});
    cudaError_t error = runtime_enter(call);
    if (error)
        return error;
    runtime_writes(call, pointer, sizeof *pointer);
    *pointer = NULL;
    if (bytes == 0)
        return cudaSuccess;
    struct region *region = memory_allocate(bytes, space, call->site);
    if (!region && (ptrdiff_t)bytes < 0)
        return RUNTIME_FAIL(call, cudaErrorMemoryAllocation, .rule = SIMT_RULE_SIZE_NEGATIVE,
                            .hint = SIMT_HINT_SIZE_NEGATIVE, .fact = {FACT_NUMBER(VALUE, bytes)});
    if (!region)
        return RUNTIME_FAIL(call, cudaErrorMemoryAllocation, .rule = SIMT_RULE_DEVICE_MEMORY_FULL,
                            .hint = SIMT_HINT_SIZE_IN_BYTES,
                            .fact = {FACT_NUMBER(VALUE, bytes),
                                     FACT_NUMBER(FREE, memory_total() - memory_in_use()),
                                     FACT_NUMBER(MOST, memory_total())});
    observe_allocate(region);
    *pointer = region->begin;
    return cudaSuccess;
}

cudaError_t cudaMalloc(void **devPtr, size_t size)
{
    API_ENTER;
    return allocate(&call, "devPtr", devPtr, size, MEMORY_GLOBAL);
}

cudaError_t cudaMallocAsync(void **devPtr, size_t size, cudaStream_t stream)
{
    API_ENTER;
    cudaError_t error = runtime_check_stream(&call, stream);
    return error ? error : allocate(&call, "devPtr", devPtr, size, MEMORY_GLOBAL);
}

cudaError_t cudaMallocPitch(void **devPtr, size_t *pitch, size_t width, size_t height)
{
    API_ENTER;
    size_t row, bytes;
    if (!pitch)
        return runtime_fail_null(&call, "pitch");
    if (__builtin_add_overflow(width, PITCH - 1, &row))
        return RUNTIME_FAIL(&call, cudaErrorInvalidValue, .rule = SIMT_RULE_ARGUMENT_BYTES,
                            .fact = {FACT_TEXT(ARGUMENT, "width"), FACT_NUMBER(VALUE, width)});
    row -= row % PITCH;
    if (__builtin_mul_overflow(row, height, &bytes))
        return RUNTIME_FAIL(&call, cudaErrorInvalidValue, .rule = SIMT_RULE_ROWS_TOO_LARGE,
                            .fact = {FACT_NUMBER(Y, height), FACT_NUMBER(X, row)});
    runtime_writes(&call, pitch, sizeof *pitch);
    *pitch = row;
    return allocate(&call, "devPtr", devPtr, bytes, MEMORY_GLOBAL);
}

cudaError_t cudaMallocManaged(void **devPtr, size_t size, unsigned int flags)
{
    API_ENTER;
    if (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost)
        return runtime_fail_value(&call, "flags", flags, SIMT_HINT_MANAGED_FLAGS);
    return allocate(&call, "devPtr", devPtr, size, MEMORY_MANAGED);
}

cudaError_t cudaMallocHost(void **ptr, size_t size)
{
    API_ENTER;
    return allocate(&call, "ptr", ptr, size, MEMORY_PINNED);
}

cudaError_t cudaHostAlloc(void **ptr, size_t size, unsigned int flags)
{
    API_ENTER;
    if (flags & ~(unsigned)(cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined))
        return runtime_fail_value(&call, "flags", flags, SIMT_HINT_PINNED_FLAGS);
    return allocate(&call, "ptr", ptr, size, MEMORY_PINNED);
}

static cudaError_t fail_points_to(const struct api_call *call, const char *argument, const void *pointer,
                                  enum simt_hint hint)
{
    return RUNTIME_FAIL(call, cudaErrorInvalidValue, .rule = SIMT_RULE_ARGUMENT_POINTS_TO, .hint = hint,
                        .fact = {FACT_TEXT(ARGUMENT, argument), FACT_TEXT(MEMORY, memory_words(pointer))});
}

/* ---- freeing ---------------------------------------------------------------------------------------------- */

static cudaError_t refuse_free(const struct api_call *call, void *pointer, const struct region *region,
                               enum simt_hint hint)
{
    if (region && region->freed) {
        const struct freed_memory freed = freed_memory(region, SIMT_HINT_FREE_ONCE);
        return RUNTIME_FAIL(call, cudaErrorInvalidValue, .rule = SIMT_RULE_FREED_BEFORE, .note = {freed.note},
                            .hint = freed.hint, .fact = {FREED_FACTS(region)});
    }
    if (region && region->begin != pointer)
        return RUNTIME_FAIL(call, cudaErrorInvalidValue, .rule = SIMT_RULE_FREE_INSIDE_ALLOCATION,
                            .hint = SIMT_HINT_POINTER_OF_ALLOCATION,
                            .fact = {FACT_NUMBER(DISTANCE, (char *)pointer - region->begin)});
    return fail_points_to(call, "the pointer", pointer, hint);
}

static cudaError_t release(const struct api_call *call, struct region *region)
{
    observe_release(region);
    memory_free(region->begin, call->site);
    return cudaSuccess;
}

/* cudaFree waits for the device, as on a GPU; cudaFreeAsync is an operation of its stream. */
static cudaError_t free_device(const struct api_call *call, void *pointer, bool queued, void *stream)
{
    cudaError_t error = runtime_enter(call);
    if (error || !pointer)
        return error;
    struct region *region = memory_find(pointer);
    if (!region || region->freed || region->begin != pointer || region->space == MEMORY_PINNED)
        return refuse_free(call, pointer, region,
                           region ? SIMT_HINT_FREE_BY_CUDAFREEHOST : SIMT_HINT_FREE_AS_ALLOCATED);
    if (queued)
        observe_release_queued(region, stream, call->site);
    else
        timeline_wait_for_device();
    return release(call, region);
}

cudaError_t cudaFree(void *devPtr)
{
    API_ENTER;
    return free_device(&call, devPtr, false, NULL);
}

cudaError_t cudaFreeAsync(void *devPtr, cudaStream_t stream)
{
    API_ENTER;
    cudaError_t error = runtime_check_stream(&call, stream);
    return error ? error : free_device(&call, devPtr, true, stream);
}

cudaError_t cudaFreeHost(void *ptr)
{
    API_ENTER;
    cudaError_t error = runtime_enter(&call);
    if (error || !ptr)
        return error;
    struct region *region = memory_find(ptr);
    if (!region || region->freed || region->begin != ptr || region->space != MEMORY_PINNED)
        return refuse_free(&call, ptr, region,
                           region ? SIMT_HINT_FREE_BY_CUDAFREE : SIMT_HINT_FREE_AS_ALLOCATED);
    timeline_wait_for_device();
    return release(&call, region);
}

/* ---- registered host memory -------------------------------------------------------------------------------- */

cudaError_t cudaHostRegister(void *ptr, size_t size, unsigned int flags)
{
    API_ENTER;
    struct region *region;
    (void)flags;
    cudaError_t error = runtime_enter(&call);
    if (error)
        return error;
    if (!ptr)
        return runtime_fail_null(&call, "ptr");
    if (size == 0)
        return runtime_fail_value(&call, "size", 0, SIMT_HINT_NONE);
    if (memory_classify(ptr, &region) != MEMORY_HOST)
        return fail_points_to(&call, "ptr", ptr, SIMT_HINT_REGISTER_MALLOC);
    runtime_writes(&call, ptr, size); /* kernels may write it from now on */
    if (registered_overlaps(ptr, size))
        return RUNTIME_FAIL(&call, cudaErrorHostMemoryAlreadyRegistered, .rule = SIMT_RULE_REGISTERED_BEFORE);
    if (!registered_add(ptr, size))
        return RUNTIME_FAIL(&call, cudaErrorMemoryAllocation, .rule = SIMT_RULE_HOST_MEMORY_FULL);
    return cudaSuccess;
}

cudaError_t cudaHostUnregister(void *ptr)
{
    API_ENTER;
    cudaError_t error = runtime_enter(&call);
    if (error)
        return error;
    if (!registered_remove(ptr)) {
        struct region *region;
        bool host = memory_classify(ptr, &region) == MEMORY_HOST;
        return RUNTIME_FAIL(&call, ptr && host ? cudaErrorHostMemoryNotRegistered : cudaErrorInvalidValue,
                            .rule = SIMT_RULE_NOT_REGISTERED,
                            .fact = {FACT_TEXT(ARGUMENT, "ptr"), FACT_TEXT(MEMORY, memory_words(ptr))});
    }
    return cudaSuccess;
}

static bool is_pinned(const void *address)
{
    size_t bytes_left;
    const struct region *region = memory_find(address);
    return registered_holds(address, &bytes_left) ||
           (region && !region->freed && region->space == MEMORY_PINNED);
}

cudaError_t cudaHostGetDevicePointer(void **pDevice, void *pHost, unsigned int flags)
{
    API_ENTER;
    cudaError_t error = runtime_enter(&call);
    if (error)
        return error;
    if (!pDevice)
        return runtime_fail_null(&call, "pDevice");
    if (flags != 0)
        return runtime_fail_value(&call, "flags", flags, SIMT_HINT_NONE);
    if (!is_pinned(pHost))
        return fail_points_to(&call, "pHost", pHost, SIMT_HINT_PIN_FIRST);
    runtime_writes(&call, pDevice, sizeof *pDevice);
    *pDevice = pHost;
    return cudaSuccess;
}

cudaError_t cudaHostGetFlags(unsigned int *pFlags, void *pHost)
{
    API_ENTER;
    cudaError_t error = runtime_enter(&call);
    if (error)
        return error;
    if (!pFlags)
        return runtime_fail_null(&call, "pFlags");
    if (!is_pinned(pHost))
        return fail_points_to(&call, "pHost", pHost, SIMT_HINT_NONE);
    runtime_writes(&call, pFlags, sizeof *pFlags);
    *pFlags = cudaHostAllocMapped;
    return cudaSuccess;
}

/* ---- queries and advice -------------------------------------------------------------------------------------- */

cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attributes, const void *ptr)
{
    API_ENTER;
    if (!attributes)
        return runtime_fail_null(&call, "attributes");
    runtime_writes(&call, attributes, sizeof *attributes);
    struct region *region;
    enum memory_space space = is_pinned(ptr) ? MEMORY_PINNED : memory_classify(ptr, &region);
    void *pointer = (void *)ptr;
    switch (space) {
    case MEMORY_GLOBAL:
        if (region->freed)
            break;
        *attributes = (struct cudaPointerAttributes){cudaMemoryTypeDevice, 0, pointer, NULL};
        return cudaSuccess;
    case MEMORY_VARIABLE:
    case MEMORY_CONSTANT:
        *attributes = (struct cudaPointerAttributes){cudaMemoryTypeDevice, 0, pointer, NULL};
        return cudaSuccess;
    case MEMORY_PINNED:
        *attributes = (struct cudaPointerAttributes){cudaMemoryTypeHost, 0, pointer, pointer};
        return cudaSuccess;
    case MEMORY_MANAGED:
        *attributes = (struct cudaPointerAttributes){cudaMemoryTypeManaged, 0, pointer, pointer};
        return cudaSuccess;
    default:
        break;
    }
    *attributes =
        (struct cudaPointerAttributes){cudaMemoryTypeUnregistered, cudaInvalidDeviceId, NULL, pointer};
    return cudaSuccess;
}

/* Managed memory never moves here, so a prefetch or an advice only checks its arguments. */
static cudaError_t check_managed(const struct api_call *call, const void *pointer, size_t bytes)
{
    cudaError_t error = runtime_enter(call);
    if (error)
        return error;
    struct region *region;
    if (memory_classify(pointer, &region) != MEMORY_MANAGED || !memory_range_is_device(pointer, bytes))
        return RUNTIME_FAIL(call, cudaErrorInvalidValue, .rule = SIMT_RULE_NOT_MANAGED,
                            .hint = SIMT_HINT_ONLY_MANAGED_MOVES,
                            .fact = {FACT_NUMBER(VALUE, bytes), FACT_TEXT(ARGUMENT, "devPtr"),
                                     FACT_TEXT(MEMORY, memory_words(pointer))});
    return cudaSuccess;
}

cudaError_t cudaMemPrefetchAsync(const void *devPtr, size_t count, struct cudaMemLocation location,
                                 unsigned int flags, cudaStream_t stream)
{
    API_ENTER;
    (void)location;
    (void)flags;
    cudaError_t error = runtime_check_stream(&call, stream);
    return error ? error : check_managed(&call, devPtr, count);
}

cudaError_t cudaMemAdvise(const void *devPtr, size_t count, enum cudaMemoryAdvise advice,
                          struct cudaMemLocation location)
{
    API_ENTER;
    (void)advice;
    (void)location;
    return check_managed(&call, devPtr, count);
}

void runtime_reset_memory(void)
{
    registered_forget();
    simt_heap_release(0);
}
