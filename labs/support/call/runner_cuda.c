/* runner_cuda.c: the device interface of the runner (runner_device.h) for a GPU, which neither checks nor counts. It
 * times a call that is measured by line: it makes the call again and again, and each time on the same inputs. */
#include "runner_device.h"
#include "shared_cuda.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

void device_explain_missing(const struct part *part, char *text, size_t size)
{
    snprintf(text, size,
             "%s: a function of that name with other parameters than the contract's is another function",
             part->name);
}

static unsigned char *memory;

bool device_open_memory(const struct host *host)
{
    memory = mmap(NULL, host->bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, host->memory, 0);
    return memory != MAP_FAILED;
}

cudaError_t device_pass(const struct host *host, uint64_t offset, unsigned char *array, size_t bytes,
                        enum cudaMemcpyKind kind)
{
    (void)host;
    return kind == cudaMemcpyHostToDevice ? cudaMemcpy(array, memory + offset, bytes, kind)
                                          : cudaMemcpy(memory + offset, array, bytes, kind);
}

/* The arrays that came with the last request. */
static struct shared_memory shared[CALL_ARGUMENTS];
static int received[CALL_ARGUMENTS]; /* descriptors that are not mapped yet */
static size_t came, mapped;          /* number of descriptors, and of those that have been mapped */
static bool is_timed;                /* a request has come with its arrays */

