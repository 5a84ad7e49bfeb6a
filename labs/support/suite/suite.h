/* suite.h: what a lab's suite is made of.
 *
 * A suite is a table of parts and a table of tests. A test runs cases: calls of one part with everything that
 * decides them (monoid, length, seed, kind of input, schedule), so that a case can be replayed from one line.
 * The part's `arrange` turns a case into arguments and expected values; calling, comparing and the words of a
 * failure are the same for all parts.
 *
 * The suite is trusted and never loads a submission: see call.h. */
#ifndef LABS_SUITE_H
#define LABS_SUITE_H

#include "call.h"
#include "element.h"
#include "monoid.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- failures ------------------------------------------------------------------------------------------- */

/* The kinds of failures, each with the name by which the grader knows it. A failure that findings of the device describe has
 * the kind of the first finding: see simt/simt.h. */
#define SUITE_FAILURE_KIND_TABLE(KIND)                                                                       \
    KIND(FINDING, "finding")                                                                                 \
    KIND(MISMATCH, "mismatch")     /* the result is wrong */                                                 \
    KIND(NOT_JUDGED, "not judged") /* of another aspect, while the result is wrong */                        \
    KIND(NOT_RUN, "not run")       /* as its points are lost: see suite_lost.c */                            \
    KIND(INPUT_CHANGED, "input changed")                                                                     \
    KIND(DIFFERENT_BITS, "different bits") /* in two calls with the same input */                            \
    KIND(OVER_BOUND, "over the bound")     /* of a meter */                                                  \
    KIND(NOT_SHARED, "work not shared")    /* by threads, or by blocks */                                    \
    KIND(OF_HOST, "work of the host")                                                                        \
    KIND(TOO_FEW_ADDITIONS, "too few additions") /* in kernels, and of parts of the input */                 \
    KIND(LEFT_OVER, "leak")                      /* of memory, and no finding says where it was allocated */ \
    KIND(ERROR, "error")                         /* of the CUDA runtime, and no finding says why */          \
    KIND(TIMED_OUT, "timed out")                                                                             \
    KIND(CRASHED, "crashed")                                                                                 \
    KIND(MISSING, "missing")       /* the submission does not define the part */                             \
    KIND(HARNESS, "harness fault") /* a fault of the course itself, not of the submission */

enum suite_failure_kind {
#define KIND(kind, name) SUITE_##kind,
    SUITE_FAILURE_KIND_TABLE(KIND)
#undef KIND
};

/* ---- cases --------------------------------------------------------------------------------------------- */

enum suite_input {
    INPUT_RANDOM,      /* the full range of the type */
    INPUT_SORTED,      /* ascending */
    INPUT_REVERSED,    /* descending */
    INPUT_EQUAL,       /* one value, not 0 or 1, n times */
    INPUT_NEGATIVE,    /* random, all below 0 */
    INPUT_EXTREME,     /* the ends of the range, 0, 1 and -1 */
    INPUT_SPARSE,      /* the identity at both ends and in every second slot */
    INPUT_SERIES,      /* the data set */
    INPUT_MARKED,      /* values that a kernel could take for a mark of its own: see suite_marks.h */
    INPUT_BAD_MIDDLES, /* keys in whose middle the least always is: quicksort's own */
    INPUT_EXAMPLE, /* 3 1 7 0 4 1 6 3, the handouts' numbers, and then others: for people, not for tests */
    INPUT_KINDS
};

struct suite_part;

/* ---- tiles --------------------------------------------------------------------------------------------- */

/* TILE is a parameter of a submission's build. A suite calls builds of several tiles, so to it TILE is no constant. */
#undef TILE
#pragma GCC poison TILE

enum { SUITE_TILE = 512 /* what a replay line without TILE= means */ };

/* Elements of a tile in the calls of the running test; 512 when it begins, or what the command line says. */
size_t suite_tile(void);

/* Until the end of the test, cases and lengths are those of the build with another tile. */
void suite_use_tile(size_t tile);

/* Is there such a build in this run? The command line may ask for one tile alone. */
bool suite_has_tile(size_t tile);

/* In a list of lengths, one that depends on the tile: TILES(1, -1) is tile - 1. Below 2^15 tiles, and less than
 * 2^15 more or fewer elements. */
#define TILES(count, more) ((size_t)1 << 31 | (size_t)(count) << 16 | (size_t)((more) + (1 << 15)))

