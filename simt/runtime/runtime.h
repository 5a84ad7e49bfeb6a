/* runtime.h: definitions that the files of the runtime API share. Internal. The API itself is in
 * include/cuda_runtime_api.h.
 *
 * Every function of the API begins with API_ENTER and runtime_enter, and ends with `return cudaSuccess` or
 * runtime_fail. */
#ifndef SIMT_RUNTIME_H
#define SIMT_RUNTIME_H

#include "core/caller.h"
#include "core/host.h"
#include "include/cuda_runtime_api.h"
#include "report/finding.h"
#include "simt.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One call of the API. */
struct api_call {
    const char *function;
    const void *site; /* code address to which it returns, or that of the program's call of Thrust */
};
#define API_CALL                                                                                             \
    ((struct api_call){__func__, caller_site(__builtin_return_address(0), __builtin_frame_address(0))})

/* Ends the stay on the device that ON_DEVICE begins, at the end of the function: see core/host.h. */
static inline void runtime_leave(const bool *entered)
{
    (void)entered;
    host_leave();
}
#define ON_DEVICE const bool on_device __attribute__((cleanup(runtime_leave), unused)) = (host_enter(), true)

/* Begins a function of the API: defines `call` and enters the device. */
#define API_ENTER                                                                                            \
    struct api_call call = API_CALL;                                                                         \
    ON_DEVICE

/* Returns the sticky error of an earlier fault, or cudaSuccess. In a kernel, where the API may not be called, it
 * reports that and does not return. */
cudaError_t runtime_enter(const struct api_call *call);

/* Reports a wrong call, sets `error` as the last error and returns it. `facts` needs the rule, and may have notes,
 * a hint and facts: RUNTIME_FAIL(&call, error, .rule = SIMT_RULE_NO_DEVICE, .fact = {FACT_NUMBER(VALUE, device)}). */
cudaError_t runtime_fail(const struct api_call *call, cudaError_t error, struct finding_facts facts);
#define RUNTIME_FAIL(call, error, ...) runtime_fail(call, error, (struct finding_facts){__VA_ARGS__})

/* The same for an argument that is null. Returns cudaErrorInvalidValue. */
cudaError_t runtime_fail_null(const struct api_call *call, const char *argument);

/* The same for an argument with an invalid value. Returns cudaErrorInvalidValue. */
cudaError_t runtime_fail_value(const struct api_call *call, const char *argument, int64_t value,
                               enum simt_hint hint);

/* Reports a call that is wrong although it works here. */
void runtime_note(const struct api_call *call, struct finding_facts facts);
#define RUNTIME_NOTE(call, ...) runtime_note(call, (struct finding_facts){__VA_ARGS__})

/* Called before the API writes through a pointer of the program. If the guard is on and the memory is not the
 * program's own, it reports that and does not return. */
void runtime_writes(const struct api_call *call, const void *address, size_t bytes);
void runtime_reads(const struct api_call *call, const void *address, size_t bytes); /* the same for reads */

/* For functions with a stream: returns cudaSuccess, or reports and returns the error. */
cudaError_t runtime_check_stream(const struct api_call *call, cudaStream_t stream);

/* Calls a host function at its turn in the stream. */
void runtime_call_host(const struct api_call *call, cudaHostFn_t function, void *data, cudaStream_t stream);

/* The part of cudaDeviceReset that concerns memory. */
void runtime_reset_memory(void);

#endif
