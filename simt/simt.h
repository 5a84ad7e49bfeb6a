/* simt.h: what a program that hosts the CPU device may ask of it.
 *
 * The device runs CUDA kernels, compiled by g++ with memory-access hooks, one fiber a CUDA thread on one
 * OS thread. A host program (the labs' runner, or a plain translated .cu program) needs none of this to
 * run kernels: launches and cudaXxx calls arrive from the translated code. It needs this header to choose
 * a schedule, to receive findings, to read meters, and to survive a fault in the code it calls. */
#ifndef SIMT_H
#define SIMT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- schedules ---------------------------------------------------------------------------------- */

/* In lockstep, blocks that yield (before volatile and atomic accesses, at barriers after those) take turns until the
 * first of them is done, and from then on the one that started last runs first: so whoever looks back at the blocks
 * before it finds that all have come equally far. */
enum simt_order { SIMT_FORWARD, SIMT_REVERSE, SIMT_RANDOM, SIMT_LOCKSTEP };

struct simt_schedule {
    enum simt_order order;    /* in which blocks start, and threads within a block take turns */
    uint64_t seed;            /* of SIMT_RANDOM */
    unsigned resident_blocks; /* most blocks that are started and unfinished at once, 1 to 256 */
    uint64_t
        work; /* instructions that simt_call, or a launch outside of it, may execute: core/budget.h; 0: no limit */
};

/* The schedule of all later launches. The default is forward, 16 resident blocks, no limit of work; the
 * environment may set another one for programs that never call this:
 * SIMT_ORDER=forward|reverse|random|lockstep SIMT_SEED=7 SIMT_RESIDENT=2 SIMT_WORK=1000000000. */
void simt_set_schedule(const struct simt_schedule *schedule);
struct simt_schedule simt_get_schedule(void);

/* ---- findings ------------------------------------------------------------------------------------ */

/* Each kind with its name, by which all that read findings know it: mutants, results.json, traces. */
#define SIMT_FINDING_KIND_TABLE(KIND)                                                                        \
    KIND(OUT_OF_BOUNDS, "out of bounds")   /* past the end of, or before, an allocation or an array */       \
    KIND(WILD_POINTER, "wild pointer")     /* an address that is nobody's memory */                          \
    KIND(NULL_POINTER, "null pointer")     /* the null pointer, and what is next to it */                    \
    KIND(USE_AFTER_FREE, "use after free") /* a cudaFree'd allocation, or cudaFree of it again */            \
    KIND(HOST_POINTER, "host pointer")     /* kernel touches host memory */                                  \
    KIND(DEVICE_POINTER, "device pointer") /* host code touches device memory */                             \
    KIND(READ_ONLY, "write to constant memory")                                                              \
    KIND(INPUT, "write to an input")       /* a write to an allocation that is an input */                   \
    KIND(MISALIGNED, "misaligned")         /* address is no multiple of the access size */                   \
    KIND(NARROW_INDEX, "index of 32 bits") /* of an array that needs more: sampled runs only */              \
    KIND(OTHER_LOCAL, "another thread's local memory")                                                       \
    KIND(BARRIER, "barrier divergence")       /* not all threads of the block reach it, or elsewhere */      \
    KIND(WARP, "warp misuse")                 /* a warp operation: lanes missing, masks that differ */       \
    KIND(DEADLOCK, "deadlock")                /* no thread can make progress */                              \
    KIND(ENDLESS, "endless loop")             /* the budget is spent */                                      \
    KIND(LAUNCH, "launch refused")            /* a launch that the device refuses */                         \
    KIND(ASSERT, "assertion failed")          /* device assert() failed or __trap() */                       \
    KIND(CRASH, "crash")                      /* stack overflow, division by zero, jump to nowhere ... */    \
    KIND(RACE, "race")                        /* two accesses, one a write, with no order between them */    \
    KIND(UNINITIALIZED, "uninitialized")      /* a read of memory that nothing wrote */                      \
    KIND(API, "runtime call")                 /* a cudaXxx call used wrongly */                              \
    KIND(NOT_ALLOWED, "function not allowed") /* a function of the harness that this caller may not use */   \
    KIND(LEAK, "leak")                        /* memory, a stream or an event that is never given back */