/* Waits for a request. If calls are timed, it does not sleep at first, because waking up takes time that varies. */
static bool receive(int socket, struct msghdr *message, size_t bytes)
{
    enum { SPINS = 400000 };
    ssize_t got = -1;
    for (int i = 0; i < SPINS && is_timed && got < 0; i++)
        got = recvmsg(socket, message, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
    return (got < 0 ? recvmsg(socket, message, MSG_CMSG_CLOEXEC) : got) == (ssize_t)bytes;
}

static void drop_shared(void)
{
    for (size_t i = 0; i < came; i++)
        shared_drop(&shared[i]);
    for (; mapped < came; mapped++)
        close(received[mapped]);
    came = mapped = 0;
}

bool device_receive(const struct host *host, struct call_request *request)
{
    union {
        char bytes[CMSG_SPACE(sizeof received)];
        struct cmsghdr aligned;
    } control;
    struct iovec text = {request, sizeof *request};
    struct msghdr message = {
        .msg_iov = &text, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control};
    if (!receive(host->socket, &message, sizeof *request))
        return false;
    struct cmsghdr *head = CMSG_FIRSTHDR(&message);
    drop_shared();
    if (head && head->cmsg_type == SCM_RIGHTS) {
        came = (head->cmsg_len - CMSG_LEN(0)) / sizeof *received;
        memcpy(received, CMSG_DATA(head), came * sizeof *received);
        is_timed = true;
    }
    return true;
}

/* The descriptors are in the order of the arguments. */
const char *device_map(size_t bytes, void **pointer)
{
    if (mapped >= came)
        return "an array came without its memory";
    cudaFree(NULL); /* makes the context, if nothing else has made it */
    const size_t i = mapped++;
    const char *why = shared_map(received[i], bytes, &shared[i]);
    close(received[i]);
    *pointer = shared[i].pointer;
    return why;
}

enum {
    TIMED_CALLS = 41,
    WARM_CALLS = 3, /* not timed: the first calls load kernels and raise the clock */
    MOST_TIMED_SECONDS = 2
};

static const struct call_request *current;
static unsigned char *inputs[CALL_ARGUMENTS]; /* on the device, each before its guard */
static double nanoseconds, times[TIMED_CALLS];
static unsigned timed;

void device_allow(const struct host *host, const struct part *part)
{
    if (host->stock_part)
        *host->stock_part = part;
}

void device_begin(const struct call_request *request)
{
    current = request;
    timed = 0;
    cudaGetLastError();
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static cudaError_t restore_inputs(void)
{
    cudaError_t error = cudaSuccess;
    for (uint32_t i = 0; i < current->arguments && error == cudaSuccess; i++) {
        const struct call_argument *argument = &current->argument[i];
        if ((argument->kind == CALL_IN || argument->kind == CALL_IN_OUT) && argument->bytes > 0)
            error = cudaMemcpy(inputs[i], memory + argument->offset,
                               argument->bytes + 2 * (size_t)current->guard, cudaMemcpyHostToDevice);
    }
    return error;
}

static int compare_times(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Times the call by events, as labs/bench does. Stops at the first error. A small allocation is kept while it does: the
 * driver unmaps the memory of small allocations when the last of them is freed, which a program with arrays of its own does
 * not pay in each call. */
static void time_calls(struct job *job)
{
    cudaEvent_t begin, end;
    float milliseconds;
    void *kept = NULL;
    const double started = now();
    if (cudaEventCreate(&begin) != cudaSuccess)
        return;
    cudaMalloc(&kept, 1);
    if (cudaEventCreate(&end) == cudaSuccess) {
        for (unsigned i = 0; i < WARM_CALLS + TIMED_CALLS && now() - started < MOST_TIMED_SECONDS * 1e9;
             i++) {
            job->error = restore_inputs();
            cudaDeviceSynchronize();
            cudaEventRecord(begin, 0);
            job->result = job->part->call(job->values);
            cudaEventRecord(end, 0);
            const cudaError_t error = cudaDeviceSynchronize();
            if (job->error == cudaSuccess)
                job->error = error;
            if (job->error != cudaSuccess || cudaEventElapsedTime(&milliseconds, begin, end) != cudaSuccess)
                break;
            if (i >= WARM_CALLS)
                times[timed++] = (double)milliseconds * 1e6;
        }
        cudaEventDestroy(end);
    }
    cudaEventDestroy(begin);
    cudaFree(kept);
    qsort(times, timed, sizeof *times, compare_times);
}

bool device_run(struct job *job)
{
    cudaDeviceSynchronize();
    const double begin = now();
    runner_call_part(job);
    nanoseconds = now() - begin;
    if (current->measure == CALL_METERS_BY_LINE && job->error == cudaSuccess)
        time_calls(job);
    return true;
}

void device_arrays_stand(void)
{
}

/* A GPU reuses freed memory by itself. */
bool device_renew(void *allocation)
{
    (void)allocation;
    return false;
}

void device_returned(void)
{
}

void device_sample(const struct call_argument *argument, const struct array *array)
{
    (void)argument;
    (void)array;
}

void device_name(const struct call_argument *argument, const struct array *array)
{
    (void)argument;
    (void)array;
}

void device_mark(const struct call_argument *argument, const struct array *array)
{
    inputs[argument - current->argument] = array->begin;
}

void device_collect_findings(struct call_reply *reply)
{
    (void)reply;
}

static void add_meter(struct call_reply *reply, const char *name, double value)
{
    struct call_meter *meter = &reply->meter[reply->meters++];
    runner_copy_text(meter->name, sizeof meter->name, name);
    meter->value = (uint64_t)value;
}

void device_collect_meters(struct call_reply *reply)
{
    add_meter(reply, "nanoseconds", nanoseconds);
    if (timed == 0)
        return;
    add_meter(reply, "timed calls", timed);
    add_meter(reply, "nanoseconds at least", times[0]);
    add_meter(reply, "nanoseconds lower quartile", times[timed / 4]);
    add_meter(reply, "nanoseconds median", times[timed / 2]);
    add_meter(reply, "nanoseconds upper quartile", times[3 * timed / 4]);
}

uint32_t device_used(void)
{
    return 0;
}

void device_collect_explored(struct call_reply *reply)
{
    (void)reply;
}

void device_collect_lines(struct call_reply *reply)
{
    (void)reply;
}

void device_recover(void)
{
    cudaGetLastError();
}

uint64_t device_leaks(void)
{
    return 0;
}

bool device_load(void (*load)(void *), void *context, char *why, size_t size)
{
    (void)why;
    (void)size;
    load(context);
    return true;
}

void device_count_work(struct call_reply *reply)
{
    reply->executed = reply->by_threads = reply->by_busiest = 0;
}

void device_open(void)
{
}

void device_guard(void)
{
}