struct suite_case {
    const struct suite_part *part;
    size_t tile; /* of the build */
    int monoid;  /* MONOID_SUM and so on */
    size_t n;    /* elements; in a lab of images a shape: see suite_shape */
    uint64_t seed;
    enum suite_input input;
    unsigned in_place; /* 0: all arrays apart; 1 and up: the part's ways of calling it in place */
    unsigned
        shift; /* elements by which the first array misses the alignment of cudaMalloc; 0: all are aligned */
    uint32_t order;    /* enum call_order */
    uint32_t resident; /* blocks that are resident at once */
};

/* The case of a replay line without extras, in the build of suite_tile(): random input, arrays apart, forward order, 16
 * resident blocks, and the seed of the command line. */
struct suite_case suite_case(const struct suite_part *part, int monoid, size_t n);

/* ---- calls --------------------------------------------------------------------------------------------- */

struct suite_argument {
    enum call_argument_kind kind;
    char name[24];                   /* as in the contract */
    bool shown;                      /* CALL_SCALAR: messages show it */
    enum element element;            /* of an array */
    size_t count;                    /* elements of an array */
    const void *input;               /* what it holds before the call; null for CALL_OUT */
    const void *expected;            /* what it holds after it; null: the same as before */
    const double *tolerance;         /* for floats: error allowed in each element; null: none */
    const void *got;                 /* what came back */
    uint32_t same_as;                /* CALL_SAME: the argument whose memory it is */
    uint64_t scalar;                 /* CALL_SCALAR */
    bool reach;                      /* a sampled call: kernels must touch it up to its end */
    enum call_values sampled_values; /* a sampled call: what the array holds */
    bool guard_hit;                  /* something was written next to it */
    ptrdiff_t guard_offset;          /* where: bytes from its begin, or, when positive, from its end on */
};

struct suite_call {
    struct suite_case is;
    unsigned arguments;
    struct suite_argument argument[CALL_ARGUMENTS];
    uint64_t sampled;          /* 0, or: arrays do not travel, and only some blocks run: see suite_sampled */
    enum call_measure measure; /* which meters count */
    bool checks;               /* with the slow checks: without them some findings are not made */
    const char *result_name;   /* "the count", when the part returns one; else null */
    uint64_t expected_result;
    bool arrays_first; /* a wrong array says more than a wrong result */
    struct call_reply reply;
    char printed[600]; /* what the submission printed */
    char trouble[700]; /* how the call failed as a whole; "" when it did not, or findings say it */
    enum suite_failure_kind trouble_kind;
    char statement[2048]; /* what is wrong with what came back; "" when nothing */
    enum suite_failure_kind statement_kind;
    bool unwritten;     /* the part did nothing at all, in this call and before: see suite_unwritten.c */
    size_t right_up_to; /* a shorter length that was right in the same test; 0: none */
    bool history;       /* the same call is right when it is a fresh process's first */
    bool contrast;      /* the same call is right under another schedule: */
    struct suite_case right;
    bool
        smaller; /* a call with more elements, or more about it, failed first, and this one fails in the same way: */
    struct suite_case first;
    char rows[1600]; /* lines: the arrays, when they are short and something is wrong */
};

/* For `arrange`: appends an argument, in the order of the contract, and returns its number. Its name is the contract's. A
 * suite that gives a scalar for an array, or an output for a pointer to const, ends with a line that says so. Arrays are not
 * copied. */
unsigned suite_in(struct suite_call *call, enum element element, size_t count, const void *input);
unsigned suite_out(struct suite_call *call, enum element element, size_t count, const void *expected,
                   const double *tolerance);
/* The memory of an earlier array, which is then an output too. */
unsigned suite_same(struct suite_call *call, unsigned argument, const void *expected,
                    const double *tolerance);
unsigned suite_scalar(struct suite_call *call, uint64_t value);
unsigned suite_shown_scalar(struct suite_call *call, uint64_t value); /* messages show it */

/* Memory that lives as long as the call being arranged. Never null. */
void *suite_memory(size_t bytes);

/* `count` elements of the case's monoid and kind of input; streams (0, 1, ...) differ. */
void *suite_values(const struct suite_case *is, size_t count, uint64_t stream);

/* The seed that chooses the style of a random input. For a long input it is 1, the plain style, unless a test has chosen the
 * seed: a long call is there for its large indices, and with nothing kept, or all keys equal, it would have none. */
uint64_t suite_style_seed(const struct suite_case *is);