enum simt_finding_kind {
#define KIND(kind, name) SIMT_##kind,
    SIMT_FINDING_KIND_TABLE(KIND)
#undef KIND
        SIMT_FINDING_KINDS
};

/* The name of a kind. Never null. */
const char *simt_finding_name(enum simt_finding_kind kind);

/* What a finding says, in finer parts, which report/messages.def lists with their English: its statement (a rule),
 * further lines (notes), what would order two sides (missing), and what to try (a hint). All of them are about the facts
 * that the finding holds, as numbers and names. */
enum simt_rule {
#define RULE(name, kind, text) SIMT_RULE_##name,
#include "report/messages.def"
    SIMT_RULES
};
enum simt_note {
    SIMT_NOTE_NONE,
#define NOTE(name, text) SIMT_NOTE_##name,
#include "report/messages.def"
    SIMT_NOTE_KINDS
};
enum simt_missing {
    SIMT_MISSING_NONE,
#define MISSING(name, text) SIMT_MISSING_##name,
#include "report/messages.def"
    SIMT_MISSING_KINDS
};
enum simt_hint {
    SIMT_HINT_NONE,
#define HINT(name, text) SIMT_HINT_##name,
#include "report/messages.def"
    SIMT_HINT_KINDS
};
enum simt_fact_name {
    SIMT_FACT_NONE,
#define FACT(name) SIMT_FACT_##name,
#include "report/messages.def"
    SIMT_FACT_KINDS
};

enum simt_actor { /* who is a side of a finding */
#define ACTOR(name, text) SIMT_ACTOR_##name,
#include "report/messages.def"
                  SIMT_ACTORS
};
enum simt_act { /* what a side does */
#define ACT(name, one, several) SIMT_ACT_##name,
#include "report/messages.def"
                SIMT_ACTS
};

/* The kind of a rule. */
enum simt_finding_kind simt_rule_kind(enum simt_rule rule);

/* Their names, for programs that read findings: "barrier_not_reached", "dynamic_bytes", "thread_of_block". Each stands until
 * the next call of one of them. */
const char *simt_rule_name(enum simt_rule rule);
const char *simt_fact_name(enum simt_fact_name name);
const char *simt_actor_name(enum simt_actor actor);
const char *simt_act_name(enum simt_act act);

/* "waits for its warp"; of several "wait for their warp". */
const char *simt_act_words(enum simt_act act, bool several);

struct simt_location {
    char file[256];     /* base name of the source file; empty when not known */
    int line;           /* 0 when not known */
    char function[128]; /* kernel or function, demangled, without its parameters */
};

enum simt_operation { SIMT_NO_ACCESS, SIMT_READ, SIMT_WRITE, SIMT_ATOMIC_READ, SIMT_ATOMIC, SIMT_OPERATIONS };

/* "read", "atomic"; empty for no access. */
const char *simt_operation_name(enum simt_operation operation);

/* Where a variable is, as its declaration says: allocations, managed and host variables have no word for it. */
enum simt_memory {
    SIMT_IN_ALLOCATION,
    SIMT_IN_SHARED,
    SIMT_IN_DYNAMIC_SHARED,
    SIMT_IN_LOCAL,
    SIMT_IN_CONSTANT,
    SIMT_IN_DEVICE,
    SIMT_IN_OTHER, /* managed, of the host, or not known; and of what is no variable */
    SIMT_MEMORIES
};

/* "allocation", "dynamic shared"; empty for other memory. */
const char *simt_memory_name(enum simt_memory memory);

