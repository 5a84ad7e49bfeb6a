/* suite_call.c: makes a call through a runner. */
#include "suite_internal.h"
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
    GUARD_BYTES = 1024, /* on each side of an array, if the device does not check its ends */
    GUARD_FILL = 0x5A,
    DEADLINE_SECONDS = 600,       /* wall-clock limit of a call that no budget of work ends: see TRUST.md */
    DEBUG_SECONDS = 7 * 24 * 3600 /* the same while a debugger stops the call */
};

/* A submission may fill its runner's memory file. So a file is only as large as calls need, a power of two, and the
 * sum of all files is limited. */
#define LEAST_MEMORY ((size_t)1 << 26) /* size of a memory file; few calls need more */
#define CPU_MEMORY   ((size_t)1 << 31) /* limit for all files together */
#define CUDA_MEMORY  ((size_t)1 << 36)
/* Budget of a call in instructions: at least ten times the need of the slowest right solution, which make audit
 * checks (--budget-share 10). A mistake in a short call ends soon. */
#define WORK_OF_CALL ((uint64_t)1 << 29)
#define WORK_OF_BYTE ((uint64_t)1 << 15) /* for each byte of its arrays */
#define MOST_WORK    ((uint64_t)1 << 35)
#define WORK_SAMPLED ((uint64_t)1 << 33) /* a host loop over all elements ends before that: see simt_sample */
#define WORK_OF_ALL  ((uint64_t)1 << 39) /* for all calls together */
#define SLOW_COPY    2e8                 /* bytes a second */

static struct serving {
    struct call_runner *process;         /* null: the next call starts one */
    unsigned served;                     /* number of calls that it has answered */
    size_t memory;                       /* bytes of its memory file */
} runners[2][MONOID_COUNT][SUITE_TILES]; /* of the usual builds, and of those for proofs */

enum { RUNNERS = sizeof runners / sizeof runners[0][0][0] };

/* Calls that would only take time are not made: of a part with a call that has spent its budget, */
static const struct suite_part *hanging;
/* and of no part when a call had no answer before its deadline, because the hand-in then has no score at all. */
static const struct suite_part *unanswered;

/* ---- the runner ---------------------------------------------------------------------------------------- */

static bool is_for_proofs(const struct suite_case *is)
{
    return is->proof && suite_has_proof_build(suite_build_monoid(is), is->tile);
}

static struct serving *runner_of(const struct suite_case *is)
{
    size_t i = 0;
    while (i + 1 < SUITE_TILES && suite_tiles[i] != is->tile) /* traces share the last one */
        i++;
    return &runners[is_for_proofs(is)][is->monoid][i];
}

static void stop(struct serving *runner)
{
    call_stop(runner->process);
    *runner = (struct serving){NULL, 0, 0};
}

static void stop_all(void)
{
    for (size_t i = 0; i < RUNNERS; i++)
        stop(&runners[0][0][0] + i);
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
    stop_all();
    suite_forget_memory();
}

/* Seconds that are left for calls; at most 0 when none are. */
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

static uint64_t executed; /* by all calls so far that ended: an endless loop costs other parts nothing */

static bool all_is_spent(void)
{
    return executed > WORK_OF_ALL / suite_options.budget_share;
}

bool suite_part_hangs(const struct suite_part *part)
{
    return part == hanging || all_is_spent() || suite_time_is_over();
}

enum suite_failure_kind suite_explain_hanging(const struct suite_part *part, char *why, size_t size)
{
    if (unanswered) {
        snprintf(why, size,
                 "the harness itself failed: not run, because a call of %s before this had no answer",
                 unanswered->name);
        return SUITE_HARNESS;
    }
    if (part != hanging && all_is_spent()) {
        snprintf(why, size,
                 "timed out: not run, because all calls together have executed more than their budget");
        return SUITE_TIMED_OUT;
    }
    if (part != hanging) {
        snprintf(why, size,
                 "the harness itself failed: not run, because the %.0f s that all calls may take are over",
                 suite_options.seconds);
        return SUITE_HARNESS;
    }
    snprintf(why, size, "timed out: not run, because a call of %s before this timed out", part->name);
    return SUITE_TIMED_OUT;
}

void suite_forgive_hanging(void)
{
    hanging = NULL;
}

