/* runner.c: the process that loads a submission and calls its functions. The other side is call.c.
 *
 *     runner --socket 3 --memory 4 build/cpu/student/naive_scan.sum.so
 *
 * It is built twice: for the CPU device (runner_simt.c, linked with libsimt.a) and for CUDA (runner_cuda.c). It
 * handles one request after another until the socket is closed: copies the arrays to the device, calls the part,
 * waits for the device, and returns arrays, error, findings and meters. It runs untrusted code in its own process,
 * so readers of its replies must expect anything. */
#define _GNU_SOURCE
#include "call.h"
#include "lockdown.h"
#include "runner_device.h"
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

void runner_copy_text(char *to, size_t size, const char *from)
{
    size_t length = from ? strnlen(from, size - 1) : 0;
    if (length > 0)
        memcpy(to, from, length);
    to[length] = 0;
}

/* ---- one call ---------------------------------------------------------------------------------------- */

/* Calls the student's code and waits for everything that it launched. */
void runner_call_part(void *context)
{
    static struct job *volatile running; /* not in a register, because the part could restore that wrongly */
    running = context;
    const uint64_t result = running->part->call(running->values);
    struct job *job = running;
    job->result = result;
    job->error = cudaPeekAtLastError();
    device_returned();
    cudaError_t later = cudaDeviceSynchronize();
    if (job->error == cudaSuccess)
        job->error = later;
}

static void refuse(struct call_reply *reply, const char *what, cudaError_t error)
{
    reply->status = CALL_REFUSED;
    reply->retire = 1;
    if (error == cudaSuccess)
        snprintf(reply->text, sizeof reply->text, "%s", what);
    else
        snprintf(reply->text, sizeof reply->text, "%s: %s", what, cudaGetErrorString(error));
}

static bool owns_array(const struct call_argument *argument)
{
    return argument->kind <= CALL_IN_OUT;
}

static bool request_is_sound(const struct host *host, const struct call_request *request,
                             const struct part *part)
{
    if (request->magic != CALL_MAGIC || request->arguments > CALL_ARGUMENTS ||
        request->arguments != part->arguments || request->schedule.order > CALL_LOCKSTEP)
        return false;
    for (uint32_t i = 0; i < request->arguments; i++) {
        const struct call_argument *argument = &request->argument[i];
        if (argument->kind > CALL_SCALAR || (argument->kind == CALL_SAME && argument->same_as >= i))
            return false;
        if (owns_array(argument) && !request->sampled && !request->shared &&
            (argument->bytes > host->bytes || argument->offset > host->bytes ||
             argument->shift >= CALL_ALIGNMENT ||
             argument->bytes + 2 * (uint64_t)request->guard > host->bytes - argument->offset))
            return false;
    }
    return true;
}

/* The arrays of the last call. A call with arrays of the same lengths gets the same addresses, as on a GPU. This
 * exposes a part that reuses a result for a pointer that it has seen before. */
static struct {
    void *allocation; /* null: none */
    size_t bytes;
} kept[CALL_ARGUMENTS];

static void *take_kept(uint32_t argument, size_t bytes)
{
    void *allocation = kept[argument].allocation;
    if (!allocation || kept[argument].bytes != bytes || !device_renew(allocation))
        return NULL;
    kept[argument].allocation = NULL;
    return allocation;
}

static void drop_kept(void)
{
    for (uint32_t i = 0; i < CALL_ARGUMENTS; i++) {
        if (kept[i].allocation)
            cudaFree(kept[i].allocation);
        kept[i].allocation = NULL;
    }
}

/* Copies the arrays to the device. Without guard zones the device itself checks the ends of arrays and records
 * which outputs are unwritten. */
static bool place_arrays(const struct host *host, const struct call_request *request, struct array *arrays,
                         struct job *job, struct call_reply *reply)
{
    size_t guard = request->guard;
    for (uint32_t i = 0; i < request->arguments; i++) {
        const struct call_argument *argument = &request->argument[i];
        if (argument->kind == CALL_SCALAR) {
            job->values[i].integer = argument->scalar;
        } else if (argument->kind == CALL_SAME) {
            job->values[i] = job->values[argument->same_as];
        } else if (request->shared) {
            const char *why = device_map(argument->bytes, &job->values[i].pointer);
            if (why) {
                refuse(reply, why, cudaSuccess);
                return false;
            }
        } else {
            size_t bytes = argument->shift + guard + argument->bytes + guard;
            void *allocation = request->sampled ? NULL : take_kept(i, bytes);
            cudaError_t error = allocation ? cudaSuccess : cudaMalloc(&allocation, bytes > 0 ? bytes : 1);
            if (error != cudaSuccess) {
                refuse(reply, "no device memory", error);
                return false;
            }
            arrays[i].allocation = allocation;
            arrays[i].bytes = bytes;
            arrays[i].begin = arrays[i].allocation + argument->shift;
            job->values[i].pointer = arrays[i].begin + guard;
            if (request->sampled) {
                device_sample(argument, &arrays[i]);
                continue;
            }
            device_name(argument, &arrays[i]);
            bytes = guard + argument->bytes + guard;
            if (bytes > 0 && (guard > 0 || argument->kind != CALL_OUT))
                error = device_pass(host, argument->offset, arrays[i].begin, bytes, cudaMemcpyHostToDevice);
            if (error != cudaSuccess) {
                refuse(reply, "cannot copy to the device", error);
                return false;
            }
            device_mark(argument, &arrays[i]);
        }
    }
    return true;
}

