/* simt.h: the interface of the CPU device for a program that hosts it.
 *
 * The device runs CUDA kernels that g++ has compiled with hooks at memory accesses. Each CUDA thread is a fiber,
 * all on one OS thread. A host program (the labs' runner, or a plain translated .cu program) needs none of these
 * functions to run kernels, because the translated code itself makes launches and cudaXxx calls. It needs this
 * header to choose a schedule, to receive findings, to read meters, and to survive a fault in the code that it
 * calls. */
#ifndef SIMT_H
#define SIMT_H

#include <stdbool.h>
#include <stddef.h>
#include "simt_explore.h"
#include "simt_sample.h"
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- schedules ---------------------------------------------------------------------------------- */

/* In lockstep, blocks that yield (before volatile and atomic accesses, and at barriers after those) take turns
 * until the first of them is done. From then on the block that started last runs first. So a block that looks back
 * at its predecessors finds that all of them have made equal progress. One block is held up when it reads what
 * another one has published, until no other thread can go on (core/hold.h). */
enum simt_order { SIMT_FORWARD, SIMT_REVERSE, SIMT_RANDOM, SIMT_LOCKSTEP };

struct simt_schedule {
    enum simt_order order;    /* order in which blocks start, and threads of a block take turns */
    uint64_t seed;            /* for SIMT_RANDOM; for SIMT_LOCKSTEP the number of the read that is held up */
    unsigned resident_blocks; /* maximum of started and unfinished blocks, 1 to 256 */
    uint64_t work; /* instructions that a simt_call, or a launch outside it, may execute; 0: no limit */
};

/* The schedule of all later launches. The default is forward, 16 resident blocks and no limit of work. Programs
 * that never call this can be configured by the environment: SIMT_ORDER=forward|reverse|random|lockstep SIMT_SEED=7
 * SIMT_RESIDENT=2 SIMT_WORK=1000000000. */
void simt_set_schedule(const struct simt_schedule *schedule);
struct simt_schedule simt_get_schedule(void);

/* Threads that come late to a line, which may make a race visible in the results. Before each access of that line they wait until
 * no other thread can go on. Or, if `stores`, it is their stores that come late: other blocks do not see them before
 * the block executes a fence for all blocks, or no other thread can go on. A GPU may do that with stores that no fence
 * orders. */
struct simt_late {
    int line;    /* of a source file; 0: no thread is late */
    bool stores; /* only stores to global memory of at most 16 bytes come late, and no thread waits */
    bool one_thread, one_block;   /* else all threads of a block, or of all blocks */
    uint32_t thread[3], block[3]; /* threadIdx and blockIdx: x, y, z */
};

/* For all later launches. */
void simt_set_late(const struct simt_late *late);

/* ---- findings ------------------------------------------------------------------------------------ */

/* Each kind with its name, which all readers of findings use: mutants, results.json, traces. */
#define SIMT_FINDING_KIND_TABLE(KIND)                                                                        \
    KIND(OUT_OF_BOUNDS, "out of bounds")   /* past the end of, or before, an allocation or an array */       \
    KIND(WILD_POINTER, "wild pointer")     /* an address that is in no memory */                             \
    KIND(NULL_POINTER, "null pointer")     /* the null pointer, or an address close to it */                 \
    KIND(USE_AFTER_FREE, "use after free") /* of freed memory, or a second cudaFree */                       \
    KIND(HOST_POINTER, "host pointer")     /* a kernel accesses host memory */                               \
    KIND(DEVICE_POINTER, "device pointer") /* host code accesses device memory */                            \
    KIND(READ_ONLY, "write to constant memory")                                                              \
    KIND(INPUT, "write to an input")       /* a write to an allocation that is an input */                   \
    KIND(MISALIGNED, "misaligned")         /* the address is not a multiple of the size */                   \
    KIND(NARROW_INDEX, "index of 32 bits") /* of a larger array: sampled runs only */                        \
    KIND(OTHER_LOCAL, "another thread's local memory")                                                       \
    KIND(BARRIER, "barrier divergence")       /* some threads do not reach it, or wait elsewhere */          \
    KIND(WARP, "warp misuse")                 /* a warp operation: lanes missing, masks that differ */       \
    KIND(DEADLOCK, "deadlock")                /* no thread can make progress */                              \
    KIND(ENDLESS, "endless loop")             /* the budget of instructions is spent */                      \
    KIND(LAUNCH, "launch refused")            /* a launch that the device refuses */                         \
    KIND(ASSERT, "assertion failed")          /* device assert() failed or __trap() */                       \
    KIND(CRASH, "crash")                      /* stack overflow, division by zero, wild jump ... */          \
    KIND(RACE, "race")                        /* two accesses, one a write, with no order between them */    \
    KIND(UNINITIALIZED, "uninitialized")      /* a read of memory that was never written */                  \
    KIND(API, "runtime call")                 /* wrong use of a cudaXxx function */                          \
    KIND(NOT_ALLOWED, "function not allowed") /* a stock function that the caller may not use */             \
    KIND(LEAK, "leak")                        /* memory, a stream or an event is never freed */

