/* suite_call.c: arranges a call, and makes it through a runner. */
#include "suite_internal.h"
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
    GUARD_BYTES = 1024, /* on each side of an array where the device does not watch its ends */
    GUARD_FILL = 0x5A,
    LIMIT_SECONDS = 10,    /* CPU time of one launch; the device itself reports when it is over */
    DEADLINE_SECONDS = 60, /* wall-clock time of a call: for what the device cannot see, such as sleep() */
    DEBUG_SECONDS = 7 * 24 * 3600 /* both of these, while a debugger holds the call */
};

#define CPU_MEMORY  ((size_t)1 << 30) /* bytes of a memory file */
#define CUDA_MEMORY ((size_t)1 << 36)
#define SLOW_COPY   2e8 /* bytes a second */

static struct serving {
    struct call_runner *process; /* null: the next call starts one */
    unsigned served;             /* calls that it has answered */
} runners[MONOID_COUNT][SUITE_TILES];

static const struct suite_part *hanging_part;

/* ---- memory of calls ----------------------------------------------------------------------------------- */

static struct block {
    struct block *next;
} * blocks;

void *suite_memory(size_t bytes)
{
    /* 16 bytes for the link keep the rest aligned for every element. */
    struct block *block = malloc(16 + bytes);
    if (!block) {
        fprintf(stderr, "the suite is out of memory: %zu bytes\n", bytes);
        exit(2);
    }
    block->next = blocks;
    blocks = block;
    return (char *)block + 16;
}

static void forget_memory(void)
{
    while (blocks) {
        struct block *next = blocks->next;
        free(blocks);
        blocks = next;
    }
}

/* ---- arranging ----------------------------------------------------------------------------------------- */

/* Parameter i of "(const elem_t *in, size_t n)", and its length in bytes. Null when there are fewer. */
static const char *parameter(const char *arguments, unsigned i, size_t *length)
{
    const char *from = arguments + 1;
    for (; i > 0 && from; i--) {
        from = strchr(from, ',');
        from = from ? from + strspn(from, ", ") : NULL;
    }
    *length = from ? strcspn(from, ",)") : 0;
    return from;
}

/* A mistake in the suite, which no submission can cause. */
static void misfit(const struct suite_call *call, const char *what)
{
    fprintf(stderr, "the suite gives %s, as argument %u, %s: its contract declares %s%s\n",
            call->is.part->name, call->arguments, what, call->is.part->name, call->is.part->arguments);
    exit(2);
}

/* The next argument, of this kind, named as in the contract. */
static struct suite_argument *append(struct suite_call *call, enum call_argument_kind kind)
{
    size_t length;
    const char *declared = parameter(call->is.part->arguments, call->arguments, &length);
    const bool written = kind != CALL_IN, scalar = kind == CALL_SCALAR;
    if (!declared || call->arguments == CALL_ARGUMENTS)
        misfit(call, "one more than it takes");
    if (scalar != (memchr(declared, '*', length) == NULL))
        misfit(call, scalar ? "a scalar" : "an array");
    if (!scalar && written != (strncmp(declared, "const ", 6) != 0))
        misfit(call, written ? "an output" : "an input");

    struct suite_argument *argument = &call->argument[call->arguments++];
    *argument = (struct suite_argument){.kind = kind};
    const char *end = declared + length, *name = end;
    while (name[-1] != ' ' && name[-1] != '*')
        name--;
    snprintf(argument->name, sizeof argument->name, "%.*s", (int)(end - name), name);
    return argument;
}

unsigned suite_in(struct suite_call *call, enum element element, size_t count, const void *input)
{
    struct suite_argument *argument = append(call, CALL_IN);
    argument->element = element;
    argument->count = count;
    argument->input = input;
    return call->arguments - 1;
}

unsigned suite_out(struct suite_call *call, enum element element, size_t count, const void *expected,
                   const double *tolerance)
{
    struct suite_argument *argument = append(call, CALL_OUT);
    argument->element = element;
    argument->count = count;
    argument->expected = expected;
    argument->tolerance = tolerance;
    return call->arguments - 1;
}

unsigned suite_same(struct suite_call *call, unsigned argument, const void *expected, const double *tolerance)
{
    struct suite_argument *array = &call->argument[argument];
    array->kind = CALL_IN_OUT;
    array->expected = expected;
    array->tolerance = tolerance;
    append(call, CALL_SAME)->same_as = argument;
    return call->arguments - 1;
}