/* The variable or allocation, and the element of it, that an access is to. Of other findings the function or kernel. */
struct simt_variable {
    enum simt_memory memory;
    char name[128];      /* "buffer"; empty when it has none */
    bool is_element;     /* `index` is set */
    bool is_huge;        /* the index is of an unsigned type, and above INT64_MAX */
    int64_t index;       /* of the element, in all dimensions together; below 0: before the first */
    uint64_t length;     /* elements; 0 when not known */
    uint32_t element;    /* bytes of one; 0 when not known: index and length are in bytes then */
    uint32_t dimensions; /* of `extent`; 0: no array, or one of one dimension without a known length */
    uint64_t extent[4];  /* elements, outermost first */
};

/* A thread and its block: x, y and z. */
struct simt_thread {
    uint32_t axes, block_axes; /* that the launch uses, 1 to 3; 0: no thread */
    uint32_t index[3], block[3];
};

/* A number or a text by its name, such as `threads`, 32. */
struct simt_fact {
    enum simt_fact_name name;
    enum simt_fact_type { SIMT_NUMBER, SIMT_TEXT, SIMT_LOCATION, SIMT_FACT_TYPES } type;
    int64_t number; /* of a location the line, 0 when not known */
    uint32_t text;  /* where the text, or the location's file, begins in `words` */
};

enum { SIMT_BLOCK_THREADS = 1024 }; /* the most that a block has */

/* Who has part in a finding, and how: "thread 18" "reads it", "threads 0-15 of block 0" "wait for their warp". */
struct simt_side {
    enum simt_actor actor;
    enum simt_act act;
    struct simt_thread thread;                 /* of one thread; `axes` is 0 for the others */
    uint64_t block;                            /* of several threads: its number in the grid */
    uint32_t threads[SIMT_BLOCK_THREADS / 32]; /* of several: thread or lane t is bit t % 32 of word t / 32 */
    char kernel[96];                           /* of a thread of another launch */
    int launch;                                /* the line of that launch; 0 when not known */
    uint32_t stream;    /* of what was put into one: its number; 0: the default stream */
    char operation[32]; /* that lanes wait in */
    uint32_t mask;      /* that they name in it */
    char file[64];      /* base name */
    int line;           /* 0 when not known */
};

enum { SIMT_SIDES = 10, SIMT_FACTS = 12, SIMT_NOTES = 5, SIMT_WORDS = 1536 /* bytes */ };

struct simt_finding {
    enum simt_finding_kind kind;
    enum simt_rule rule;
    bool warning;               /* costs no points */
    bool consequence;           /* what an earlier finding reports may be the reason */
    struct simt_location where; /* of the access, the barrier or the call */
    struct simt_location other; /* of the other access of a race; line 0 for findings of one location */
    unsigned count;             /* how many times in this run: duplicates are folded */
    enum simt_operation operation;
    uint64_t bytes; /* that it accesses; 0 when it is no access, or that is not known */
    struct simt_variable variable;
    struct simt_thread thread; /* the one that was caught */
    unsigned sides;
    struct simt_side side[SIMT_SIDES]; /* of a race both; of threads that wait for each other, each group */
    enum simt_missing missing;         /* what would order two sides */
    enum simt_note note[SIMT_NOTES];   /* beside the sides; up to the first that is none */
    enum simt_hint hint;               /* what to try */
    unsigned facts;
    struct simt_fact fact[SIMT_FACTS];
    char words[SIMT_WORDS]; /* texts of the facts, each with a final 0, as has the last byte */
};

/* Called at once for the first finding of each kind and locations in a run; later ones only raise
 * `count` of the stored one. Without a sink, findings are printed to stderr. */
typedef void simt_finding_sink(const struct simt_finding *finding, void *context);
void simt_set_finding_sink(simt_finding_sink *sink, void *context);

/* Findings since simt_begin_run, in the order they came; at most 64 are kept. */
size_t simt_finding_count(void);
const struct simt_finding *simt_finding_at(size_t i);

/* How telling a finding is: the lower, the earlier to show it. Faults of memory come first, as they end a kernel;
 * then calls that were refused, barriers and warps, races, uninitialized reads, leaks. What may follow from
 * another finding comes after all that, and warnings come last. */
