/* kinds.h: the tasks that bench times, and the kinds of inputs of each. It does not use CUDA, so that a test can be
 * built anywhere. */
#ifndef LABS_KINDS_H
#define LABS_KINDS_H

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

enum { ALL = 100, KEYS_ASCEND = 33 };

/* Patterns of compaction, each of which keeps half of the elements. */
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
