/* kinds.h: the tasks that bench times, and the inputs of each: without CUDA, so that a test can be built anywhere. */
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

/* Inputs: of compaction the percent that is kept; of sorts how many bits of a key are random, 33 when the keys ascend, or a
 * shape of skewed keys; of all else 100. Shapes only where `shaped`. */
std::vector<int> kinds_of(enum task task, bool shaped);
bool is_shape(const std::string &name);
std::string kind_name(enum task task,
                      int kind); /* "50 %", "8 bits", "sorted"; empty where there is one kind */

enum { ALL = 100, KEYS_ASCEND = 33 };

/* Keys that sorts find hard, or easy: of 32 and of 64 bits. */
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
    SHAPES_END
};

#endif
