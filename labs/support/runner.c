/* runner.c: the process that loads a submission and calls its functions. The other side is call.c.
 *
 *     runner --socket 3 --memory 4 build/cpu/student/naive_scan.sum.so
 *
 * Built twice: for the CPU device (with __SIMT__, linked with libsimt.a) and for CUDA. It answers one request
 * after the other until the socket ends: puts the arrays on the device, calls the part, waits for the device,
 * hands back arrays, error, findings and meters. It runs untrusted code in its own process, so whoever reads
 * its answers must be ready for anything. */
#define _GNU_SOURCE
#include "call.h"
#include "lockdown.h"
#include "parts.h"
#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#ifdef __SIMT__
#include "simt.h"
#include "stock_cpu.h"
#endif

struct host {
    int socket;
    unsigned char *memory; /* the memory file */
    size_t bytes;
    const struct part *parts;
    const struct part **stock_part; /* in the library: the part that runs; may be null */
};

/* An array of the current call on the device. */
struct array {
    unsigned char *allocation; /* null: this argument owns no memory */
    unsigned char *begin;      /* where the guard before the array begins */
    size_t bytes;              /* of the allocation, as asked for */
};

struct job {
    const struct part *part;
    const struct call_request *request;
    union part_value values[CALL_ARGUMENTS];
    uint64_t result;
    cudaError_t error;
};

static void copy_text(char *to, size_t size, const char *from)
{
    size_t length = from ? strnlen(from, size - 1) : 0;
    if (length > 0)
        memcpy(to, from, length);
    to[length] = 0;
}

/* ---- one call ---------------------------------------------------------------------------------------- */

static void device_returned(void);

/* The student's code, and the wait for all that it launched. */
static void run_job(void *context)
{
    struct job *job = context;
    job->result = job->part->call(job->values);
    job->error = cudaPeekAtLastError();
    device_returned();
    cudaError_t later = cudaDeviceSynchronize();
    if (job->error == cudaSuccess)
        job->error = later;
}

#ifdef __SIMT__

static uint64_t heap_mark;

static void device_returned(void)
{
    simt_report_unjoined();
}

/* Which of the harness's functions the part may call. */
static void device_allow(const struct host *host, const struct part *part)
{
    (void)host;
    stock_allow(part->name, part->stock);
}

/* The parameters by contract, and those of a function of that name in the submission, which is another one. */
static void device_explain_missing(const struct part *part, char *text, size_t size)
{
    struct simt_signature declared, defined;
    simt_find_signatures((const void *)(uintptr_t)part->call, part->name, &declared, &defined);
    if (defined.text[0] && declared.text[0])
        snprintf(text, size,
                 "%s\nline %d defines %s, which is another function\n"
                 "try: the contract's parameters, in that order and of those types, outside of any namespace",
                 declared.text, defined.where.line, defined.text);
    else
        copy_text(text, size, declared.text[0] ? declared.text : part->name);
}

static void device_begin(const struct call_request *request)
{
    static const enum simt_order orders[] = {SIMT_FORWARD, SIMT_REVERSE, SIMT_RANDOM, SIMT_LOCKSTEP};
    struct simt_schedule schedule = {
        .order = orders[request->schedule.order],
        .seed = request->schedule.seed,
        .resident_blocks = request->schedule.resident,
        .seconds = request->schedule.seconds,
    };
    simt_set_schedule(&schedule);
    simt_measure(request->measure >= CALL_METERS_ON);
    simt_measure_sharing(request->measure == CALL_METERS_OF_SHARING);
    simt_check(request->checks);
    simt_sample((size_t)request->sampled);
    simt_begin_run();
    heap_mark = simt_heap_mark();
}

/* True when the part came back by itself. */
static bool device_run(struct job *job)
{
    const struct call_request *request = job->request;
    simt_begin_run();
    for (uint32_t i = 0; i < request->arguments; i++)
        if (request->argument[i].kind == CALL_IN || request->argument[i].kind == CALL_IN_OUT)
            simt_note_arrival(job->values[i].pointer, request->argument[i].bytes);
    bool came_back = simt_call(run_job, job);
    if (!came_back)
        job->error = cudaPeekAtLastError();
    else if (job->error == cudaSuccess)
        simt_report_leaks();
    if (came_back)
        simt_sample_judge();
    return came_back;
}

/* What the part allocates is newer than its arrays. */
static void device_arrays_stand(void)
{
    heap_mark = simt_heap_mark();
}

static bool device_renew(void *allocation)
{
    return simt_renew_allocation(allocation);
}

/* Makes the array of a sampled run, which begins as zeros. */
static void device_sample(const struct call_argument *argument, const struct array *array)
{
    simt_name_allocation(array->allocation, argument->shift, argument->name, argument->element_size);
    if (argument->reach)
        simt_sample_expect(array->allocation, argument->kind != CALL_IN);
    simt_sample_fill(array->allocation, (enum simt_sample_values)argument->values);
}