unsigned suite_scalar(struct suite_call *call, uint64_t value)
{
    append(call, CALL_SCALAR)->scalar = value;
    return call->arguments - 1;
}

unsigned suite_shown_scalar(struct suite_call *call, uint64_t value)
{
    unsigned argument = suite_scalar(call, value);
    call->argument[argument].shown = true;
    return argument;
}

void suite_arrange(struct suite_call *call, const struct suite_case *is)
{
    forget_memory();
    memset(call, 0, sizeof *call);
    call->is = *is;
    suite_use_tile(is->tile);
    is->part->arrange(call);
    size_t length;
    if (parameter(is->part->arguments, call->arguments, &length))
        misfit(call, "nothing");
}

/* ---- the runner ---------------------------------------------------------------------------------------- */

static struct serving *runner_of(const struct suite_case *is)
{
    size_t i = 0;
    while (i + 1 < SUITE_TILES && suite_tiles[i] != is->tile) /* the last one for those of traces, too */
        i++;
    return &runners[is->monoid][i];
}

static void stop(struct serving *runner)
{
    call_stop(runner->process);
    *runner = (struct serving){NULL, 0};
}

unsigned suite_served(const struct suite_case *is)
{
    return runner_of(is)->served;
}

void suite_retire(const struct suite_case *is)
{
    stop(runner_of(is));
}

void suite_end(void)
{
    for (int i = 0; i < MONOID_COUNT; i++)
        for (int j = 0; j < SUITE_TILES; j++)
            stop(&runners[i][j]);
    forget_memory();
}

void suite_library(char *path, size_t size, int monoid, size_t tile)
{
    char words[24] = "";
    if (tile != SUITE_TILE)
        snprintf(words, sizeof words, ".%zu", tile);
    snprintf(path, size, "%s/%s.%s%s.so", suite_options.submission, suite_lab->name, monoids[monoid].name,
             words);
}

/* Seconds for calls that are left; at most 0 when they are over. */
static double seconds_left(void)
{
    static struct timespec began;
    struct timespec now;
    if (suite_options.seconds <= 0)
        return INFINITY;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (began.tv_sec == 0)
        began = now;
    return suite_options.seconds - (double)(now.tv_sec - began.tv_sec) -
           (double)(now.tv_nsec - began.tv_nsec) / 1e9;
}

bool suite_part_hangs(const struct suite_part *part)
{
    return part == hanging_part || suite_time_is_over();
}

bool suite_time_is_over(void)
{
    return seconds_left() <= 0;
}

