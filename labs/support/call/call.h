/* call.h: calls a part of an untrusted submission from the suite.
 *
 * The suite starts a runner process for each lab library. Arrays are passed in a memory file; requests and replies
 * are one message each over a socket pair. The runner executes the submission's code, so nothing that it sends is
 * trusted: the counts in a reply and its size are checked, its texts are terminated, the memory file can be neither
 * shrunk nor grown, every wait has a deadline, and a runner that crashes, hangs or sends nonsense is a regular
 * outcome.
 *
 * The structs below are sent over the socket as they are, because both sides are built from this header. */
#ifndef LABS_CALL_H
#define LABS_CALL_H

#include "../../../simt/simt.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    CALL_SOCKET_FD = 3, /* file descriptor in the runner */
    CALL_MEMORY_FD = 4,
    CALL_ARGUMENTS = 12, /* maximum of arguments of a part */
    CALL_FINDINGS = 8,   /* maximum of findings in a reply */
    CALL_METERS = 48,
    CALL_RESIDENT = 256,
    CALL_LINES = 64,    /* maximum of source lines with their own meters */
    CALL_POISON = 0xA5, /* byte that fills outputs; different from the CPU device's junk */
    CALL_ALIGNMENT = 256
};

/* ---- a request ----------------------------------------------------------------------------------- */

enum call_argument_kind {
    CALL_IN,     /* array that the part reads and does not change */
    CALL_OUT,    /* array that the part writes; it starts as junk */
    CALL_IN_OUT, /* array that the part reads and writes */
    CALL_SAME,   /* the memory of an earlier array argument: a call in place */
    CALL_SCALAR
};

enum call_values { CALL_ZEROS, CALL_ONES, CALL_INDICES };

struct call_argument {
    uint32_t kind;         /* enum call_argument_kind */
    uint32_t same_as;      /* CALL_SAME: number of the other argument */
    uint32_t element_size; /* bytes */
    uint32_t shift;        /* bytes between a 256-byte boundary and the array */
    uint64_t offset;       /* position in the memory file of the guard before the array; a multiple of 256 */
    uint64_t bytes;        /* size of the array without guards */
    uint32_t reach;        /* 1 in a sampled run: kernels must access the array up to its end */
    uint32_t values;       /* in a sampled run: enum call_values */
    uint64_t scalar;       /* CALL_SCALAR: the value, or the bits of a double */
    char name[24];         /* for findings, such as "in" */
};

enum call_order { CALL_FORWARD, CALL_REVERSE, CALL_RANDOM, CALL_LOCKSTEP }; /* as enum simt_order */

struct call_schedule {
    uint32_t order;        /* enum call_order for blocks, and for threads in a block */
    uint32_t resident;     /* maximum of resident blocks, 1 to CALL_RESIDENT */
    uint64_t seed;         /* for CALL_RANDOM */
    uint64_t work;         /* maximum of instructions in the call including its kernels; 0: no limit */
    struct simt_late late; /* CPU device only */
    struct simt_explore explore;
};

enum call_measure {
    CALL_METERS_OFF,        /* only meters that cost nothing */
    CALL_METERS_OF_SHARING, /* also those that measure how the work is shared */
    CALL_METERS_ON,         /* all, including those that slow down every access */
    CALL_METERS_BY_LINE
};

struct call_request {
    uint64_t magic; /* CALL_MAGIC */
    uint64_t nonce; /* returned in the reply */
    char part[64];
    struct call_schedule schedule;
    /* If not 0: only some blocks run, arrays are not passed, and only indices above this number are checked: see
     * simt_sample. CPU device only. */
    uint64_t sampled;
    uint32_t guard;     /* bytes before and after each array; 0 on the CPU device */
    uint32_t measure;   /* enum call_measure */
    uint32_t checks;    /* 1: with the checks that slow down every access: races, uninitialized reads */
    uint32_t shared;    /* 1: the arrays' memory comes with the request, see call_share; on a GPU only */
    uint32_t arguments; /* number of arguments */
    struct call_argument argument[CALL_ARGUMENTS];
};

#define CALL_MAGIC 0x53634c616273318Fu

/* ---- a reply --------------------------------------------------------------------------------------- */

enum call_status {
    CALL_STARTED,    /* first message of a runner: it runs, and contains no code of the submission yet */
    CALL_READY,      /* second message: the library is loaded */
    CALL_NOT_LOADED, /* second message: the library cannot be loaded; `text` says why */
    CALL_DONE,       /* the part returned */
    CALL_FAULT,      /* a fault ended it; the findings say which */
    CALL_MISSING,    /* the submission does not define the part; `text` says what it defines */
    CALL_REFUSED     /* the harness could not make the call; `text` says why */
};

struct call_meter {
    char name[40];
    uint64_t value;
};