enum simt_finding_kind {
#define KIND(kind, name) SIMT_##kind,
    SIMT_FINDING_KIND_TABLE(KIND)
#undef KIND
        SIMT_FINDING_KINDS
};

/* The name of a kind. Never null. */
const char *simt_finding_name(enum simt_finding_kind kind);

/* The parts of a finding, which report/messages.def lists with their English texts: its statement (a rule), further
 * lines (notes), what would have ordered its two sides (missing), and a suggestion (a hint). The facts of the
 * finding, which are numbers and names, are filled into the texts. */
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

enum simt_actor { /* who takes part in a finding */
#define ACTOR(name, text) SIMT_ACTOR_##name,
#include "report/messages.def"
                  SIMT_ACTORS
};
enum simt_act { /* what they do */
#define ACT(name, one, several) SIMT_ACT_##name,
#include "report/messages.def"
                SIMT_ACTS
};

/* The kind of a rule. */
enum simt_finding_kind simt_rule_kind(enum simt_rule rule);

/* The name of a fact in the templates of the texts, such as "dynamic_bytes". Valid until the next call. */
const char *simt_fact_name(enum simt_fact_name name);

/* For one actor "waits for its warp", for several "wait for their warp". */
const char *simt_act_words(enum simt_act act, bool several);

struct simt_location {
    char file[256];     /* base name of the source file; empty if unknown */
    int line;           /* 0 if unknown */
    char function[128]; /* kernel or function, demangled, without its parameters */
};

enum simt_operation { SIMT_NO_ACCESS, SIMT_READ, SIMT_WRITE, SIMT_ATOMIC_READ, SIMT_ATOMIC, SIMT_OPERATIONS };

/* "read", "atomic"; empty for no access. */
const char *simt_operation_name(enum simt_operation operation);

/* The memory of a variable according to its declaration. Managed and host variables have no kind of their own. */
enum simt_memory {
    SIMT_IN_ALLOCATION,
    SIMT_IN_SHARED,
    SIMT_IN_DYNAMIC_SHARED,
    SIMT_IN_LOCAL,
    SIMT_IN_CONSTANT,
    SIMT_IN_DEVICE,
    SIMT_IN_OTHER, /* managed, host or unknown memory; also for things that are not variables */
    SIMT_MEMORIES
};

/* The variable or allocation that an access is to, with the element. In other findings, the function or kernel. */
struct simt_variable {
    enum simt_memory memory;
    char name[128];      /* "buffer"; empty if there is no name */
    bool is_element;     /* `index` is set */
    bool is_huge;        /* the index has an unsigned type and is above INT64_MAX */
    int64_t index;       /* of the element, in all dimensions together; below 0: before the first */
    uint64_t length;     /* number of elements; 0 if unknown */
    uint32_t element;    /* bytes of an element; 0 if unknown, then index and length are in bytes */
    uint32_t dimensions; /* entries in `extent`; 0: no array, or one dimension of unknown length */
    uint64_t extent[4];  /* elements, outermost first */
};

/* A thread and its block, as x, y and z. */
struct simt_thread {
    uint32_t axes, block_axes; /* dimensions that the launch uses, 1 to 3; 0: no thread */
    uint32_t index[3], block[3];
};

/* A number or a text with a name, such as `threads`, 32. */
struct simt_fact {
    enum simt_fact_name name;
    enum simt_fact_type { SIMT_NUMBER, SIMT_TEXT, SIMT_LOCATION, SIMT_FACT_TYPES } type;
    int64_t number; /* for a location the line, 0 if unknown */
    uint32_t text;  /* where the text, or the location's file, begins in `words` */
};

enum { SIMT_BLOCK_THREADS = 1024 }; /* maximum of threads in a block */