int simt_finding_rank(const struct simt_finding *finding);

/* Findings since simt_begin_run, the most telling first; of several of one kind about one variable, all but the
 * first come after the others. Fills in at most `most`; returns how many there are. */
size_t simt_findings_by_rank(const struct simt_finding *sorted[], size_t most);

/* A finding in English: as a compiler message; and its parts. At most `size` bytes with the final 0. Whoever shows
 * findings takes the words from here: report/finding_text.c, which needs nothing else of the device. */
void simt_format_finding(const struct simt_finding *finding, char *text, size_t size);

struct simt_finding_words {
    char variable[192]; /* "shared buffer[17]", "in[33]"; empty when there is none */
    char title[256];    /* the one-line statement, without location: "read out of bounds: tile[512]" */
    char missing[256]; /* what would order two sides: "and no barrier stands between"; empty for the others */
    char notes[1024];  /* further lines, separated by \n, beside the sides; may be empty */
    char detail
        [4096]; /* all lines between the title and the hint: sides, notes, and whether it is a consequence */
    char hint[256]; /* what to try; may be empty */
};
void simt_finding_words(const struct simt_finding *finding, struct simt_finding_words *words);

struct simt_side_words {
    char who[256]; /* "threads 0-15 of block 0" */
    char does[96]; /* "wait for their warp" */
};
void simt_side_words(const struct simt_side *side, struct simt_side_words *words);

/* ---- what orders threads --------------------------------------------------------------------------- */

/* What kernels used since simt_begin_run, beside barriers, warp operations with a mask and the ends of launches, to
 * learn of other threads or of the moment: then their result may depend on the schedule, though no race is found. */
enum simt_used {
    SIMT_USED_ATOMICS = 1,
    SIMT_USED_VOLATILE = 2,
    SIMT_USED_ACTIVE = 4, /* __activemask() and what follows from it */
    SIMT_USED_CLOCK = 8,
    SIMT_USED_KERNEL =
        16, /* one ran, or was to, or a function of the harness that counts as one: orders nothing */
    SIMT_USED_HEAP = 32, /* malloc() or new in a kernel: which address a thread gets depends on the order */
    SIMT_USED_STATE = 64 /* a variable of the program is another one after the call: see simt_note_state */
};
unsigned simt_used(void); /* or-ed */
void simt_note_used(unsigned what);
void simt_forget_used(void);

/* What the variables of all modules hold, host code's and the device's, as a number; and SIMT_USED_STATE where that is another
 * than `before`. */
uint64_t simt_state(void);
void simt_note_state(uint64_t before);

/* ---- meters --------------------------------------------------------------------------------------- */

struct simt_meter {
    const char *name; /* "combines", "barriers", ... */
    uint64_t value;
};

/* Whether the detailed meters count too, which look at every single access: they are off, and cost nothing, unless
 * this asks for them. Not while a kernel runs.
 *
 *     always      combines                 calls of combine(): the work
 *                 barriers                 block barriers passed, each once for its block
 *     sharing     steps                    the longest chain of combines each of which comes after the one before: the
 *                                          depth (chains.c)
 *                 span                     the longest chain of memory accesses and combines
 *                 accesses and combines    all of them
 *                 joining combines         calls of combine() that join two parts: see simt_count_join
 *                 output writes            accesses that write to an output: see simt_mark_output
 *                 ... by one thread        of these three, the most that one thread of a launch makes, over all launches
 *                 ... by one block         the same for a block
 *                 local accesses by one thread    the same of accesses to local arrays
 *                 instructions             that all threads execute, by the basic blocks of the code (core/blocks.h)
 *                 instructions by one thread    the most that one thread of a launch executes, over all launches
 *                 instruction span         the longest chain of them; a read-modify-write adds nothing to what it hands on,
 *                                          and a short loop that waits for a flag counts once
 *                 host bytes               that went from the device to the host (host_bytes.c)
 *                 output bytes from the host    that the host copied into outputs: see simt_mark_output
 *                 joins                    different results that were joined from parts: see simt_count_join
 *     detailed    these, and
 *                 shared wavefronts        what shared memory serves the warps' requests in (requests.h)
 *                 excess wavefronts        of those, what bank conflicts cost
 *                 global requests          memory instructions of a warp that reach global memory
 *                 global sectors           sectors of 32 bytes that they move; caches are not modelled
 *                 uncached sectors         of those, what each block would fetch and write once if it had a cache of its
 *                                          own without a limit: the traffic that no cache can avoid
 *                 copied sectors           sectors for copies and fills within device memory
 *                 idle lanes               of memory instructions and combines: lanes that take no part, of 32
 *                 divergent branches       how often the lanes of a warp go different ways (divergence.c)
 *                 atomics                  operations that read and write, a lane each
 *                 atomics on one address   the most of them that met at one address: they go one after the other */