/* The counts of one source line, as in struct simt_line. */
struct call_line {
    char file[64];
    uint32_t line;
    uint32_t unused;
    uint64_t combines, barriers, instructions, idle_lanes;
    uint64_t shared_requests, shared_wavefronts, excess_wavefronts;
    uint64_t global_requests, global_sectors, excess_sectors;
    uint64_t atomics;
};

struct call_reply {
    uint64_t magic;
    uint64_t nonce;
    uint32_t status;       /* enum call_status */
    int32_t error;         /* cudaError_t after the call and a synchronisation */
    char error_name[64];   /* "cudaErrorIllegalAddress" */
    char text[512];        /* for CALL_NOT_LOADED, _MISSING, _REFUSED; and cudaGetErrorString of an error */
    uint64_t result;       /* return value of the part */
    uint64_t executed;     /* executed instructions; the schedule limits them */
    uint64_t by_threads;   /* the part of them that threads of kernels executed, */
    uint64_t by_busiest;   /* and the part of the busiest thread: see simt_executed_by_busiest_thread */
    uint64_t leaks;        /* device allocations that the part has not freed */
    uint32_t all_findings; /* number of findings without warnings; `finding` may have fewer */
    uint32_t findings;
    uint32_t meters;
    uint32_t lines;
    uint32_t used;     /* enum simt_used: ways in which threads were ordered other than barriers */
    uint32_t retire;   /* 1: this runner cannot make further calls */
    uint32_t explores; /* 1: `explored` is filled in */
    /* Arrays, the longest last: only the first call_reply_bytes() of a reply are sent. */
    struct call_meter meter[CALL_METERS];
    struct simt_finding finding[CALL_FINDINGS]; /* the device's findings, the most important first */
    struct call_line line[CALL_LINES];          /* in ascending order, for CALL_METERS_BY_LINE */
    struct simt_explored explored;
};

/* The size of a reply on the socket. Most replies have neither findings nor lines, which are nearly all of its
 * size. Its counts must be valid. */
static inline size_t call_reply_bytes(const struct call_reply *reply)
{
    return reply->explores ? sizeof *reply
           : reply->lines > 0
               ? offsetof(struct call_reply, explored)
               : offsetof(struct call_reply, finding) + reply->findings * sizeof *reply->finding;
}

/* Are the counts of an explored run within their arrays? Ends the names of its steps. */
static inline bool call_explored_is_sound(struct simt_explored *explored)
{
    if (explored->choices > SIMT_CHOICES || explored->steps > SIMT_STEPS ||
        explored->end >= SIMT_EXPLORED_ENDS || explored->why >= SIMT_UNEXPLORED_REASONS)
        return false;
    for (uint32_t i = 0; i < explored->steps; i++)
        explored->step[i].name[sizeof explored->step[i].name - 1] = 0;
    return true;
}

/* ---- the suite's side ------------------------------------------------------------------------------ */

enum call_outcome {
    CALL_ANSWERED,  /* the reply was received */
    CALL_CRASHED,   /* the process ended */
    CALL_ENDED,     /* something outside ended the process: see lockdown_comes_from_outside */
    CALL_TIMED_OUT, /* no reply before the deadline */
    CALL_NONSENSE,  /* a message was received that is not a reply */
    CALL_BROKEN     /* a fault of the harness: no process, no memory */
};

struct call_options {
    const char *runner;         /* program */
    const char *const *sandbox; /* command before the runner's, ended by null; may be null */
    const char *library;        /* shared library of one lab for one monoid */
    size_t memory;              /* size of the memory file; unused pages cost nothing */
};

struct call_runner;

/* Starts a runner. It may not be ready yet: the first call waits for it. Returns null when there is no process or
 * no memory; then `why` has the reason. */
struct call_runner *call_start(const struct call_options *options, char *why, size_t why_size);

/* The memory file of options->memory bytes. The runner may change it at any time. */
unsigned char *call_memory(struct call_runner *runner);

/* The next request is sent together with the memory of its arrays, one descriptor for each argument that is an array
 * (shared_cuda.h). Until then the runner has no way to that memory, and it gives it up when it receives a later
 * request. The descriptors stay open. */
void call_share(struct call_runner *runner, const int *descriptors, size_t count);

/* Sends a request and waits up to `seconds` for the reply, and as long again for a runner that is not ready yet.
 * Fills in magic and nonce. With CALL_ANSWERED the reply has been checked as described above. Otherwise `why` is
 * one line about the process, such as "exit status 0" or "signal 11 (Segmentation fault)", and the runner must be
 * stopped. */
enum call_outcome call_perform(struct call_runner *runner, struct call_request *request, double seconds,
                               struct call_reply *reply, char *why, size_t why_size);

/* The beginning of the submission's output in the last call, with unprintable bytes replaced; "" if there was none. */
const char *call_printed(const struct call_runner *runner);

/* Kills the runner and all processes that it started, and frees everything. Null is allowed. */
void call_stop(struct call_runner *runner);

#endif