static void fetch_arrays(const struct host *host, const struct call_request *request,
                         const struct array *arrays, struct call_reply *reply)
{
    for (uint32_t i = 0; i < request->arguments; i++) {
        size_t bytes = request->argument[i].bytes + 2 * (size_t)request->guard;
        if (!arrays[i].allocation || bytes == 0)
            continue;
        cudaError_t error =
            device_pass(host, request->argument[i].offset, arrays[i].begin, bytes, cudaMemcpyDeviceToHost);
        if (error != cudaSuccess && reply->status == CALL_DONE && reply->error == 0)
            refuse(reply, "the arrays are gone after the call", error);
    }
}

static void serve(const struct host *host, struct call_request *request, struct call_reply *reply)
{
    struct array arrays[CALL_ARGUMENTS] = {{NULL, NULL, 0}};
    struct job job = {.part = host->parts, .request = request};

    request->part[sizeof request->part - 1] = 0;
    while (job.part->name && strcmp(job.part->name, request->part) != 0)
        job.part++;
    if (!job.part->name || !job.part->function) {
        reply->status = CALL_MISSING;
        if (job.part->name)
            device_explain_missing(job.part, reply->text, sizeof reply->text);
        return;
    }
    if (!request_is_sound(host, request, job.part)) {
        refuse(reply, "the suite's request does not fit the part", cudaSuccess);
        return;
    }

    device_allow(host, job.part);
    device_begin(request);
    bool keeps = false;
    const bool placed = place_arrays(host, request, arrays, &job, reply);
    drop_kept();
    device_arrays_stand();
    if (placed) {
        bool came_back = device_run(&job);
        reply->status = came_back ? CALL_DONE : CALL_FAULT;
        reply->result = job.result;
        reply->error = (int32_t)job.error;
        reply->retire = !came_back || job.error != cudaSuccess;
        if (job.error != cudaSuccess) {
            runner_copy_text(reply->error_name, sizeof reply->error_name, cudaGetErrorName(job.error));
            runner_copy_text(reply->text, sizeof reply->text, cudaGetErrorString(job.error));
        }
        device_count_work(reply);
        device_collect_findings(reply);
        device_collect_meters(reply);
        reply->used = device_used();
        if (request->schedule.explore.on)
            device_collect_explored(reply);
        if (request->measure == CALL_METERS_BY_LINE)
            device_collect_lines(reply);
        device_recover();
        if (!request->sampled)
            fetch_arrays(host, request, arrays, reply);
        keeps = came_back && !request->sampled && job.error == cudaSuccess;
    }
    for (uint32_t i = 0; i < CALL_ARGUMENTS; i++) {
        if (keeps && arrays[i].allocation) {
            kept[i].allocation = arrays[i].allocation;
            kept[i].bytes = arrays[i].bytes;
        } else if (arrays[i].allocation) {
            cudaFree(arrays[i].allocation);
        }
    }
    reply->leaks = device_leaks();
}

/* ---- the process ------------------------------------------------------------------------------------- */

/* A library and its path. */
struct loading {
    const char *path;
    void *library;
};

static void open_library(void *context)
{
    struct loading *loading = context;
    loading->library = dlopen(loading->path, RTLD_NOW | RTLD_LOCAL);
}

static bool load(struct host *host, const char *path, struct call_reply *reply)
{
    reply->status = CALL_NOT_LOADED;
    if (!lockdown_before_load(host->socket)) {
        runner_copy_text(reply->text, sizeof reply->text,
                         "this kernel has no filter for system calls (seccomp)");
        return false;
    }
    device_guard();
    struct loading loading = {path, NULL};
    if (!device_load(open_library, &loading, reply->text, sizeof reply->text))
        return false;
    void *library = loading.library;
    if (library)
        host->parts = dlsym(library, PARTS_SYMBOL);
    if (library)
        host->stock_part = dlsym(library, "stock_part");
    if (host->parts && lockdown_after_load()) {
        reply->status = CALL_READY;
        return true;
    }
    runner_copy_text(reply->text, sizeof reply->text, dlerror());
    return false;
}

static bool send_reply(const struct host *host, struct call_reply *reply)
{
    fflush(stdout);
    fflush(stderr);
    reply->magic = CALL_MAGIC;
    const size_t bytes = call_reply_bytes(reply);
    return send(host->socket, reply, bytes, MSG_NOSIGNAL) == (ssize_t)bytes;
}

int main(int count, char **words)
{
    static struct call_request request;
    static struct call_reply reply;
    struct host host = {.socket = -1, .memory = -1};
    struct stat file;

    if (count != 6 || strcmp(words[1], "--socket") != 0 || strcmp(words[3], "--memory") != 0) {
        fprintf(stderr, "usage: runner --socket FD --memory FD LIBRARY (a lab's suite starts it)\n");
        return 2;
    }
    host.socket = atoi(words[2]);
    host.memory = atoi(words[4]);
    if (fstat(host.memory, &file) == 0 && file.st_size > 0)
        host.bytes = (size_t)file.st_size;
    if (host.bytes == 0 || !device_open_memory(&host)) {
        fprintf(stderr, "runner: cannot use descriptor %d: %s\n", host.memory, strerror(errno));
        return 2;
    }
    setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
    device_open();

    reply.status = CALL_STARTED;
    if (!send_reply(&host, &reply))
        return 2;
    bool loaded = load(&host, words[5], &reply);
    if (!send_reply(&host, &reply) || !loaded)
        return 2;
    while (device_receive(&host, &request)) {
        memset(&reply, 0, offsetof(struct call_reply, meter));
        reply.nonce = request.nonce;
        serve(&host, &request, &reply);
        if (!send_reply(&host, &reply))
            return 2;
    }
    return 0;
}
