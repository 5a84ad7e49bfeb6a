/* call.h: calling a part of an untrusted submission from the suite.
 *
 * The suite starts a runner process a lab library. Arrays travel in a memory file; requests
 * and replies are one message each over a socket pair. The runner executes the submission's code, so nothing
 * that it sends is believed: a reply's counts are checked, and its size by them, its texts are ended with a
 * 0, the memory file can be neither shrunk nor grown, every wait has a deadline, and a runner that crashes,
 * hangs or sends nonsense is an outcome like any other.
 *
 * The structs below go over the socket as they are: both sides are built from this header. */
#ifndef LABS_CALL_H
#define LABS_CALL_H

#include "../../../simt/simt.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    CALL_SOCKET_FD = 3, /* in the runner */
    CALL_MEMORY_FD = 4,
    CALL_ARGUMENTS = 12, /* most arguments of a part */
    CALL_FINDINGS = 8,   /* most findings in a reply */
    CALL_METERS = 40,
    CALL_RESIDENT = 256,
    CALL_LINES = 64,    /* most lines of the source with meters of their own */
    CALL_POISON = 0xA5, /* byte that fills outputs; the CPU device's own junk is another one */
    CALL_ALIGNMENT = 256
};

/* ---- a request ----------------------------------------------------------------------------------- */

enum call_argument_kind {
    CALL_IN,     /* array that the part reads and leaves as it is */
    CALL_OUT,    /* array that the part writes; it starts as junk */
    CALL_IN_OUT, /* array that the part reads and writes */
    CALL_SAME,   /* the memory of an earlier array argument once more: a call in place */
    CALL_SCALAR
};

enum call_values { CALL_ZEROS, CALL_ONES, CALL_INDICES };

struct call_argument {
    uint32_t kind;         /* enum call_argument_kind */
    uint32_t same_as;      /* CALL_SAME: number of the argument meant */
    uint32_t element_size; /* bytes */
    uint32_t shift;        /* bytes between a 256-byte boundary and the array */
    uint64_t offset;       /* in the memory file, of the guard before the array; a multiple of 256 */
    uint64_t bytes;        /* of the array, guards not counted */
    uint32_t reach; /* of a sampled run, 1: kernels must write the output, or read the input, up to its end */
    uint32_t values; /* of a sampled run: enum call_values */
    uint64_t scalar; /* CALL_SCALAR: the value, or the bits of a double */
    char name[24];   /* for findings: "in" */
};

enum call_order { CALL_FORWARD, CALL_REVERSE, CALL_RANDOM, CALL_LOCKSTEP }; /* as enum simt_order in simt.h */

struct call_schedule {
    uint32_t order;    /* enum call_order: of blocks, and of threads in a block */
    uint32_t resident; /* most blocks that are resident at once, 1 to CALL_RESIDENT */
    uint64_t seed;     /* of CALL_RANDOM */
    uint64_t work;     /* instructions that the call may execute, its kernels included; 0: no limit */
};

enum call_measure {
    CALL_METERS_OFF,        /* only those that cost nothing count */
    CALL_METERS_OF_SHARING, /* those of how the work is shared count, too */
    CALL_METERS_ON,         /* all count, also those that slow down every access much */
    CALL_METERS_BY_LINE
};

struct call_request {
    uint64_t magic; /* CALL_MAGIC */
    uint64_t nonce; /* comes back in the reply */
    char part[64];
    struct call_schedule schedule;
    uint64_t
        sampled; /* 0, or: only some blocks run, arrays do not travel, and what is judged is whether indices above
                           this are reached: see simt_sample. The CPU device only */
    uint32_t guard;     /* bytes before and after each array in memory file and device; 0 on the CPU device */
    uint32_t measure;   /* enum call_measure */
    uint32_t checks;    /* 1: the checks that slow down every access look: races, uninitialized reads */
    uint32_t arguments; /* how many there are */
    struct call_argument argument[CALL_ARGUMENTS];
};