static void trouble(struct suite_call *call, enum suite_failure_kind kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static void trouble(struct suite_call *call, enum suite_failure_kind kind, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(call->trouble, sizeof call->trouble, format, arguments);
    va_end(arguments);
    call->trouble_kind = kind;
}

/* A test that calls a build which make does not make is a mistake in the suite, too. */
static void need_library(const struct suite_call *call, const char *library)
{
    if (access(library, R_OK) == 0)
        return;
    fflush(stdout);
    fprintf(
        stderr,
        "a test calls %s on %s with TILE=%zu, a build that is not there: %s\n"
        "labs/module.mk and the lab's suite say which ones the part takes; no fault of the code under test\n",
        call->is.part->name, monoids[call->is.monoid].name, call->is.tile, library);
    exit(2);
}

static bool start_runner(struct suite_call *call, struct serving *runner)
{
    char library[4096];
    struct call_options options = {
        .runner = suite_options.runner,
        .sandbox = suite_options.sandbox,
        .library = library,
        .memory = suite_options.on_cuda ? CUDA_MEMORY : CPU_MEMORY,
    };
    suite_library(library, sizeof library, call->is.monoid, call->is.tile);
    need_library(call, library);
    runner->process = call_start(&options, call->trouble, sizeof call->trouble);
    call->trouble_kind = SUITE_HARNESS;
    return runner->process != NULL;
}

static size_t round_up(size_t bytes)
{
    return (bytes + CALL_ALIGNMENT - 1) / CALL_ALIGNMENT * CALL_ALIGNMENT;
}

/* Elements by which an array misses its alignment: up to 3, and different for each array, so that code which looks at the
 * alignment of one of them only is found out. */
static unsigned shift_of(const struct suite_call *call, unsigned argument)
{
    enum { SHIFTS = 4 };
    return call->is.shift == 0 ? 0 : (call->is.shift + argument) % SHIFTS;
}

/* Writes the arrays into the memory file and the request. False when they do not fit. */
static bool fill_request(struct suite_call *call, struct call_request *request, unsigned char *memory,
                         size_t memory_bytes)
{
    size_t offset = 0, guard = suite_options.on_cuda ? GUARD_BYTES : 0;

    memset(request, 0, sizeof *request);
    snprintf(request->part, sizeof request->part, "%s", call->is.part->name);
    request->schedule = (struct call_schedule){call->is.order, call->is.resident, call->is.seed,
                                               suite_options.debug ? DEBUG_SECONDS : LIMIT_SECONDS};
    request->guard = (uint32_t)guard;
    request->sampled = call->sampled;
    request->measure = call->measure;
    request->checks = call->checks;
    request->arguments = call->arguments;
    for (unsigned i = 0; i < call->arguments; i++) {
        const struct suite_argument *from = &call->argument[i];
        struct call_argument *to = &request->argument[i];
        to->kind = from->kind;
        to->same_as = from->same_as;
        to->scalar = from->scalar;
        if (from->kind > CALL_IN_OUT)
            continue;
        size_t size = element_size(from->element), bytes = from->count * size;
        if (call->sampled) {
            snprintf(to->name, sizeof to->name, "%s", from->name);
            to->element_size = (uint32_t)size;
            to->bytes = bytes;
            to->reach = from->reach;
            to->values = from->sampled_values;
            continue;
        }
        if (bytes + 2 * guard > memory_bytes - offset) {
            trouble(call, SUITE_HARNESS, "the suite's arrays do not fit its memory file");
            return false;
        }
        snprintf(to->name, sizeof to->name, "%s", from->name);
        to->element_size = (uint32_t)size;
        to->shift = (uint32_t)(shift_of(call, i) * size);
        to->offset = offset;
        to->bytes = bytes;
        memset(memory + offset, GUARD_FILL, guard);
        if (from->kind == CALL_OUT)
            memset(memory + offset + guard, CALL_POISON, bytes);
        else if (bytes > 0)
            memcpy(memory + offset + guard, from->input, bytes);
        memset(memory + offset + guard + bytes, GUARD_FILL, guard);
        offset += round_up(bytes + 2 * guard);
    }
    return true;
}

/* What a slow machine needs to copy the arrays to the device and back. */
static double copy_seconds(const struct call_request *request)
{
    double bytes = 0;
    for (uint32_t i = 0; i < request->arguments; i++)
        bytes += (double)request->argument[i].bytes;
    return bytes / SLOW_COPY;
}

/* Finds where a guard zone has changed; before an array, the changed byte that is nearest to it. */
static void look_at_guards(struct suite_argument *argument, const unsigned char *before,
                           const unsigned char *after, size_t guard)
{
    for (size_t i = 0; i < guard; i++)
        if (after[i] != GUARD_FILL || before[guard - 1 - i] != GUARD_FILL) {
            argument->guard_hit = true;
            argument->guard_offset = after[i] != GUARD_FILL ? (ptrdiff_t)i : -(ptrdiff_t)i - 1;
            return;
        }
}

/* Takes the arrays out of the memory file, which the submission may still write. */
static void fetch(struct suite_call *call, const struct call_request *request, const unsigned char *memory)
{
    for (unsigned i = 0; i < call->arguments; i++) {
        struct suite_argument *argument = &call->argument[i];
        if (argument->kind > CALL_IN_OUT)
            continue;
        const unsigned char *from = memory + request->argument[i].offset + request->guard;
        size_t bytes = request->argument[i].bytes;
        void *got = suite_memory(bytes);
        memcpy(got, from, bytes);
        argument->got = got;
        look_at_guards(argument, from - request->guard, from + bytes, request->guard);
    }
}

static const struct simt_finding *find_finding(const struct call_reply *reply, enum simt_finding_kind kind)
{
    for (uint32_t i = 0; i < reply->findings; i++)
        if (reply->finding[i].kind == (uint32_t)kind && !reply->finding[i].warning)
            return &reply->finding[i];
    return NULL;
}

/* Fills in trouble when a call that was answered failed as a whole, unless the findings describe it better. False when it did
 * not fail. */
static bool answered_with_trouble(struct suite_call *call)
{
    const struct call_reply *reply = &call->reply;
    switch (reply->status) {
    case CALL_NOT_LOADED:
        trouble(call, SUITE_CRASHED, "crashed: the submission cannot be loaded: %s", reply->text);
        return true;
    case CALL_MISSING:
        trouble(call, SUITE_MISSING, "missing: %s does not define %s", suite_options.lab_file,
                reply->text[0] ? reply->text : call->is.part->name);
        return true;
    case CALL_REFUSED:
        trouble(call, SUITE_ERROR, "the call could not be made: %s", reply->text);
        return true;
    default:
        break;
    }
    if (reply->status == CALL_DONE && reply->error == 0)
        return false;
    const struct simt_finding *crash = find_finding(reply, SIMT_CRASH);
    if (find_finding(reply, SIMT_ENDLESS)) {
        hanging_part = call->sampled ? hanging_part : call->is.part;
        trouble(call, SUITE_TIMED_OUT,
                "timed out: a launch or a stretch of host code took more than %d s of CPU time",
                LIMIT_SECONDS);
    } else if (crash) {
        struct simt_finding_words words;
        simt_finding_words(crash, &words);
        trouble(call, SUITE_CRASHED, "crashed: %s", words.title);
    } else if (reply->all_findings == 0)
        trouble(call, SUITE_ERROR, "the call ended with %s: %s", reply->error_name, reply->text);
    return true;
}

/* What the runner's filter means; see lockdown.h. */
static const char refused_call[] =
    "\nit made a system call that no lab needs: for a process, a thread, a socket, a file to write to, "
    "memory that others share, or new code";

static bool time_is_over(struct suite_call *call)
{
    trouble(call, SUITE_TIMED_OUT, "timed out: the %.0f s that all calls may take are over",
            suite_options.seconds);
    return false;
}

bool suite_perform(struct suite_call *call)
{
    static struct call_request request;
    struct serving *runner = runner_of(&call->is);
    char why[256];

    const double left = seconds_left();
    if (left <= 0)
        return time_is_over(call);
    if (!runner->process && !start_runner(call, runner))
        return false;
    struct call_runner *process = runner->process;
    unsigned char *memory = call_memory(process);
    if (!fill_request(call, &request, memory, suite_options.on_cuda ? CUDA_MEMORY : CPU_MEMORY))
        return false;

    double seconds = (suite_options.debug ? DEBUG_SECONDS : DEADLINE_SECONDS) +
                     (call->sampled ? 0 : copy_seconds(&request));
    seconds = left < seconds ? left : seconds;
    enum call_outcome outcome = call_perform(process, &request, seconds, &call->reply, why, sizeof why);
    snprintf(call->printed, sizeof call->printed, "%s", call_printed(process));
    runner->served++;
    bool good = false, retire = true;
    switch (outcome) {
    case CALL_ANSWERED:
        good = !answered_with_trouble(call);
        /* After a sampled run: blocks that it left out may have had __device__ variables to reset. */
        retire = call->reply.retire != 0 || call->reply.status == CALL_NOT_LOADED || call->sampled;
        break;
    case CALL_CRASHED:
        if (suite_options.debug)
            exit(1); /* the debugger was left, and has said what there is to say */
        trouble(call, SUITE_CRASHED, "crashed: the submission ended the process (%s)%s", why,
                strstr(why, "Bad system call") ? refused_call : "");
        break;
    case CALL_TIMED_OUT:
        if (seconds == left) { /* which is no sign that the part hangs */
            good = time_is_over(call);
            break;
        }
        hanging_part = call->sampled ? hanging_part : call->is.part;
        trouble(call, SUITE_TIMED_OUT, "timed out: no answer after %.0f s", seconds);
        break;
    case CALL_NONSENSE:
        trouble(call, SUITE_CRASHED, "crashed: the submission broke the harness's own channel (%s)", why);
        break;
    case CALL_BROKEN:
        trouble(call, SUITE_HARNESS, "the harness itself failed: %s", why);
        break;
    }
    if (outcome != CALL_ANSWERED)
        memset(&call->reply, 0, sizeof call->reply);
    if (good && !call->sampled)
        fetch(call, &request, memory);
    if (retire)
        stop(runner);
    return good;
}