bool suite_time_is_over(void)
{
    return unanswered || seconds_left() <= 0;
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

/* A test that calls a build that make does not make is a mistake in the suite, too. */
static void need_library(const struct suite_call *call, const char *library)
{
    if (access(library, R_OK) == 0)
        return;
    fflush(stdout);
    fprintf(stderr,
            "a test calls %s on %s with TILE=%zu, a build that is not there: %s\n"
            "lab.toml and the lab's suite say which ones the part takes; no fault of the code under test\n",
            call->is.part->name, monoids[call->is.monoid].name, call->is.tile, library);
    exit(2);
}

static size_t guard_bytes(void)
{
    return suite_options.on_cuda && !suite_options.no_guards ? GUARD_BYTES : 0;
}

static size_t round_up(size_t bytes)
{
    return (bytes + CALL_ALIGNMENT - 1) / CALL_ALIGNMENT * CALL_ALIGNMENT;
}

/* The size of the memory file that the call's arrays need. */
static size_t memory_needed(const struct suite_call *call)
{
    size_t bytes = 0;
    for (unsigned i = 0; i < call->arguments && !call->sampled; i++)
        if (call->argument[i].kind <= CALL_IN_OUT)
            bytes += round_up(call->argument[i].count * element_size(call->argument[i].element) +
                              2 * guard_bytes());
    return bytes;
}

/* The size of a new runner's memory file for this call. Stops the other runners if the sum is too large. */
static size_t make_room(const struct suite_call *call)
{
    const size_t most = suite_options.on_cuda ? CUDA_MEMORY : CPU_MEMORY, needed = memory_needed(call);
    size_t bytes = LEAST_MEMORY, all = 0;
    while (bytes < needed && bytes < most)
        bytes *= 2;
    for (size_t i = 0; i < RUNNERS; i++)
        all += (&runners[0][0][0])[i].memory;
    if (all + bytes > most)
        stop_all();
    return bytes;
}

static bool start_runner(struct suite_call *call, struct serving *runner)
{
    runner->memory = make_room(call);
    char library[4096];
    struct call_options options = {
        .runner = suite_options.runner,
        .sandbox = suite_options.sandbox,
        .library = library,
        .memory = runner->memory,
    };
    suite_library(library, sizeof library, suite_build_monoid(&call->is), call->is.tile,
                  is_for_proofs(&call->is));
    need_library(call, library);
    runner->process = call_start(&options, call->trouble, sizeof call->trouble);
    call->trouble_kind = SUITE_HARNESS;
    return runner->process != NULL;
}

/* Elements by which an array is misaligned: up to 3, and different for each array. This exposes code that checks
 * the alignment of only one array. */
static unsigned shift_of(const struct suite_call *call, unsigned argument)
{
    enum { SHIFTS = 4 };
    return call->is.shift == 0 ? 0 : (call->is.shift + argument) % SHIFTS;
}

/* The limit in instructions; 0: none. */
static uint64_t budget_of(const struct suite_call *call)
{
    const uint64_t times = call->is.part->work > 0 ? call->is.part->work : 1;
    uint64_t work = WORK_OF_CALL;
    if (suite_options.debug)
        return 0;
    if (call->sampled)
        return WORK_SAMPLED / suite_options.budget_share;
    for (unsigned i = 0; i < call->arguments; i++)
        if (call->argument[i].kind <= CALL_IN_OUT)
            work += call->argument[i].count * element_size(call->argument[i].element) * WORK_OF_BYTE;
    return (work < MOST_WORK ? work : MOST_WORK) * times / suite_options.budget_share;
}

/* Writes the arrays to the memory file, and fills in the request. Returns false when they do not fit. */
static bool fill_request(struct suite_call *call, struct call_request *request, unsigned char *memory,
                         size_t memory_bytes)
{
    size_t offset = 0, guard = guard_bytes();

    memset(request, 0, sizeof *request);
    snprintf(request->part, sizeof request->part, "%s", call->is.part->name);
    request->schedule = (struct call_schedule){call->is.order,  call->is.resident, call->is.seed,
                                               budget_of(call), call->is.late,     call->is.explore};
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

/* The time that a slow machine needs to copy the arrays to the device and back. */
static double copy_seconds(const struct call_request *request)
{
    double bytes = 0;
    for (uint32_t i = 0; i < request->arguments; i++)
        bytes += (double)request->argument[i].bytes;
    return bytes / SLOW_COPY;
}

/* Finds a changed byte in the guard zones; in the zone before an array, the one nearest to the array. */
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

/* Copies the arrays from the memory file, to which the submission may still write. */
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

/* Did an answered call fail as a whole? If so, fills in trouble, unless findings describe it better. */
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
    const bool endless = find_finding(reply, SIMT_ENDLESS);
    /* A deadlock of threads that change memory while they wait is found only when the budget is spent. */
    if (!call->sampled &&
        (endless || (find_finding(reply, SIMT_DEADLOCK) && reply->executed > budget_of(call))))
        hanging = call->is.part;
    if (endless) {
        trouble(call, SUITE_TIMED_OUT, "timed out: the call executed more than its budget");
    } else if (crash) {
        struct simt_finding_words words;
        simt_finding_words(crash, &words);
        trouble(call, SUITE_CRASHED, "crashed: %s", words.title);
    } else if (reply->all_findings == 0)
        trouble(call, SUITE_ERROR, "the call ended with %s: %s", reply->error_name, reply->text);
    return true;
}

/* Explains a forbidden system call; see lockdown.h. */
static const char refused_call[] =
    "\nit made a system call that no lab needs: for a process, a thread, a socket, a file to write to, "
    "memory that others share, or new code";

static bool time_is_over(struct suite_call *call)
{
    trouble(call, SUITE_HARNESS,
            "the harness itself failed: the %.0f s that all calls may take are over\ntry: grade again, with "
            "fewer jobs",
            suite_options.seconds);
    return false;
}

/* How often the runners' control group has reached its own memory limit; 0 if there is no such group. A shortage of
 * memory in the whole system is not included. */
static long memory_limit_hits(void)
{
    char line[64];
    long hits = 0;
    FILE *file = suite_options.events ? fopen(suite_options.events, "r") : NULL;
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "oom %ld", &hits) == 1)
            break;
    if (file)
        fclose(file);
    return hits;
}

