/* kinds.cpp: see kinds.h. */
#include "kinds.h"

const char *const task_names[TASKS] = {"reduce",    "scan",         "compact",    "sort u32",
                                       "sort i32",  "sort f32",     "sort pairs", "sort u64",
                                       "scan rows", "scan columns", "table"};

static bool is_sort(enum task task)
{
    return task >= SORT && task <= SORT_LONG;
}

static const char *const shape_names[] = {
    "AND of 2",        "AND of 3",      "AND of 5",       "high byte",   "low bits",
    "descending",      "nearly sorted", "power law",      "Zipf",        "99 % one value",
    "two values",      "one bucket",    "segments",       "three tops",  "bell curve",
    "sawtooth",        "bits reversed", "clusters",       "half equal",  "blocks shuffled",
    "around sign bit", "random runs",   "denormals, NaN", "equal at end"};

static const char *const pattern_names[] = {"alternate", "first half", "runs"};

std::vector<int> kinds_of(enum task task, bool shaped)
{
    static const std::vector<int> densities = {0, 5, 50, 90, 100}, entropies = {32, 8, 0, KEYS_ASCEND},
                                  one = {ALL}, random = {32};
    if (shaped && task == COMPACT) {
        std::vector<int> all = densities;
        for (int pattern = ALTERNATE; pattern < PATTERNS_END; pattern++)
            all.push_back(pattern);
        return all;
    }
    if (!shaped || !is_sort(task))
        return task == COMPACT ? densities : task == SORT ? entropies : is_sort(task) ? random : one;
    std::vector<int> all = entropies;
    for (int shape = AND_OF_2; shape < SHAPES_END; shape++)
        all.push_back(shape);
    return all;
}

std::string kind_name(enum task task, int kind)
{
    if (task == COMPACT)
        return kind > ALL ? pattern_names[kind - ALTERNATE] : std::to_string(kind) + " %";
    if (is_sort(task) && kind >= AND_OF_2 && kind < SHAPES_END)
        return shape_names[kind - AND_OF_2];
    if (task == SORT || (is_sort(task) && kind != 32))
        return kind == KEYS_ASCEND ? "sorted" : std::to_string(kind) + " bits";
    return "";
}

bool is_shape(const std::string &name)
{
    for (enum task task : {SORT, COMPACT})
        for (int kind : kinds_of(task, true))
            if (kind_name(task, kind) == name)
                return true;
    return false;
}
