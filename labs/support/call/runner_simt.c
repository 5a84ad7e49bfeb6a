/* runner_simt.c: the device interface of the runner (runner_device.h) for the CPU device. */
#define _DEFAULT_SOURCE
#include "runner_device.h"
#include "simt.h"
#include "stock_cpu.h"
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define WORK_OF_LOADING ((uint64_t)1 << 27) /* instructions, for initializers of static variables */

static uint64_t heap_mark;

/* The memory file is not mapped, because host code of the submission could read inputs there without any meter
 * counting it. */
bool device_open_memory(const struct host *host)
{
    return lseek(host->memory, 0, SEEK_SET) == 0;
}

cudaError_t device_pass(const struct host *host, uint64_t offset, unsigned char *array, size_t bytes,
                        enum cudaMemcpyKind kind)
{
    unsigned char buffer[1 << 16]; /* cleared afterwards */
    const bool in = kind == cudaMemcpyHostToDevice;
    cudaError_t error =
        in || lseek(host->memory, (off_t)offset, SEEK_SET) >= 0 ? cudaSuccess : cudaErrorUnknown;
    for (size_t done = 0, part; done < bytes && error == cudaSuccess; done += part) {
        part = bytes - done < sizeof buffer ? bytes - done : sizeof buffer;
        if (in && pread(host->memory, buffer, part, (off_t)(offset + done)) != (ssize_t)part)
            error = cudaErrorUnknown;
        else
            error = in ? cudaMemcpy(array + done, buffer, part, kind)
                       : cudaMemcpy(buffer, array + done, part, kind);
        if (!in && error == cudaSuccess && write(host->memory, buffer, part) != (ssize_t)part)
            error = cudaErrorUnknown;
    }
    explicit_bzero(buffer, bytes < sizeof buffer ? bytes : sizeof buffer);
    return error;
}

bool device_receive(const struct host *host, struct call_request *request)
{
    return recv(host->socket, request, sizeof *request, 0) == (ssize_t)sizeof *request;
}

const char *device_map(size_t bytes, void **pointer)
{
    (void)bytes;
    (void)pointer;
    return "the CPU device shares no memory with other processes";
}

void device_returned(void)
{
    simt_report_unjoined();
}

void device_allow(const struct host *host, const struct part *part)
{
    (void)host;
    stock_allow(part->name, part->stock);
}

/* Gives the parameters of the contract, and those of a function with that name in the submission, which is a
 * different function. */
void device_explain_missing(const struct part *part, char *text, size_t size)
{
    struct simt_signature declared, defined;
    simt_find_signatures((const void *)(uintptr_t)part->call, part->name, &declared, &defined);
    if (defined.text[0] && declared.text[0])
        snprintf(text, size,
                 "%s\nline %d defines %s, which is another function\n"
                 "try: the contract's parameters, in that order and of those types, outside of any namespace",
                 declared.text, defined.where.line, defined.text);
    else
        runner_copy_text(text, size, declared.text[0] ? declared.text : part->name);
}

void device_begin(const struct call_request *request)
{
    static const enum simt_order orders[] = {SIMT_FORWARD, SIMT_REVERSE, SIMT_RANDOM, SIMT_LOCKSTEP};
    struct simt_schedule schedule = {
        .order = orders[request->schedule.order],
        .seed = request->schedule.seed,
        .resident_blocks = request->schedule.resident,
        .work = request->schedule.work,
    };
    simt_set_schedule(&schedule);
    simt_set_late(&request->schedule.late);
    simt_set_explore(&request->schedule.explore);
    simt_measure(request->measure >= CALL_METERS_ON);
    simt_measure_sharing(request->measure == CALL_METERS_OF_SHARING);
    simt_check(request->checks);
    simt_sample((size_t)request->sampled);
    simt_begin_run();
    heap_mark = simt_heap_mark();
}

