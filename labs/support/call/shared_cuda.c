/* shared_cuda.c: see shared_cuda.h. The driver's functions are looked up when they are needed first, so that the
 * program can be linked where there is no driver. */
#include "shared_cuda.h"
#include <cuda.h>
#include <dlfcn.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

/* Calls a function of the driver. */
#define DRIVER(name, ...) ((__typeof__(name) *)find(#name))(__VA_ARGS__)

static CUresult refuse(void)
{
    return CUDA_ERROR_NOT_SUPPORTED;
}

static void *find(const char *name)
{
    static void *driver;
    if (!driver)
        driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    void *function = driver ? dlsym(driver, name) : NULL;
    return function ? function : (void *)(uintptr_t)refuse;
}

static const char *words(CUresult error)
{
    const char *text = NULL;
    if (error == CUDA_SUCCESS)
        return NULL;
    DRIVER(cuGetErrorString, error, &text);
    return text ? text : "this driver cannot share memory between processes";
}

static CUmemAllocationProp properties(CUdevice device)
{
    CUmemAllocationProp wanted;
    memset(&wanted, 0, sizeof wanted);
    wanted.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    wanted.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
    wanted.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    wanted.location.id = device;
    return wanted;
}

/* Makes memory->handle, or imports it, and then maps it. */
static CUresult map(int descriptor, size_t bytes, struct shared_memory *memory)
{
    CUdevice device;
    CUmemGenericAllocationHandle handle;
    CUdeviceptr pointer = 0;
    size_t granularity;
    CUresult error = DRIVER(cuCtxGetDevice, &device);
    if (error != CUDA_SUCCESS)
        return error;
    const CUmemAllocationProp wanted = properties(device);
    error =
        DRIVER(cuMemGetAllocationGranularity, &granularity, &wanted, CU_MEM_ALLOC_GRANULARITY_RECOMMENDED);
    if (error != CUDA_SUCCESS)
        return error;
    bytes = (bytes + granularity - 1) / granularity * granularity;
    error = descriptor < 0 ? DRIVER(cuMemCreate, &handle, bytes, &wanted, 0)
                           : DRIVER(cuMemImportFromShareableHandle, &handle, (void *)(intptr_t)descriptor,
                                    CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR);
    if (error != CUDA_SUCCESS)
        return error;
    error = DRIVER(cuMemAddressReserve, &pointer, bytes, 0, 0, 0);
    if (error == CUDA_SUCCESS) {
        const CUmemAccessDesc access = {wanted.location, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
        error = DRIVER(cuMemMap, pointer, bytes, 0, handle, 0);
        if (error == CUDA_SUCCESS &&
            (error = DRIVER(cuMemSetAccess, pointer, bytes, &access, 1)) != CUDA_SUCCESS)
            DRIVER(cuMemUnmap, pointer, bytes);
        if (error != CUDA_SUCCESS)
            DRIVER(cuMemAddressFree, pointer, bytes);
    }
    if (error != CUDA_SUCCESS) {
        DRIVER(cuMemRelease, handle);
        return error;
    }
    *memory = (struct shared_memory){(void *)(uintptr_t)pointer, bytes, handle, -1};
    return CUDA_SUCCESS;
}

const char *shared_make(size_t bytes, struct shared_memory *memory)
{
    CUresult error = map(-1, bytes, memory);
    if (error == CUDA_SUCCESS) {
        error = DRIVER(cuMemExportToShareableHandle, &memory->descriptor, memory->handle,
                       CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0);
        if (error != CUDA_SUCCESS) {
            memory->descriptor = -1;
            shared_drop(memory);
        }
    }
    return words(error);
}

const char *shared_map(int descriptor, size_t bytes, struct shared_memory *memory)
{
    return words(map(descriptor, bytes, memory));
}

void shared_drop(struct shared_memory *memory)
{
    if (!memory->pointer)
        return;
    const CUdeviceptr pointer = (CUdeviceptr)(uintptr_t)memory->pointer;
    DRIVER(cuMemUnmap, pointer, memory->bytes);
    DRIVER(cuMemAddressFree, pointer, memory->bytes);
    DRIVER(cuMemRelease, memory->handle);
    if (memory->descriptor >= 0)
        close(memory->descriptor);
    memset(memory, 0, sizeof *memory);
    memory->descriptor = -1;
}
