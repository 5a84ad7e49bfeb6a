/* suite.h: the interface for the suite of a lab.
 *
 * A suite is a table of parts and a table of tests. A test runs cases. A case is a call of one part with everything
 * that determines it (monoid, length, seed, kind of input, schedule), so it can be replayed from one line. The
 * part's `arrange` turns a case into arguments and expected values; calling, comparing and the texts of failures
 * are the same for all parts.
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

/* The kinds of failures, with the names that the grader uses. A failure that findings of the device describe has
 * the kind of the first finding: see simt/simt.h. */
#define SUITE_FAILURE_KIND_TABLE(KIND)                                                                       \
    KIND(FINDING, "finding")                                                                                 \
    KIND(MISMATCH, "mismatch")     /* the result is wrong */                                                 \
    KIND(NOT_JUDGED, "not judged") /* of another aspect, while the result is wrong */                        \
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
    INPUT_RANDOM,      /* the whole range of the type */
    INPUT_SORTED,      /* ascending */
    INPUT_REVERSED,    /* descending */
    INPUT_EQUAL,       /* one value other than 0 and 1, n times */
    INPUT_NEGATIVE,    /* random, all below 0 */
    INPUT_EXTREME,     /* the ends of the range, 0, 1 and -1 */
    INPUT_SPARSE,      /* the identity at both ends and in every second slot */
    INPUT_SERIES,      /* the data set */
    INPUT_MARKED,      /* values that a kernel could mistake for a mark of its own: see suite_marks.h */
    INPUT_BAD_MIDDLES, /* keys whose middle is always the minimum: quicksort's worst case */
    INPUT_EXAMPLE,     /* 3 1 7 0 4 1 6 3, the handouts' numbers, then others: for people, not for tests */
    INPUT_KINDS
};

struct suite_part;

/* ---- tiles --------------------------------------------------------------------------------------------- */

/* TILE is a parameter of a submission's build. A suite calls builds of several tiles, so it must not use TILE as a
 * constant. */
#undef TILE
#pragma GCC poison TILE

enum { SUITE_TILE = 512 /* the tile in a replay line without TILE= */ };

/* The number of elements in a tile in the calls of the running test. At the begin of a test it is 512 or the
 * command line's. */
size_t suite_tile(void);

/* Until the end of the test, cases and lengths are for the build with another tile. */
void suite_use_tile(size_t tile);

/* Does this run use such a build? The command line may select one tile. */
bool suite_has_tile(size_t tile);

/* An entry for a list of lengths that depends on the tile: TILES(1, -1) is tile - 1. For fewer than 2^15 tiles, and
 * fewer than 2^15 elements more or less. */
#define TILES(count, more) ((size_t)1 << 31 | (size_t)(count) << 16 | (size_t)((more) + (1 << 15)))

struct suite_case {
    const struct suite_part *part;
    size_t tile; /* of the build */
    int monoid;  /* MONOID_SUM and so on */
    size_t n;    /* number of elements; in a lab of images a shape: see suite_shape */
    uint64_t seed;
    enum suite_input input;
    unsigned in_place; /* 0: all arrays are separate; from 1 on: the part's ways to be called in place */
    unsigned shift;    /* elements by which the first array is misaligned; 0: all are aligned */
    uint32_t order;    /* enum call_order */
    uint32_t resident; /* maximum of resident blocks */
    bool proof; /* a proof rests on it: made in the build that finds signed overflow, if there is one */
    struct simt_late late;
    struct simt_explore explore; /* the choices of a schedule: see suite_explore.c */
};

/* The case of a replay line without extras, in the build of suite_tile(): random input, separate arrays, forward
 * order, 16 resident blocks, and the seed of the command line. */
struct suite_case suite_case(const struct suite_part *part, int monoid, size_t n);

/* ---- calls --------------------------------------------------------------------------------------------- */