bool device_run(struct job *job)
{
    const struct call_request *request = job->request;
    simt_begin_run();
    for (uint32_t i = 0; i < request->arguments; i++)
        if (request->argument[i].kind == CALL_IN || request->argument[i].kind == CALL_IN_OUT)
            simt_note_arrival(job->values[i].pointer, request->argument[i].bytes);
    simt_keep_state();
    bool came_back = simt_call(runner_call_part, job);
    if (request->checks)
        simt_note_state();
    if (!came_back)
        job->error = cudaPeekAtLastError();
    else if (job->error == cudaSuccess)
        simt_report_leaks();
    if (came_back)
        simt_sample_judge();
    return came_back;
}

void device_arrays_stand(void)
{
    heap_mark = simt_heap_mark();
}

bool device_renew(void *allocation)
{
    return simt_renew_allocation(allocation);
}

void device_sample(const struct call_argument *argument, const struct array *array)
{
    simt_name_allocation(array->allocation, argument->shift, argument->name, argument->element_size);
    if (argument->reach)
        simt_sample_expect(array->allocation, argument->kind != CALL_IN);
    simt_sample_fill(array->allocation, (enum simt_sample_values)argument->values);
}

/* An output is filled with a byte that does not occur in scratch memory. So junk that was copied to slots that
 * should stay untouched is found. */
void device_name(const struct call_argument *argument, const struct array *array)
{
    simt_name_allocation(array->allocation, argument->shift, argument->name, argument->element_size);
    if (argument->kind != CALL_IN)
        simt_mark_output(array->allocation);
    if (argument->kind == CALL_OUT)
        simt_fill_allocation(array->allocation, CALL_POISON);
}

/* Called after the array has received its contents. */
void device_mark(const struct call_argument *argument, const struct array *array)
{
    if (argument->kind == CALL_IN)
        simt_mark_input(array->allocation);
}

void device_collect_findings(struct call_reply *reply)
{
    const struct simt_finding *sorted[CALL_FINDINGS];
    size_t count = simt_findings_by_rank(sorted, CALL_FINDINGS);
    for (size_t i = 0; i < count; i++) {
        reply->all_findings += !simt_finding_at(i)->warning;
        if (i < CALL_FINDINGS)
            reply->finding[reply->findings++] = *sorted[i];
    }
}

void device_collect_meters(struct call_reply *reply)
{
    size_t count = simt_meter_count();
    for (size_t i = 0; i < count && reply->meters < CALL_METERS; i++) {
        struct simt_meter from = simt_meter_at(i);
        struct call_meter *to = &reply->meter[reply->meters++];
        runner_copy_text(to->name, sizeof to->name, from.name);
        to->value = from.value;
    }
}

uint32_t device_used(void)
{
    return simt_used();
}

void device_collect_lines(struct call_reply *reply)
{
    size_t count = simt_line_count();
    for (size_t i = 0; i < count && reply->lines < CALL_LINES; i++) {
        const struct simt_line *from = simt_line_at(i);
        struct call_line *to = &reply->line[reply->lines++];
        runner_copy_text(to->file, sizeof to->file, from->where.file);
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

void device_collect_explored(struct call_reply *reply)
{
    reply->explores = 1;
    reply->explored = *simt_get_explored();
}

void device_recover(void)
{
    simt_begin_run();
}

uint64_t device_leaks(void)
{
    const uint64_t leaks = simt_heap_release(heap_mark);
    simt_sample(0);
    return leaks;
}

bool device_load(void (*load)(void *), void *context, char *why, size_t size)
{
    struct simt_schedule schedule = simt_get_schedule();
    schedule.work = WORK_OF_LOADING;
    simt_set_schedule(&schedule);
    if (simt_call(load, context))
        return true;
    const struct simt_finding *finding;
    struct simt_finding_words words;
    simt_findings_by_rank(&finding, 1);
    simt_finding_words(finding, &words);
    runner_copy_text(why, size, words.title);
    return false;
}

void device_count_work(struct call_reply *reply)
{
    reply->executed = simt_executed();
    reply->by_threads = simt_executed_by_threads();
    reply->by_busiest = simt_executed_by_busiest_thread();
}

static void no_sink(const struct simt_finding *finding, void *context)
{
    (void)finding;
    (void)context;
}

void device_open(void)
{
    simt_sample_reserve(); /* later, shared mappings are forbidden */
    simt_set_finding_sink(no_sink, NULL);
}

void device_guard(void)
{
    simt_guard_program();
}