/* Names an array. An output holds what no scratch memory holds by itself, so that junk which was copied over the part
 * that is to stay untouched is seen. */
static void device_name(const struct call_argument *argument, const struct array *array)
{
    simt_name_allocation(array->allocation, argument->shift, argument->name, argument->element_size);
    if (argument->kind != CALL_IN)
        simt_mark_output(array->allocation);
    if (argument->kind == CALL_OUT)
        simt_fill_allocation(array->allocation, CALL_POISON);
}

/* After the array has its contents. */
static void device_mark(const struct call_argument *argument, const struct array *array)
{
    if (argument->kind == CALL_IN)
        simt_mark_input(array->allocation);
}

static void copy_finding(struct call_finding *to, const struct simt_finding *from)
{
    to->kind = from->kind;
    to->warning = from->warning;
    to->line = (uint32_t)from->where.line;
    to->count = from->count;
    copy_text(to->file, sizeof to->file, from->where.file);
    copy_text(to->function, sizeof to->function, from->where.function);
    copy_text(to->variable, sizeof to->variable, from->variable);
    copy_text(to->title, sizeof to->title, from->title);
    copy_text(to->detail, sizeof to->detail, from->detail);
    copy_text(to->hint, sizeof to->hint, from->hint);
}

/* The most telling ones first. */
static void collect_findings(struct call_reply *reply)
{
    const struct simt_finding *sorted[CALL_FINDINGS];
    size_t count = simt_findings_by_rank(sorted, CALL_FINDINGS);
    for (size_t i = 0; i < count; i++) {
        reply->all_findings += !simt_finding_at(i)->warning;
        if (i < CALL_FINDINGS)
            copy_finding(&reply->finding[reply->findings++], sorted[i]);
    }
}

static void collect_meters(struct call_reply *reply)
{
    size_t count = simt_meter_count();
    for (size_t i = 0; i < count && reply->meters < CALL_METERS; i++) {
        struct simt_meter from = simt_meter_at(i);
        struct call_meter *to = &reply->meter[reply->meters++];
        copy_text(to->name, sizeof to->name, from.name);
        to->value = from.value;
    }
}

static uint32_t device_used(void)
{
    return simt_used();
}

static void collect_lines(struct call_reply *reply)
{
    size_t count = simt_line_count();
    for (size_t i = 0; i < count && reply->lines < CALL_LINES; i++) {
        const struct simt_line *from = simt_line_at(i);
        struct call_line *to = &reply->line[reply->lines++];
        copy_text(to->file, sizeof to->file, from->where.file);
        to->line = (uint32_t)from->where.line;
        to->combines = from->combines;
        to->barriers = from->barriers;
        to->instructions = from->instructions;
        to->idle_lanes = from->idle_lanes;
        to->shared_requests = from->shared_requests;
        to->shared_wavefronts = from->shared_wavefronts;
        to->excess_wavefronts = from->excess_wavefronts;
        to->global_requests = from->global_requests;
        to->global_sectors = from->global_sectors;
        to->excess_sectors = from->excess_sectors;
        to->atomics = from->atomics;
    }
}

/* After a fault the device refuses all calls until its next run begins. */
static void device_recover(void)
{
    simt_begin_run();
}

/* What is left on the heap after our own arrays are gone. */
static uint64_t device_leaks(void)
{
    const uint64_t leaks = simt_heap_release(heap_mark);
    simt_sample(0);
    return leaks;
}

static void no_sink(const struct simt_finding *finding, void *context)
{
    (void)finding;
    (void)context;
}

static void device_open(void)
{
    simt_sample_reserve(); /* later, shared mappings are forbidden */
    simt_set_finding_sink(no_sink, NULL);
}

#else

static void device_explain_missing(const struct part *part, char *text, size_t size)
{
    snprintf(text, size,
             "%s: a function of that name with other parameters than the contract's is another function",
             part->name);
}

static double nanoseconds;

static void device_allow(const struct host *host, const struct part *part)
{
    if (host->stock_part)
        *host->stock_part = part;
}

static void device_begin(const struct call_request *request)
{
    (void)request;
    cudaGetLastError();
}

static bool device_run(struct job *job)
{
    struct timespec begin, end;
    cudaDeviceSynchronize();
    clock_gettime(CLOCK_MONOTONIC, &begin);
    run_job(job);
    clock_gettime(CLOCK_MONOTONIC, &end);
    nanoseconds = (double)(end.tv_sec - begin.tv_sec) * 1e9 + (double)(end.tv_nsec - begin.tv_nsec);
    return true;
}

static void device_arrays_stand(void)
{
}

/* Memory that was freed is given out again without our help. */
static bool device_renew(void *allocation)
{
    (void)allocation;
    return false;
}