struct suite_argument {
    enum call_argument_kind kind;
    char name[24];                   /* as in the contract */
    bool shown;                      /* for CALL_SCALAR: messages show it */
    enum element element;            /* of an array */
    size_t count;                    /* number of elements of an array */
    const void *input;               /* contents before the call; null for CALL_OUT */
    const void *expected;            /* contents after it; null: unchanged */
    const double *tolerance;         /* for floats: error allowed in each element; null: none */
    const void *got;                 /* contents that came back */
    uint32_t same_as;                /* for CALL_SAME: the argument whose memory is used */
    uint64_t scalar;                 /* for CALL_SCALAR */
    bool reach;                      /* sampled call: kernels must access it up to its end */
    enum call_values sampled_values; /* sampled call: contents of the array */
    bool guard_hit;                  /* something was written next to it */
    ptrdiff_t guard_offset;          /* in bytes: negative before its begin, otherwise from its end */
};

struct suite_call {
    struct suite_case is;
    unsigned arguments;
    struct suite_argument argument[CALL_ARGUMENTS];
    uint64_t sampled;          /* if not 0, only some blocks run, without arrays: see suite_sampled */
    enum call_measure measure; /* the meters that count */
    bool checks;               /* with the slow checks, which some findings need */
    const char *result_name;   /* "the count", if the part returns one; else null */
    uint64_t expected_result;
    bool arrays_first; /* report a wrong array rather than a wrong result */
    struct call_reply reply;
    char printed[600]; /* output of the submission */
    char trouble[700]; /* how the call failed as a whole; "" if it did not, or findings describe it */
    enum suite_failure_kind trouble_kind;
    char statement[2048]; /* what is wrong with the result; "" if nothing is */
    enum suite_failure_kind statement_kind;
    bool unwritten;     /* the part has done nothing so far: see suite_unwritten.c */
    size_t right_up_to; /* a shorter length that was right in the same test; 0: none */
    bool history;       /* the same call is right as the first call of a fresh process */
    bool contrast;      /* the same call is right under another schedule: */
    struct suite_case right;
    bool smaller; /* a larger call failed first, and this one fails in the same way: */
    struct suite_case first;
    char story
        [1024]; /* lines: an order in which the result is wrong, or why there is none; "" without a race */
    char rows[1600]; /* lines with the arrays, if they are short and something is wrong */
};

/* For `arrange`: appends an argument, in the order of the contract, and returns its number. Its name is taken from
 * the contract. If a suite passes a scalar for an array, or an output for a pointer to const, the program ends with
 * a message. Arrays are not copied. */
unsigned suite_in(struct suite_call *call, enum element element, size_t count, const void *input);
unsigned suite_out(struct suite_call *call, enum element element, size_t count, const void *expected,
                   const double *tolerance);
/* Passes the memory of an earlier array, which thus becomes an output, too. */
unsigned suite_same(struct suite_call *call, unsigned argument, const void *expected,
                    const double *tolerance);
unsigned suite_scalar(struct suite_call *call, uint64_t value);
unsigned suite_shown_scalar(struct suite_call *call, uint64_t value); /* messages show it */

/* Memory that is valid as long as the call being arranged. Never null. */
void *suite_memory(size_t bytes);

/* `count` elements of the case's monoid and kind of input; different streams (0, 1, ...) have different values. */
void *suite_values(const struct suite_case *is, size_t count, uint64_t stream);

/* The seed that selects the style of a random input. For a long input it is 1, the plain style, unless a test has
 * chosen the seed. Long calls test large indices, and there would be none if nothing is kept or all keys are equal. */
uint64_t suite_style_seed(const struct suite_case *is);

/* Returns a seed of the same style that counts as chosen by a test, so that the style is kept for long inputs, too.
 * `seed` must be below 2^32. The result is above 2^32, unlike any random seed, and differs from `seed` by a
 * multiple of every number by which styles divide. */
enum { SUITE_STYLES_DIVIDE = 720720 };
static inline uint64_t suite_chosen_seed(uint64_t seed)
{
    return seed + ((uint64_t)SUITE_STYLES_DIVIDE << 24);
}

/* A seed of the plain style, for tests whose verdict must not depend on the style. 2^12 seeds give different
 * results; 1 gives 1. */
static inline uint64_t suite_plain_seed(uint64_t seed)
{
    return ((seed - 1) & 0xFFF) * SUITE_STYLES_DIVIDE + 1;
}

/* ---- bounded text -------------------------------------------------------------------------------------- */

struct suite_text {
    char *at;    /* position of the next character */
    size_t left; /* bytes, including the final 0 */
};