/* An actor and its act: "thread 18" "reads it", "threads 0-15 of block 0" "wait for their warp". */
struct simt_side {
    enum simt_actor actor;
    enum simt_act act;
    struct simt_thread thread;                 /* a single thread; otherwise `axes` is 0 */
    uint64_t block;                            /* for several threads: their block's number in the grid */
    uint32_t threads[SIMT_BLOCK_THREADS / 32]; /* for several: thread or lane t is bit t % 32 of t / 32 */
    char kernel[96];                           /* for a thread of another launch */
    int launch;                                /* line of that launch; 0 if unknown */
    uint32_t stream;    /* for an operation in a stream: its number; 0: the default stream */
    char operation[32]; /* the operation in which lanes wait */
    uint32_t mask;      /* the mask that they pass to it */
    char file[64];      /* base name */
    int line;           /* 0 if unknown */
};

enum { SIMT_SIDES = 10, SIMT_FACTS = 12, SIMT_NOTES = 5, SIMT_WORDS = 1536 /* bytes */ };

struct simt_finding {
    enum simt_finding_kind kind;
    enum simt_rule rule;
    bool warning;               /* costs no points */
    bool consequence;           /* an earlier finding may be the reason for this one */
    struct simt_location where; /* location of the access, the barrier or the call */
    struct simt_location other; /* location of a race's other access; line 0 for other findings */
    unsigned count;             /* number of occurrences in this run; duplicates are folded */
    enum simt_operation operation;
    uint64_t bytes; /* size of the access; 0 if unknown or not an access */
    struct simt_variable variable;
    struct simt_thread thread; /* the thread that was caught */
    unsigned sides;
    struct simt_side side[SIMT_SIDES]; /* both accesses of a race; or all groups of threads that wait */
    enum simt_missing missing;         /* what would have ordered two sides */
    enum simt_note note[SIMT_NOTES];   /* in addition to the sides; ends at the first NONE */
    enum simt_hint hint;               /* a suggestion */
    unsigned facts;
    struct simt_fact fact[SIMT_FACTS];
    char words[SIMT_WORDS]; /* texts of the facts, each with a final 0; the last byte is 0, too */
};

/* Called immediately for the first finding of each kind and location in a run. Later ones only raise the `count` of
 * the stored finding. Without a sink, findings are printed to stderr. */
typedef void simt_finding_sink(const struct simt_finding *finding, void *context);
void simt_set_finding_sink(simt_finding_sink *sink, void *context);

/* Findings since simt_begin_run, in chronological order; at most 64 are stored. */
size_t simt_finding_count(void);
const struct simt_finding *simt_finding_at(size_t i);

/* How important a finding is: the lower the rank, the earlier it should be shown. First come memory faults, which
 * end a kernel; then refused calls, barriers and warps, races, uninitialized reads, leaks. Possible consequences of
 * other findings come after these, and warnings last. */
int simt_finding_rank(const struct simt_finding *finding);

/* Findings since simt_begin_run, the most important first. If several have one kind and one variable, all but the
 * first are moved towards the end. Fills in at most `most` and returns the number of all findings. */
size_t simt_findings_by_rank(const struct simt_finding *sorted[], size_t most);

/* A finding in English, as a compiler message; and its parts. Writes at most `size` bytes including the final 0.
 * All programs that show findings take the texts from report/finding_text.c, which needs nothing else of the
 * device. */
void simt_format_finding(const struct simt_finding *finding, char *text, size_t size);

struct simt_finding_words {
    char variable[192]; /* "shared buffer[17]", "in[33]"; empty if there is none */
    char title[256];    /* statement in one line, without location: "read out of bounds: tile[512]" */
    char missing[256];  /* "and no barrier stands between"; empty if the finding has no such part */
    char notes[1024];   /* lines after the sides, separated by \n; may be empty */
    char detail[4096];  /* all lines between title and hint: sides, notes, whether it is a consequence */
    char hint[256];     /* a suggestion; may be empty */
};
void simt_finding_words(const struct simt_finding *finding, struct simt_finding_words *words);

struct simt_side_words {
    char who[256]; /* "threads 0-15 of block 0" */
    char does[96]; /* "wait for their warp" */
};
void simt_side_words(const struct simt_side *side, struct simt_side_words *words);

/* ---- order between threads -------------------------------------------------------------------------- */

/* Features by which kernels have learnt about other threads or about time since simt_begin_run, other than
 * barriers, warp operations with a mask and the ends of launches. If any was used, the result may depend on the
 * schedule although no race is found. */
enum simt_used {
    SIMT_USED_ATOMICS = 1,
    SIMT_USED_VOLATILE = 2,
    SIMT_USED_ACTIVE = 4, /* __activemask() and functions that use it */
    SIMT_USED_CLOCK = 8,
    SIMT_USED_KERNEL = 16, /* a kernel, or a stock function that counts as one, ran or was requested */
    SIMT_USED_HEAP = 32,   /* malloc() or new in a kernel: addresses depend on the order */
    SIMT_USED_STATE =
        64 /* a variable of the program was changed: see simt_note_state; or a launch needs dynamic
                            * shared memory that an earlier run has allowed */
};
unsigned simt_used(void); /* or-ed */
void simt_note_used(unsigned what);
void simt_forget_used(void);