static void device_returned(void)
{
}

static void device_sample(const struct call_argument *argument, const struct array *array)
{
    (void)argument;
    (void)array;
}

static void device_name(const struct call_argument *argument, const struct array *array)
{
    (void)argument;
    (void)array;
}

static void device_mark(const struct call_argument *argument, const struct array *array)
{
    (void)argument;
    (void)array;
}

static void collect_findings(struct call_reply *reply)
{
    (void)reply;
}

static void collect_meters(struct call_reply *reply)
{
    copy_text(reply->meter[0].name, sizeof reply->meter[0].name, "nanoseconds");
    reply->meter[0].value = (uint64_t)nanoseconds;
    reply->meters = 1;
}

static uint32_t device_used(void)
{
    return 0;
}

static void collect_lines(struct call_reply *reply)
{
    (void)reply;
}

static void device_recover(void)
{
    cudaGetLastError();
}

static uint64_t device_leaks(void)
{
    return 0;
}

static void device_open(void)
{
}

#endif

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
        if (owns_array(argument) && !request->sampled &&
            (argument->bytes > host->bytes || argument->offset > host->bytes ||
             argument->shift >= CALL_ALIGNMENT ||
             argument->bytes + 2 * (uint64_t)request->guard > host->bytes - argument->offset))
            return false;
    }
    return true;
}

/* The arrays of the call before. A call with arrays of the same lengths gets the same addresses, as it would on a GPU:
 * a part that remembers what it did for a pointer is seen to. */
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

/* Puts the arrays on the device. Without guard zones the device itself watches an array's ends, and knows
 * that nothing has been written to an output yet. */
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
                error = cudaMemcpy(arrays[i].begin, host->memory + argument->offset, bytes,
                                   cudaMemcpyHostToDevice);
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
        cudaError_t error = cudaMemcpy(host->memory + request->argument[i].offset, arrays[i].begin, bytes,
                                       cudaMemcpyDeviceToHost);
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
            copy_text(reply->error_name, sizeof reply->error_name, cudaGetErrorName(job.error));
            copy_text(reply->text, sizeof reply->text, cudaGetErrorString(job.error));
        }
        collect_findings(reply);
        collect_meters(reply);
        reply->used = device_used();
        if (request->measure == CALL_METERS_BY_LINE)
            collect_lines(reply);
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

static bool load(struct host *host, const char *path, struct call_reply *reply)
{
    reply->status = CALL_NOT_LOADED;
    if (!lockdown_before_load(host->socket)) {
        copy_text(reply->text, sizeof reply->text, "this kernel has no filter for system calls (seccomp)");
        return false;
    }
#ifdef __SIMT__
    simt_guard_program();
#endif
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library)
        host->parts = dlsym(library, PARTS_SYMBOL);
    if (library)
        host->stock_part = dlsym(library, "stock_part");
    if (host->parts && lockdown_after_load()) {
        reply->status = CALL_READY;
        return true;
    }
    copy_text(reply->text, sizeof reply->text, dlerror());
    return false;
}

static bool send_reply(const struct host *host, struct call_reply *reply)
{
    fflush(stdout);
    fflush(stderr);
    reply->magic = CALL_MAGIC;
    return send(host->socket, reply, sizeof *reply, MSG_NOSIGNAL) == sizeof *reply;
}

int main(int count, char **words)
{
    static struct call_request request;
    static struct call_reply reply;
    struct host host = {.socket = -1};
    struct stat file;
    int memory = -1;

    if (count != 6 || strcmp(words[1], "--socket") != 0 || strcmp(words[3], "--memory") != 0) {
        fprintf(stderr, "usage: runner --socket FD --memory FD LIBRARY (a lab's suite starts it)\n");
        return 2;
    }
    host.socket = atoi(words[2]);
    memory = atoi(words[4]);
    if (fstat(memory, &file) == 0 && file.st_size > 0) {
        host.bytes = (size_t)file.st_size;
        host.memory = mmap(NULL, host.bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, memory, 0);
    }
    if (host.bytes == 0 || host.memory == MAP_FAILED) {
        fprintf(stderr, "runner: cannot map descriptor %d: %s\n", memory, strerror(errno));
        return 2;
    }
    close(memory); /* the mapping stays */
    setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
    device_open();

    reply.status = CALL_STARTED;
    if (!send_reply(&host, &reply))
        return 2;
    bool loaded = load(&host, words[5], &reply);
    if (!send_reply(&host, &reply) || !loaded)
        return 2;
    while (recv(host.socket, &request, sizeof request, 0) == sizeof request) {
        memset(&reply, 0, sizeof reply);
        reply.nonce = request.nonce;
        serve(&host, &request, &reply);
        if (!send_reply(&host, &reply))
            return 2;
    }
    return 0;
}