struct suite_text suite_text(char *buffer, size_t size);
void suite_add(struct suite_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* ---- shapes -------------------------------------------------------------------------------------------- */

/* In a lab of images every length is a shape: a number that combines rows and columns, both below 2^32. */
size_t suite_shape(size_t rows, size_t columns);
size_t suite_rows(size_t n); /* 1 in other labs */
size_t suite_columns(size_t n);
size_t suite_elements(size_t n); /* rows * columns */

/* ---- parts and tests ----------------------------------------------------------------------------------- */

enum suite_aspect { CORRECT, CLEAN, EFFICIENT };

/* Lengths: all from `from`, which is at least 1, to `to` (none when to < from), and those of a list, without those
 * that the contract does not allow. Shapes of images are only in the list. */
struct suite_lengths {
    size_t from, to;
    size_t count;
    const size_t *list; /* in any order, because entries with TILES(...) depend on the tile */
    size_t tiles;       /* the maximum that the contract allows; 0: any length */
};

/* The end of an initializer: the lengths in an array, for any number of tiles or for at most `tiles` tiles. */
#define LIST(array)                 LIST_OF_TILES(0, array)
#define LIST_OF_TILES(tiles, array) sizeof array / sizeof *array, array, tiles

/* The i-th length with tiles of suite_tile() elements, in ascending order without repetitions; shapes in the order
 * of the list. Lengths without elements are left out: they have a test of their own, so that a fault there costs only
 * that test's aspect. Returns false when there are no more. */
bool suite_length(const struct suite_lengths *lengths, size_t i, size_t *n);

/* The i-th length of the list without elements. */
bool suite_empty_length(const struct suite_lengths *lengths, size_t i, size_t *n);

/* A limit on a meter, as stated in the contract. */
struct suite_bound {
    const char *meter;        /* null ends a list */
    const char *formula;      /* "n log2 n - (n - 1)" */
    uint64_t (*most)(size_t); /* the limit for n elements */
};

struct suite_test;

struct suite_part {
    const char *name;
    const char *arguments; /* as in the contract: "(const elem_t *in, elem_t *out, size_t n)" */
    void (*arrange)(struct suite_call *call);
    /* Adds lines that explain the mistake, given the first wrong slot. May be null. */
    void (*explain)(struct suite_text *text, const struct suite_call *call,
                    const struct suite_argument *argument, size_t slot);
    /* The same for a wrong return value. May be null. */
    void (*explain_result)(struct suite_text *text, const struct suite_call *call);
    const struct suite_test *tests; /* ended by a row without a name */
    struct suite_lengths lengths;   /* for the tests of all lengths */
    struct suite_lengths proofs;    /* for the proof monoid */
    unsigned monoids;               /* bits MONOID_SUM and so on: the monoids of its tests, as in lab.toml */
    const char *tested; /* why it is only tested, and by what, if none of them proves it: see suite_proof.c */
    bool sums; /* images of random numbers prove it, if it only adds up its inputs: see suite_proof.c */
    unsigned ways_in_place; /* number of ways in which the contract allows calls in place */
    bool powers_of_two;     /* the contract allows no other lengths */
    bool quadratic;         /* n elements take n^2 accesses */
    unsigned work;          /* budget of a call as a multiple of other parts'; 0: the same */
    size_t longest;         /* elements of its longest call with small tiles; 0: 2^21 + 3 */
    bool unlimited;         /* the contract allows lengths above 2^31 */
    bool below_wrap;        /* but not above 2^32 */
    size_t most;            /* longest allowed length, which is sampled; 0: none */
    bool reaches_all;       /* it writes all of its outputs even if all inputs are zero */
    /* For floats: the maximum number of additions of an input on its way to slot i. */
    unsigned (*depth)(size_t);
    uint64_t (*least)(size_t);        /* minimum of combines for n elements; null: none */
    const struct suite_bound *bounds; /* for EFFICIENT; ended by a row without a meter; may be null */
    const struct suite_bound *shared; /* for CORRECT: how the work is shared; see suite_sharing.h */
    size_t many; /* number of elements for tests of many tiles; 0: a long one of `lengths` */
};

struct suite_test {
    const char *name; /* a sentence */
    enum suite_aspect aspect;
    void (*body)(const struct suite_part *part);
    bool (*applies)(const struct suite_part *part); /* null: always */
};

struct suite_lab {
    unsigned number;
    const char *name;        /* "naive_scan": the name of the library, the student's file and the suite */
    const char *data_set;    /* file of INPUT_SERIES in the folder of data sets; may be null */
    const char *data_phrase; /* for messages: "the series of ..." */
    bool images;             /* lengths are shapes */
    unsigned monoids;        /* bits MONOID_SUM and so on: the monoids for which make builds it */
    struct suite_part *const *parts;
    size_t count;
    void (*prepare)(void); /* called when the seed is known, before any test; may be null */
};

/* A lab has two programs of tests, the public one and the one for grading; both judge these parts. Its
 * check_<lab>.c defines this; suite_public.c has the public program's main. */
extern const struct suite_lab this_lab;

/* The main program of check_<lab>: parses the command line, runs the tests, returns the exit status. */
int suite_main(const struct suite_lab *lab, int count, char **words);

/* ---- functions for the body of a test ------------------------------------------------------------------ */

/* Makes the call. Ends the test with a message unless the whole result is right. */
void suite_correct(const struct suite_case *is);

/* The same, and also ends it if there are findings or leaks. */
void suite_clean(const struct suite_case *is);

/* Makes the call with zeroed arrays, of which the CPU device runs only some blocks, for lengths that it could not
 * run. Ends the test with a message if a 32-bit index or length is found. */
void suite_sampled(const struct suite_case *is);

/* The lengths above 2^31 that a part's contract allows and that are sampled. Returns their number. */
size_t suite_sampled_lengths(const struct suite_part *part, const size_t **lengths);

/* Like suite_correct, and the meters must be within the part's bounds. Bank conflicts are judged only for elements
 * of one word, because the contracts refer to these. */
void suite_efficient(const struct suite_case *is);

/* The same with the bounds for n elements. */
void suite_efficient_as(const struct suite_case *is, size_t n);

/* Like suite_correct, with all meters. suite_counted returns their values. */
void suite_metered(const struct suite_case *is);

/* The value of a meter in the running test's last call. Ends the test if the device has no such meter. */
uint64_t suite_counted(const char *meter);

/* Ends the test with a message about a meter of the last call that exceeds its bound. */
void suite_past_bound(const char *meter, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Like suite_correct, and the work must be done by kernels and shared by their threads: see suite_sharing.h. */
void suite_shared(const struct suite_case *is);

/* Like suite_correct, and the kernels must have combined at least `least` times. If values show what they are made
 * of, they must have made that many different results. */
void suite_combines(const struct suite_case *is, uint64_t least);

/* Calls suite_correct, suite_clean ... under the schedules that a test of orders tries: reverse, then random ones
 * with many and with few resident blocks. Each of them reports it when its call is right under another schedule. */
void suite_each_schedule(const struct suite_case *plain, void (*check)(const struct suite_case *));

/* Calls suite_correct for each length of at most `most` elements. */
void suite_all_lengths(struct suite_case is, const struct suite_lengths *lengths, size_t most);

/* The array that came back in an argument of the last call; valid until the next call. */
const void *suite_got(unsigned argument, size_t *bytes);

/* Ends the test with a message about the last call, for mistakes that the functions above do not cover. */
void suite_fail(enum suite_failure_kind kind, const char *format, ...) __attribute__((format(printf, 2, 3)));

uint64_t suite_seed(void);        /* from the command line */
bool suite_on_cpu_device(void);   /* findings, meters and schedules are available */
size_t suite_series_length(void); /* elements of the data set; 0 if there is none */
size_t suite_series_size(void);   /* the same as the length of a case */
const char *suite_datasets(void); /* folder of the data sets */
bool suite_huge(void);            /* there is memory for more than 2^31 elements: see --huge */

/* Is the part built for this monoid? With TILE = 512 it is built for all of its monoids, with other tiles only for
 * the most informative one: interval, fingerprint, or else the first. */
bool suite_takes(const struct suite_part *part, int monoid);
int suite_telling_monoid(const struct suite_part *part);

/* Does a right result with this monoid prove the part right for that length? */
bool suite_proves(int monoid);

/* The monoid in whose builds the part is proved; -1 if it is only tested. What adds up numbers is the same code in all builds. */
int suite_proving_monoid(const struct suite_part *part);

#endif