void simt_measure(bool on);

/* Whether those of them count that tell how the work is shared: they cost much less than all. */
void simt_measure_sharing(bool on);

/* Whether the checks look that cost time at every access (races and such): they do unless this, or SIMT_CHECKS=off
 * in the environment, says no. Not while a kernel runs. */
void simt_check(bool on);

/* Meters since simt_begin_run: those that are on. */
size_t simt_meter_count(void);
struct simt_meter simt_meter_at(size_t i);

/* The detailed meters at one line of the source. */
struct simt_line {
    struct simt_location where; /* `function` is one of those that the line was compiled into */
    uint64_t combines, barriers;
    uint64_t instructions; /* of a warp: memory instructions and combines */
    uint64_t idle_lanes;   /* lanes that take no part in them: 32 less those that do */
    uint64_t shared_requests, shared_wavefronts, excess_wavefronts;
    uint64_t global_requests, global_sectors;
    uint64_t
        excess_sectors; /* of global_sectors, those beyond what the bytes that the lanes want would fill */
    uint64_t atomics;
};

/* Adds up what was counted since simt_begin_run, by line: how many lines there are, in ascending order. Each call
 * does so anew. */
size_t simt_line_count(void);

/* Line i of the last simt_line_count, or null. */
const struct simt_line *simt_line_at(size_t i);

/* ---- sampled runs ---------------------------------------------------------------------------------- */

/* From now on runs are sampled, for lengths that no CPU can run: an allocation begins as zeros and takes pages only
 * where it is touched, and of each launch only the first and the last blocks run. Only findings of kind
 * SIMT_NARROW_INDEX are made, SIMT_ENDLESS of host code, and SIMT_LAUNCH: indices that jump by 2^32 from where the
 * blocks before lead, lengths that have lost their upper bits, and grids of 0 blocks. Host code ends, as SIMT_ENDLESS, when it
 * has touched memory far_index / 32 times. Results mean nothing. Indices above `far_index` are those that 32 bits do not hold.
 * 0: runs are complete again, and the long allocations are gone. */
void simt_sample(size_t far_index);

/* Reserves the addresses of long allocations; simt_sample does so, where this has not been called before. False when
 * there are none to be had. */
bool simt_sample_reserve(void);

/* The kernels or copies of a sampled run are to write the array up to its end, or to read it (one of several). False
 * when `pointer` is not the start of a live allocation. */
bool simt_sample_expect(const void *pointer, bool written);

/* What an array of 4-byte integers holds in a sampled run, in the place of zeros: 1 everywhere, or the index of each
 * element, modulo 2^32. False when `pointer` is not the start of a live allocation. */
enum simt_sample_values { SIMT_ALL_ZERO, SIMT_ALL_ONE, SIMT_INDICES };
bool simt_sample_fill(const void *pointer, enum simt_sample_values values);

/* After the part has come back, and before its arrays are freed: reports which arrays, and which kernels, have not
 * come past far_index and should have. */
void simt_sample_judge(void);

/* ---- functions ---------------------------------------------------------------------------------------- */