/* simt_keep_state keeps a hash of the variables of all modules, both of host code and of the device, unless one was kept
 * since the last module was loaded. simt_note_state notes SIMT_USED_STATE if they now have another one. */
void simt_keep_state(void);
void simt_note_state(void);

/* ---- meters --------------------------------------------------------------------------------------- */

struct simt_meter {
    const char *name; /* "combines", "barriers", ... */
    uint64_t value;
};

/* Turns the detailed meters on or off, which observe every single access. They are off by default and then cost
 * nothing. Not while a kernel runs.
 *
 *     always      combines                 calls of combine(): the work
 *                 barriers                 block barriers passed, each once for its block
 *                 allocations              of device memory, by code that simt_call runs
 *                 allocated bytes          the sum of their sizes
 *                 host copies              copies between device and host memory, by such code
 *                 device copies            copies and fills within device memory, by such code
 *                 stock calls              calls of a harness's stock functions
 *     sharing     steps                    the longest chain of combines that come after one another: the depth (chains.c)
 *                 span                     the longest chain of memory accesses and combines
 *                 accesses and combines    all of them
 *                 joining combines         calls of combine() that join two parts: see simt_count_join
 *                 output writes            accesses that write to an output: see simt_mark_output
 *                 ... by one thread        for these three, the maximum of any thread in a launch, summed over launches
 *                 ... by one block         the same for a block
 *                 local accesses by one thread    the same for accesses to local arrays
 *                 instructions             executed by all threads, counted by basic blocks (core/blocks.h)
 *                 instructions by one thread    the maximum of any thread in a launch, summed over launches
 *                 instruction span         the longest chain of them; a read-modify-write does not lengthen the chain that it
 *                                          continues, and a short loop that waits for a flag counts once
 *                 host bytes               bytes that went from the device to the host (host_bytes.c)
 *                 output bytes from the host    bytes that the host copied into outputs: see simt_mark_output
 *                 joins                    different results that were joined from parts: see simt_count_join
 *                 operands made elsewhere  different operands of these that no combine made (joins.c)
 *     detailed    these, and
 *                 shared wavefronts        wavefronts in which shared memory serves the warps' requests (requests.h)
 *                 excess wavefronts        the part of them that bank conflicts cause
 *                 global requests          memory instructions of a warp that access global memory
 *                 global sectors           sectors of 32 bytes that they move; caches are not modelled
 *                 uncached sectors         the part of them that each block would fetch and write once with a private unlimited
 *                                          cache: the traffic that no cache can avoid
 *                 copied sectors           sectors of copies and fills within device memory
 *                 idle lanes               of the 32 lanes, those that take no part in memory instructions and combines
 *                 divergent branches       how often the lanes of a warp take different paths (divergence.c)
 *                 atomics                  read-modify-write operations, one for each lane
 *                 atomics on one address   the maximum of them for one address, which are performed one after another
 *                 stock bytes              bytes of device memory that stock functions read and write */
void simt_measure(bool on);

/* Turns only those of the detailed meters on or off that measure how work is shared. They cost much less. */
void simt_measure_sharing(bool on);

/* Turns the checks on or off that take time at every access (races and others). They are on by default, unless
 * SIMT_CHECKS=off is in the environment. Not while a kernel runs. */
void simt_check(bool on);

/* The values since simt_begin_run of the meters that are on. */
size_t simt_meter_count(void);
struct simt_meter simt_meter_at(size_t i);

/* The detailed meters for one source line. */
struct simt_line {
    struct simt_location where; /* `function` is one of those into which the line was compiled */
    uint64_t combines, barriers;
    uint64_t instructions; /* memory instructions and combines of a warp */
    uint64_t idle_lanes;   /* lanes that take no part in them */
    uint64_t shared_requests, shared_wavefronts, excess_wavefronts;
    uint64_t global_requests, global_sectors;
    uint64_t excess_sectors; /* sectors beyond the minimum for the requested bytes */
    uint64_t atomics;
};

/* Adds up the counts since simt_begin_run by source line, and returns the number of lines, which are in ascending
 * order. Each call computes them again. */
size_t simt_line_count(void);

/* Line i of the last simt_line_count, or null. */
const struct simt_line *simt_line_at(size_t i);

/* ---- functions ---------------------------------------------------------------------------------------- */

