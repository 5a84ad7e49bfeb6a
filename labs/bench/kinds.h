/* kinds.h: the tasks that bench times, and the kinds of inputs of each. It does not use CUDA, so that a test can be
 * built anywhere. */
#ifndef LABS_KINDS_H
#define LABS_KINDS_H

#include <stddef.h>
#include <stdint.h>
#include <string>
#include <vector>

enum task {
    REDUCE,
    SCAN,
    COMPACT,
    SORT,
    SORT_INT,
    SORT_FLOAT,
    SORT_PAIRS,
    SORT_LONG,
    SCAN_ROWS,
    SCAN_COLUMNS,
    TABLE, /* summed-area table */
    TASKS
};
extern const char *const task_names[TASKS];

/* The kinds of inputs of a task. For compaction, a kind is the percentage that is kept; for sorts, the number of
 * random bits in a key, 33 for ascending keys, or a shape of skewed keys; for all other tasks, 100. Shapes and
 * patterns are included only if `shaped`. */
std::vector<int> kinds_of(enum task task, bool shaped);
bool is_shape(const std::string &name);
std::string kind_name(enum task task,
                      int kind); /* "50 %", "8 bits", "sorted"; empty if there is only one kind */

/* A function of a lab that does a task. The last row has no lab. */
struct row {
    enum task task;
    const char *lab, *part;
    int third;      /* argument after the length; -1: none */
    int most;       /* log2 of the longest input that is timed */
    bool exclusive; /* a scan whose results are shifted by one element */
};
extern const struct row rows[];

bool is_image(enum task task);
/* The number of elements: 2^log2 plus `add`. For an image, `add` is a number of columns. */
size_t length_of(enum task task, int log2, size_t add);
/* The number of rows of an image with n elements; it has n / rows_of(n) columns. n is a length_of(). */
size_t rows_of(size_t n);

size_t in_bytes(enum task task);                              /* of one element */
size_t out_bytes(enum task task);                             /* of one element */
size_t result_bytes(enum task task, size_t n, uint64_t kept); /* of a whole result */
double least_bytes(enum task task, double n, double kept);    /* that any implementation must move */

enum { ALL = 100, KEYS_ASCEND = 33 };

/* Patterns of kept elements for compaction. Each pattern keeps half of the elements. */
enum pattern { ALTERNATE = ALL + 1, FIRST_HALF, RUNS, PATTERNS_END };

/* Shapes of keys that are hard or easy to sort, with 32 or 64 bits. */
enum shape {
    AND_OF_2 = 40,
    AND_OF_3,
    AND_OF_5,
    HIGH_BYTE,
    LOW_BITS,
    DESCENDING,
    NEARLY_SORTED,
    POWER_LAW,
    ZIPF,
    ONE_VALUE_99,
    TWO_VALUES,
    ONE_BUCKET,
    SEGMENTS,
    THREE_TOPS,
    BELL,
    SAWTOOTH,
    BITS_REVERSED,
    CLUSTERS,
    HALF_EQUAL,
    BLOCKS_SHUFFLED,
    SIGN_BIT,
    RANDOM_RUNS,
    DENORMALS,
    EQUAL_AT_END,
    SHAPES_END
};

#endif