/* Makes the call once. It may be tried again after CALL_ENDED or CALL_TIMED_OUT. */
static bool perform_once(struct suite_call *call, enum call_outcome *ended)
{
    static struct call_request request;
    struct serving *runner = runner_of(&call->is);
    char why[256];

    *ended = CALL_BROKEN;
    const double left = seconds_left();
    if (left <= 0)
        return time_is_over(call);
    const long hits = memory_limit_hits();
    if (runner->process && runner->memory < memory_needed(call))
        stop(runner);
    if (!runner->process && !start_runner(call, runner))
        return false;
    struct call_runner *process = runner->process;
    unsigned char *memory = call_memory(process);
    if (!fill_request(call, &request, memory, runner->memory))
        return false;

    double seconds = (suite_options.debug ? DEBUG_SECONDS : DEADLINE_SECONDS) +
                     (call->sampled ? 0 : copy_seconds(&request));
    seconds = left < seconds ? left : seconds;
    enum call_outcome outcome = call_perform(process, &request, seconds, &call->reply, why, sizeof why);
    snprintf(call->printed, sizeof call->printed, "%s", call_printed(process));
    runner->served++;
    if (outcome == CALL_ENDED && memory_limit_hits() > hits)
        outcome = CALL_CRASHED;
    *ended = outcome;
    bool good = false, retire = true;
    switch (outcome) {
    case CALL_ANSWERED:
        good = !answered_with_trouble(call);
        executed += call->is.part == hanging ? 0 : call->reply.executed;
        /* After a sampled run: blocks that did not run may have had to reset __device__ variables. */
        retire = call->reply.retire != 0 || call->reply.status == CALL_NOT_LOADED || call->sampled;
        break;
    case CALL_CRASHED:
        if (suite_options.debug)
            exit(1); /* the debugger was left, and has printed everything */
        trouble(call, SUITE_CRASHED, "crashed: the submission ended the process (%s)%s", why,
                strstr(why, "Bad system call") ? refused_call : "");
        break;
    case CALL_ENDED:
        trouble(call, SUITE_HARNESS,
                "the harness itself failed: something outside ended the process twice, the second time alone "
                "(%s)\ntry: grade again; when memory is short, with fewer jobs",
                why);
        break;
    case CALL_TIMED_OUT:
        if (seconds == left) { /* this does not mean that the part hangs */
            good = time_is_over(call);
            break;
        }
        trouble(call, SUITE_HARNESS,
                "the harness itself failed: no answer after %.0f s, twice, the second time alone\n"
                "try: grade again, with fewer jobs; if it stays, read the code: it works where nothing "
                "counts its work",
                seconds);
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

bool suite_perform(struct suite_call *call)
{
    enum call_outcome ended;
    if (perform_once(call, &ended))
        return true;
    if (ended != CALL_ENDED && ended != CALL_TIMED_OUT)
        return false;
    stop_all(); /* frees the memory of the other runners */
    call->trouble[0] = 0;
    const bool good = perform_once(call, &ended);
    if (ended == CALL_TIMED_OUT)
        unanswered = call->is.part;
    return good;
}
