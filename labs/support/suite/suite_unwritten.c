/* suite_unwritten.c: distinguishes a part that has not been written yet from one that is wrong. */
#include "suite_internal.h"

/* Does the output still have its contents from before the call? */
static bool is_as_before(const struct suite_argument *argument)
{
    const unsigned char *got = argument->got, *before = argument->input;
    const size_t bytes = argument->count * element_size(argument->element);
    for (size_t i = 0; i < bytes; i++)
        if (got[i] != (before ? before[i] : CALL_POISON))
            return false;
    return !argument->guard_hit;
}

/* Did the part do nothing, like a part with unfilled holes? It ran no kernel, allocated nothing, wrote and printed
 * nothing, and returned 0. On a GPU it is unknown whether a kernel ran, so there the arrays decide. */
static bool did_nothing(const struct suite_call *call)
{
    enum { TELLING_BYTES = 4 /* fill bytes; fewer may be a result */ };
    uint64_t copied = 0;
    size_t bytes = 0;
    suite_meter(call, "bytes copied to the host", &copied);
    if (copied > 0 || call->reply.used & SIMT_USED_KERNEL || call->reply.all_findings > 0 ||
        call->printed[0] || (call->result_name && call->reply.result != 0))
        return false;
    for (unsigned i = 0; i < call->arguments; i++) {
        const struct suite_argument *argument = &call->argument[i];
        if (argument->kind != CALL_OUT && argument->kind != CALL_IN_OUT)
            continue;
        if (!is_as_before(argument))
            return false;
        bytes += argument->kind == CALL_OUT ? argument->count * element_size(argument->element) : 0;
    }
    return suite_on_cpu_device() || bytes >= TELLING_BYTES;
}

/* The part that has done something. If a later call of it does nothing, it is wrong, not unwritten. */
static const struct suite_part *begun;

void suite_look_for_work(struct suite_call *call)
{
    if (begun != call->is.part && !did_nothing(call))
        begun = call->is.part;
    call->unwritten = begun != call->is.part;
}