/* A seed of the same style which a test has chosen, so that the style holds for long inputs, too. `seed` is below 2^32; the
 * result is above, which no random seed is, and differs by a multiple of every number that styles divide by. */
enum { SUITE_STYLES_DIVIDE = 720720 };
static inline uint64_t suite_chosen_seed(uint64_t seed)
{
    return seed + ((uint64_t)SUITE_STYLES_DIVIDE << 24);
}

/* A seed of the plain style, for tests whose verdict the style must not decide. Of 2^12 seeds each has another; 1 has 1. */
static inline uint64_t suite_plain_seed(uint64_t seed)
{
    return ((seed - 1) & 0xFFF) * SUITE_STYLES_DIVIDE + 1;
}

/* ---- bounded text -------------------------------------------------------------------------------------- */

struct suite_text {
    char *at;    /* where the next character goes */
    size_t left; /* bytes, the final 0 included */
};

struct suite_text suite_text(char *buffer, size_t size);
void suite_add(struct suite_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* ---- shapes -------------------------------------------------------------------------------------------- */

/* In a lab of images every length is a shape, a number that holds rows and columns, both below 2^32. */
size_t suite_shape(size_t rows, size_t columns);
size_t suite_rows(size_t n); /* 1 in the other labs */
size_t suite_columns(size_t n);
size_t suite_elements(size_t n); /* rows * columns */

/* ---- parts and tests ----------------------------------------------------------------------------------- */

enum suite_aspect { CORRECT, CLEAN, EFFICIENT };

/* Lengths: all from `from` to `to` (none when to < from), and those of a list, less those that the contract does not allow.
 * Shapes of images are in the list alone. */
struct suite_lengths {
    size_t from, to;
    size_t count;
    const size_t *list; /* in any order: with TILES(...) among them it depends on the tile */
    size_t tiles;       /* the most that the contract allows; 0: any length */
};

/* The end of an initializer: the lengths of an array, any, or those of at most so many tiles. */
#define LIST(array)                 LIST_OF_TILES(0, array)
#define LIST_OF_TILES(tiles, array) sizeof array / sizeof *array, array, tiles

/* The i-th of them with tiles of suite_tile() elements, in ascending order, each once; shapes as they stand in the
 * list. False when there are no more. */
bool suite_length(const struct suite_lengths *lengths, size_t i, size_t *n);

/* A limit on a meter, as the contract states it. */
struct suite_bound {
    const char *meter;        /* null ends a list */
    const char *formula;      /* "n log2 n - (n - 1)" */
    uint64_t (*most)(size_t); /* its value for n elements */
};

struct suite_test;

struct suite_part {
    const char *name;
    const char *arguments; /* as the contract has them: "(const elem_t *in, elem_t *out, size_t n)" */
    void (*arrange)(struct suite_call *call);
    /* Adds lines that explain the mistake by the first wrong slot. May be null. */
    void (*explain)(struct suite_text *text, const struct suite_call *call,
                    const struct suite_argument *argument, size_t slot);
    /* The same for a wrong result. May be null. */
    void (*explain_result)(struct suite_text *text, const struct suite_call *call);
    const struct suite_test *tests; /* ended by a row without a name */
    struct suite_lengths lengths;   /* for the tests of all lengths */
    struct suite_lengths proofs;    /* for the proof monoid */
    unsigned monoids;       /* bit MONOID_SUM and so on: those that it is tested with, as in labs/module.mk */
    unsigned ways_in_place; /* in how many ways the contract allows a call in place */
    bool powers_of_two;     /* the contract takes no other lengths */
    bool quadratic;         /* n elements take n^2 accesses */
    unsigned work;          /* times the work that calls of other parts may execute; 0: once */
    size_t longest;         /* elements of its longest call with small tiles; 0: 2^21 + 3 */
    bool unlimited;         /* the contract allows lengths past 2^31 */
    bool below_wrap;        /* but not past 2^32 */
    size_t most;            /* 0, or the longest length that it allows, to be sampled */
    bool reaches_all;       /* it writes all of its outputs, also when all inputs are zeros */
    /* For floats: the most additions that an input goes through on its way to slot i. */
    unsigned (*depth)(size_t);
    uint64_t (*least)(size_t);        /* combines that n elements need at least; null: none */
    const struct suite_bound *bounds; /* of EFFICIENT; ended by a row without a meter; may be null */
    const struct suite_bound *shared; /* the same, of CORRECT: how the work is shared; see suite_sharing.h */
    size_t
        many; /* elements of many tiles, for the tests of that; 0: the longest of `lengths` that is not too long */
};

struct suite_test {
    const char *name; /* a sentence */
    enum suite_aspect aspect;
    void (*body)(const struct suite_part *part);
    bool (*applies)(const struct suite_part *part); /* null: always */
};

struct suite_lab {
    unsigned number;
    const char *name;        /* "naive_scan": library, student's file and suite are named after it */
    const char *data_set;    /* file of INPUT_SERIES, in the folder of data sets; null when there is none */
    const char *data_phrase; /* for messages: "the series of ..." */
    bool images;             /* lengths are shapes */
    unsigned monoids;        /* bit MONOID_SUM and so on: those that make builds it for */
    struct suite_part *const *parts;
    size_t count;
    void (*prepare)(void); /* called when the seed is known, before any test; may be null */
};

/* A lab has two programs of tests, the public one and the one that grades: both judge these parts. Its check_<lab>.c defines
 * it; suite_public.c is the public one's main. */
extern const struct suite_lab this_lab;

/* The whole program behind check_<lab>: parses the command line, runs, returns the exit status. */
int suite_main(const struct suite_lab *lab, int count, char **words);

/* ---- what the body of a test does ---------------------------------------------------------------------- */

/* Makes the call and ends the test with a message unless everything about the result is right. */
void suite_correct(const struct suite_case *is);

/* The same, and there must be no findings and no leaks. */
void suite_clean(const struct suite_case *is);

/* Makes the call with arrays of zeros, of which the CPU device runs only some blocks: for lengths that it cannot run. Ends
 * the test with a message when an index or a length of 32 bits is found. */
void suite_sampled(const struct suite_case *is);

/* The lengths past 2^31 that a part's contract allows, to be sampled. Returns how many. */
size_t suite_sampled_lengths(const struct suite_part *part, const size_t **lengths);

/* The same as suite_correct, and the meters must be within the part's bounds. Bank conflicts are judged for elements of one
 * word only, which the contracts speak of. */
void suite_efficient(const struct suite_case *is);

/* The same with the bounds for n elements. */
void suite_efficient_as(const struct suite_case *is, size_t n);

/* The same as suite_correct, with all meters: suite_counted has their values. */
void suite_metered(const struct suite_case *is);

/* A meter of the running test's last call. The test ends when the device has none of this name. */
uint64_t suite_counted(const char *meter);

/* Ends the test with a message about a meter of the last call that is past a bound. */
void suite_past_bound(const char *meter, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The same as suite_correct, and the work must be that of kernels, and shared by their threads: see
 * suite_sharing.h. */
void suite_shared(const struct suite_case *is);

/* The same as suite_correct, and the kernels must have combined at least `least` times; where the values tell what they
 * are made of, to as many different results. */
void suite_combines(const struct suite_case *is, uint64_t least);

/* suite_correct, suite_clean ... under the schedules that a test of orders tries: reverse, then random ones with
 * many and with few blocks at work. Any of them says so when its call is right under another schedule. */
void suite_each_schedule(const struct suite_case *plain, void (*check)(const struct suite_case *));

/* suite_correct for each length of at most so many elements. */
void suite_all_lengths(struct suite_case is, const struct suite_lengths *lengths, size_t most);

/* The array that the last of the calls above gave back in an argument; valid until the next one. */
const void *suite_got(unsigned argument, size_t *bytes);

/* Ends the test with a message about the last call, for what the functions above have no words. */
void suite_fail(enum suite_failure_kind kind, const char *format, ...) __attribute__((format(printf, 2, 3)));

uint64_t suite_seed(void);        /* from the command line */
bool suite_on_cpu_device(void);   /* findings, meters and schedules are to be had */
size_t suite_series_length(void); /* elements of the data set; 0 when there is none */
size_t suite_series_size(void);   /* the same as the length of a case */
const char *suite_datasets(void); /* folder of the data sets */
bool suite_huge(void);            /* there is memory for more than 2^31 elements: see --huge */

/* Is the part built for this monoid? With TILE = 512 for all of its monoids, with other tiles for the one that tells
 * most: interval, fingerprint, or else the first. */
bool suite_takes(const struct suite_part *part, int monoid);
int suite_telling_monoid(const struct suite_part *part);

/* Does a result on the monoid prove the part right for that length? */
bool suite_proves(int monoid);

#endif