/* A function's name and parameters. */
struct simt_signature {
    char text[176];             /* "scan(const elem_t *in, elem_t *out, int n)"; empty if there is none */
    struct simt_location where; /* `function` is not filled in */
};

/* Finds the function `name` in the module that contains the code: as the source file of that code declares it, and
 * the first definition of that name in another source file. To C++ these are two functions if their parameters
 * differ. */
void simt_find_signatures(const void *code, const char *name, struct simt_signature *declared,
                          struct simt_signature *defined);

/* ---- runs ------------------------------------------------------------------------------------------ */

/* Clears findings and meters, and the sticky error of a faulted launch. Allocations remain. */
void simt_begin_run(void);

/* Called before loading code that is not trusted. From then on translated host code may not write to variables of
 * modules that are already loaded (this program, the device, libraries): such a write is a finding,
 * SIMT_WILD_POINTER, and ends the call. The code may print only to stdout and stderr, and not with %n. */
void simt_guard_program(void);

/* Calls body(context), the student's host code. Returns true when it returns normally. A fault in host code (an
 * access through a device pointer, a crash, the limit of work) ends the call: then the finding is stored, false is
 * returned, and resources of the host code (malloc, FILE) are leaked. Not reentrant. */
bool simt_call(void (*body)(void *), void *context);

/* Instructions that the last simt_call, or the last launch outside it, has executed so far. The budget limits this
 * number. */
uint64_t simt_executed(void);

/* The part of these instructions that threads of kernels have executed, without the cost of the device's own work; and
 * the maximum of any thread in a launch, summed over the launches. A call of C's library counts more than one instruction,
 * and a turn of a loop that waits for a flag counts unless no other thread ran in the meantime. So these numbers are
 * upper limits of the meters "instructions" and "instructions by one thread". */
uint64_t simt_executed_by_threads(void);
uint64_t simt_executed_by_busiest_thread(void);

/* Reports the memory, streams and events that were created since simt_begin_run and still exist, each at the line
 * where it was created. Returns their number. Call it when the called code is done. A plain program calls it at its
 * exit if SIMT_LEAKS=1 is in the environment. */
size_t simt_report_leaks(void);

/* Reports a launch or copy that the default stream does not wait for: the caller would read its results too early.
 * Call it when the called code is done, before any synchronisation. */
void simt_report_unjoined(void);

/* Notes that the caller has put a copy to an array into the default stream, after simt_begin_run. A kernel in a
 * stream that does not wait for it races with it. */
void simt_note_arrival(const void *array, size_t bytes);

/* Names a device allocation for findings: `in[33]` instead of `allocation of 132 bytes[33]`. The named array begins
 * `offset` bytes into the allocation and ends with it; kernels may not access the bytes before it. element_size is
 * in bytes. The name must outlive the allocation. Returns false when `pointer` is not the start of a live
 * allocation, or the offset is beyond its end. */
bool simt_name_allocation(const void *pointer, size_t offset, const char *name, size_t element_size);

/* Marks a device allocation as an output that kernels should write. Bytes that the host copies there are counted.
 * Returns false when `pointer` is not the start of a live allocation. */
bool simt_mark_output(const void *pointer);

/* Fills a device allocation with a byte, but it still counts as unwritten. So a harness can distinguish elements
 * that a kernel left untouched from unwritten elements that it copied from other memory. Returns false when
 * `pointer` is not the start of a live allocation. */
bool simt_fill_allocation(void *pointer, unsigned char byte);

/* From now on, junk fills the pages of a large allocation only when they are accessed. This is for plain programs,
 * because it needs a system call that a locked-down harness forbids. */
void simt_fill_on_demand(void);

/* From now on a read of unwritten shared memory is only a warning if the launch does the same whatever is stored there.
 * To find out, the launch is run again in copies of the process. For stand-alone programs. */
void simt_rerun_junk(void);

/* Resets a live device allocation: its contents are junk, it counts as unwritten, and it has no name and no marks.
 * With this a harness can use the same addresses in two calls, as cudaMalloc does on a GPU when memory was freed in
 * between; this device never reuses addresses. Returns false when `pointer` is not the start of a live allocation. */
bool simt_renew_allocation(void *pointer);

/* Marks a device allocation as an input. A kernel, copy or fill that writes there is a finding, even if it writes
 * the value that was there. Returns false when `pointer` is not the start of a live allocation. */
bool simt_mark_input(const void *pointer);

/* simt_heap_release frees all live allocations that were made after `mark`, as a harness does between calls, and
 * returns their number. simt_heap_mark returns the mark for now. */
uint64_t simt_heap_mark(void);
size_t simt_heap_release(uint64_t mark);

#ifdef __cplusplus
}
#endif
#endif
