/* The runtime API: memory of the device, pinned and managed memory. */
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

static const size_t PITCH = 512; /* bytes; rows of cudaMallocPitch are a multiple of it */

/* ---- allocating ------------------------------------------------------------------------------------------ */

/* All that allocates. `name` is the parameter's, for findings. */
static cudaError_t allocate(const struct api_call *call, const char *name, void **pointer, size_t bytes,
                            enum memory_space space)
{
    if (!pointer)
        return runtime_fail(call, cudaErrorInvalidValue, text("%s is null", name),
                            "pass the address of a pointer: &d_data");
    cudaError_t error = runtime_enter(call);
    if (error)
        return error;
    runtime_writes(call, pointer, sizeof *pointer);
    *pointer = NULL;
    if (bytes == 0)
        return cudaSuccess;
    struct region *region = memory_allocate(bytes, space, call->site);
    if (!region)
        return runtime_fail(call, cudaErrorMemoryAllocation,
                            (ptrdiff_t)bytes < 0 ? text("%td bytes are wanted", (ptrdiff_t)bytes)
                                                 : text("%zu bytes are wanted; %zu of %zu are free", bytes,
                                                        memory_total() - memory_in_use(), memory_total()),
                            (ptrdiff_t)bytes < 0
                                ? "the size was negative before it became a size_t"
                                : "is the size in bytes, and is memory freed when it is done with?");
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
        return runtime_fail(&call, cudaErrorInvalidValue, "pitch is null", NULL);
    if (__builtin_add_overflow(width, PITCH - 1, &row))
        return runtime_fail(&call, cudaErrorInvalidValue, text("width is %zu bytes", width), NULL);
    row -= row % PITCH;
    if (__builtin_mul_overflow(row, height, &bytes))
        return runtime_fail(&call, cudaErrorInvalidValue,
                            text("%zu rows of %zu bytes are wanted", height, row), NULL);
    runtime_writes(&call, pitch, sizeof *pitch);
    *pitch = row;
    return allocate(&call, "devPtr", devPtr, bytes, MEMORY_GLOBAL);
}

cudaError_t cudaMallocManaged(void **devPtr, size_t size, unsigned int flags)
{
    API_ENTER;
    if (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost)
        return runtime_fail(&call, cudaErrorInvalidValue, text("flags is %u", flags),
                            "use cudaMemAttachGlobal, or leave the argument out");
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
        return runtime_fail(&call, cudaErrorInvalidValue, text("flags is %u", flags),
                            "use cudaHostAllocDefault, or an or of the other cudaHostAlloc flags");
    return allocate(&call, "ptr", ptr, size, MEMORY_PINNED);
}

/* ---- freeing ---------------------------------------------------------------------------------------------- */

static cudaError_t refuse_free(const struct api_call *call, void *pointer, const struct region *region,
                               const char *hint)
{
    if (region && region->freed)
        return runtime_fail_freed(call, region, "this memory is already freed", SIMT_HINT_FREE_ONCE);
    if (region && region->begin != pointer)
        return runtime_fail(
            call, cudaErrorInvalidValue,
            text("the pointer is %td bytes past the start of an allocation", (char *)pointer - region->begin),
            "pass the pointer that the allocation gave");
    return runtime_fail(call, cudaErrorInvalidValue, text("the pointer is to %s", memory_words(pointer)),
                        hint);
}

static cudaError_t release(const struct api_call *call, struct region *region)
{
    observe_release(region);
    memory_free(region->begin, call->site);
    return cudaSuccess;
}

/* cudaFree is taken to wait for the device, as it does on a GPU; cudaFreeAsync is an operation of its stream. */
static cudaError_t free_device(const struct api_call *call, void *pointer, bool queued, void *stream)
{
    cudaError_t error = runtime_enter(call);
    if (error || !pointer)
        return error;
    struct region *region = memory_find(pointer);
    if (!region || region->freed || region->begin != pointer || region->space == MEMORY_PINNED)
        return refuse_free(call, pointer, region,
                           region ? "free it with cudaFreeHost" : "free it the way it was allocated");
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
                           region ? "free it with cudaFree" : "free it the way it was allocated");
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
    if (!ptr || size == 0)
        return runtime_fail(&call, cudaErrorInvalidValue, ptr ? "size is 0" : "ptr is null", NULL);
    if (memory_classify(ptr, &region) != MEMORY_HOST)
        return runtime_fail(&call, cudaErrorInvalidValue, text("ptr is to %s", memory_words(ptr)),
                            "only memory of malloc and its like can be registered");
    runtime_writes(&call, ptr, size); /* kernels may, from now on */
    if (registered_overlaps(ptr, size))
        return runtime_fail(&call, cudaErrorHostMemoryAlreadyRegistered, "this memory is already registered",
                            NULL);
    if (!registered_add(ptr, size))
        return runtime_fail(&call, cudaErrorMemoryAllocation, "the host has no memory left", NULL);
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
        return runtime_fail(&call, ptr && host ? cudaErrorHostMemoryNotRegistered : cudaErrorInvalidValue,
                            text("ptr is to %s that is not registered", memory_words(ptr)), NULL);
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
    if (!pDevice || flags != 0)
        return runtime_fail(&call, cudaErrorInvalidValue,
                            pDevice ? text("flags is %u", flags) : "pDevice is null", NULL);
    if (!is_pinned(pHost))
        return runtime_fail(&call, cudaErrorInvalidValue, text("pHost is to %s", memory_words(pHost)),
                            "allocate it with cudaHostAlloc, or register it with cudaHostRegister");
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
    if (!pFlags || !is_pinned(pHost))
        return runtime_fail(&call, cudaErrorInvalidValue,
                            pFlags ? text("pHost is to %s", memory_words(pHost)) : "pFlags is null", NULL);
    runtime_writes(&call, pFlags, sizeof *pFlags);
    *pFlags = cudaHostAllocMapped;
    return cudaSuccess;
}

/* ---- questions and advice ------------------------------------------------------------------------------------ */

cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attributes, const void *ptr)
{
    API_ENTER;
    if (!attributes)
        return runtime_fail(&call, cudaErrorInvalidValue, "attributes is null", NULL);
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

/* Managed memory never moves here, so a prefetch or an advice only has its arguments checked. */
static cudaError_t check_managed(const struct api_call *call, const void *pointer, size_t bytes)
{
    cudaError_t error = runtime_enter(call);
    if (error)
        return error;
    struct region *region;
    if (memory_classify(pointer, &region) != MEMORY_MANAGED || !memory_range_is_device(pointer, bytes))
        return runtime_fail(
            call, cudaErrorInvalidValue, text("the %zu bytes at devPtr are %s", bytes, memory_words(pointer)),
            "only memory of cudaMallocManaged, within one allocation, can move between the sides");
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
