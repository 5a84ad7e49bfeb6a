/* runtime.h: what the files of the runtime API share. Internal. The API itself is in
 * include/cuda_runtime_api.h.
 *
 * Every function of the API begins with API_ENTER and runtime_enter, and leaves by `return cudaSuccess` or runtime_fail. */
#ifndef SIMT_RUNTIME_H
#define SIMT_RUNTIME_H

#include "core/host.h"
#include "include/cuda_runtime_api.h"
#include "simt.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One call of the API. */
struct api_call {
    const char *function;
    const void *site; /* code address at which it returns */
};
#define API_CALL ((struct api_call){__func__, __builtin_return_address(0)})

/* From here to the end of the function its host thread is on the device: see core/host.h. */
static inline void runtime_leave(const bool *entered)
{
    (void)entered;
    host_leave();
}
#define ON_DEVICE const bool on_device __attribute__((cleanup(runtime_leave), unused)) = (host_enter(), true)

/* Begins a function of the API: defines `call`, and enters the device. */
#define API_ENTER                                                                                            \
    struct api_call call = API_CALL;                                                                         \
    ON_DEVICE

/* Returns the sticky error that an earlier fault left, or cudaSuccess. In a kernel, where none of the API may
 * be called, it reports that and does not return. */
cudaError_t runtime_enter(const struct api_call *call);

/* Reports a wrong call as a finding of kind SIMT_API, makes `error` the last one and returns it. `why` says
 * which argument is what: "dst is null"; hint may be null. */
cudaError_t runtime_fail(const struct api_call *call, cudaError_t error, const char *why, const char *hint);

/* The same for another kind of finding, with further lines. Returns error. */
cudaError_t runtime_fail_as(const struct api_call *call, enum simt_finding_kind kind, cudaError_t error,
                            const char *why, const char *detail, const char *hint);

/* The same of memory that is already freed. Returns cudaErrorInvalidValue. */
struct region;
cudaError_t runtime_fail_freed(const struct api_call *call, const struct region *region, const char *why,
                               enum simt_hint hint);

/* A call that works here and is wrong all the same. A warning costs no points. */
void runtime_note(const struct api_call *call, bool warning, const char *why, const char *hint);

/* Before the call writes where the program says. Where a guard stands, and that is not the program's own memory, it
 * reports that and does not return. */
void runtime_writes(const struct api_call *call, const void *address, size_t bytes);

/* For functions with a stream: cudaSuccess, or the failure, reported. */
cudaError_t runtime_check_stream(const struct api_call *call, cudaStream_t stream);

/* cudaDeviceReset's share of the memory. */
void runtime_reset_memory(void);

#endif