#define CALL_MAGIC 0x53634c616273318Eu

/* ---- a reply --------------------------------------------------------------------------------------- */

enum call_status {
    CALL_STARTED,    /* first message of a runner: it is up, and nothing of the submission is in it yet */
    CALL_READY,      /* second message: the library is loaded */
    CALL_NOT_LOADED, /* second message: it is not; `text` says why */
    CALL_DONE,       /* the part returned */
    CALL_FAULT,      /* a fault ended it; the findings say which */
    CALL_MISSING,    /* the submission does not define the part; `text`: what it does */
    CALL_REFUSED     /* the harness could not make the call; `text` says why */
};

struct call_meter {
    char name[40];
    uint64_t value;
};

/* What was counted at one line: as in struct simt_line. */
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
    char text[512];        /* of CALL_NOT_LOADED, _MISSING, _REFUSED, and cudaGetErrorString of an error */
    uint64_t result;       /* what the part returned */
    uint64_t executed;     /* instructions, of those that the schedule allows */
    uint64_t leaks;        /* device allocations that the part made and did not free */
    uint32_t all_findings; /* how many there were, warnings not counted; `finding` may hold fewer */
    uint32_t findings;
    uint32_t meters;
    uint32_t lines;
    uint32_t used;   /* enum simt_used: what orders threads beside barriers */
    uint32_t retire; /* 1: this runner can make no further calls */
    /* Arrays, the longest last: of a reply only call_reply_bytes() are sent. */
    struct call_meter meter[CALL_METERS];
    struct simt_finding finding[CALL_FINDINGS]; /* as the device saw them, the most telling first */
    struct call_line line[CALL_LINES];          /* in ascending order, of CALL_METERS_BY_LINE */
};

/* A reply's size over the socket: most have neither findings nor lines, which are nearly all of it. Its counts are right. */
static inline size_t call_reply_bytes(const struct call_reply *reply)
{
    return reply->lines > 0 ? sizeof *reply
                            : offsetof(struct call_reply, finding) + reply->findings * sizeof *reply->finding;
}

/* ---- the suite's side ------------------------------------------------------------------------------ */

enum call_outcome {
    CALL_ANSWERED,  /* the reply is there */
    CALL_CRASHED,   /* the process ended */
    CALL_ENDED,     /* something outside ended the process: see lockdown_comes_from_outside */
    CALL_TIMED_OUT, /* no reply before the deadline */
    CALL_NONSENSE,  /* something came that is no reply */
    CALL_BROKEN     /* a fault of the harness: no process, no memory */
};

struct call_options {
    const char *runner;         /* program */
    const char *const *sandbox; /* words before the runner's, ended by null; may be null */
    const char *library;        /* shared library of one lab and monoid */
    size_t memory;              /* bytes of the memory file; pages that nobody touches cost nothing */
};

struct call_runner;

/* Starts a runner. It need not be up yet: the first call waits for it. Null when no process or no memory
 * could be had; `why` says so. */
struct call_runner *call_start(const struct call_options *options, char *why, size_t why_size);

/* The memory file, options->memory bytes. The runner may change it at any time. */
unsigned char *call_memory(struct call_runner *runner);

/* Sends a request and waits `seconds` for the reply (and as long again for a runner that is not up yet).
 * Fills in magic and nonce. On CALL_ANSWERED the reply is checked as the head of this file says; in all other
 * cases `why` is one line about the process: "exit status 0", "signal 11 (Segmentation fault)" ..., and the
 * runner must be stopped. */
enum call_outcome call_perform(struct call_runner *runner, struct call_request *request, double seconds,
                               struct call_reply *reply, char *why, size_t why_size);

/* The first bytes that the submission printed during the last call, with unprintable ones replaced; "" when
 * it printed nothing. */
const char *call_printed(const struct call_runner *runner);

/* Kills the runner and all that it started, and frees everything. Null is allowed. */
void call_stop(struct call_runner *runner);

#endif