/* A function's name and parameters. */
struct simt_signature {
    char text[176];             /* "scan(const elem_t *in, elem_t *out, int n)"; empty when there is none */
    struct simt_location where; /* `function` is not filled in */
};

/* Finds the function `name` in the module that holds the code: as the source file of that code declares it, and the first
 * of that name that another one defines. They are two functions to C++ when their parameters differ. */
void simt_find_signatures(const void *code, const char *name, struct simt_signature *declared,
                          struct simt_signature *defined);

/* ---- runs ------------------------------------------------------------------------------------------ */

/* Forgets findings and meters, and the sticky error of a faulted launch; allocations stay. */
void simt_begin_run(void);

/* For a host that loads code which it does not trust, before it does. From then on translated host code may
 * not write to variables of what is loaded already (this program, the device, libraries): such a write is a
 * finding, SIMT_WILD_POINTER, and ends the call. It may print to stdout and stderr only, and without %n. */
void simt_guard_program(void);

/* Calls body(context), the student's host code. Returns true when it came back by itself. A fault in host
 * code (a device pointer touched, a crash, the time limit) ends the call: then the finding is stored and
 * false comes back; what the host code held (malloc, FILE) is leaked. Not reentrant. */
bool simt_call(void (*body)(void *), void *context);

/* Instructions that the last simt_call, or the last launch outside of it, has executed so far: what its budget counts. */
uint64_t simt_executed(void);

/* Reports what was made since simt_begin_run and is still there, memory, streams and events, each at the line where
 * it was made. Returns how many there are. For when the code that was called
 * is done; a plain program is asked at its exit when the environment says SIMT_LEAKS=1. */
size_t simt_report_leaks(void);

/* Reports a launch or copy that the default stream does not come after: results of it are read too early by a caller who
 * goes on there. For when the code that was called is done, and before anyone waits for the device. */
void simt_report_unjoined(void);

/* Says that a caller's copy to an array has been put into the default stream, after simt_begin_run: a kernel in a stream
 * that does not come after it races with it. */
void simt_note_arrival(const void *array, size_t bytes);

/* Names a device allocation for findings: `in[33]` instead of `allocation of 132 bytes[33]`. The array so named
 * begins `offset` bytes into the allocation, and ends with it; kernels may not touch what stands before.
 * element_size in bytes. The name must outlive the allocation. False when `pointer` is not the start of a live
 * one, or the offset leaves it. */
bool simt_name_allocation(const void *pointer, size_t offset, const char *name, size_t element_size);

/* Says that a device allocation is for results, which kernels are to write: what the host copies there is counted.
 * False when `pointer` is not the start of a live one. */
bool simt_mark_output(const void *pointer);

/* Fills a device allocation with a byte, and still nobody has written there: a harness tells what a kernel left
 * untouched from what it copied out of other memory that nobody has written. False when `pointer` is not the start of
 * a live one. */
bool simt_fill_allocation(void *pointer, unsigned char byte);

/* From now on junk fills the pages of a large allocation only when they are touched: for programs of their own. It takes a
 * system call that a locked-down harness forbids. */
void simt_fill_on_demand(void);

/* Makes a live device allocation as new: its contents are junk, nobody has written there, and it has no name and no
 * marks. So a harness gives the same addresses to two calls, as cudaMalloc does on a GPU where memory was freed in
 * between; here addresses are never given out twice. False when `pointer` is not the start of a live one. */
bool simt_renew_allocation(void *pointer);

/* Says that a device allocation is an input: a kernel, copy or fill that writes there is a finding, though it writes
 * what was there. False when `pointer` is not the start of a live one. */
bool simt_mark_input(const void *pointer);

/* Frees all live allocations that were made after `mark` (see simt_heap_mark), as a harness does between
 * calls. Returns how many there were. */
uint64_t simt_heap_mark(void);
size_t simt_heap_release(uint64_t mark);

#ifdef __cplusplus
}
#endif
#endif
