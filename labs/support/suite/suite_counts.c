/* suite_counts.c: the values of a part's meters and the bounds of its contract, for readers of the results.
 *
 * For each meter one call is kept: the one that exceeded its bound, or else the one with the most elements, which
 * shows the algorithm best. */
#include "suite_internal.h"
#include <string.h>

enum { MOST_COUNTS = 16 };

static struct {
    size_t count;
    struct {
        const struct suite_bound *bound;
        uint64_t value, most;
        size_t n;
    } of[MOST_COUNTS];
} counts;

static bool tells_more(size_t i, uint64_t value, uint64_t most, size_t n)
{
    if (counts.of[i].value > counts.of[i].most)
        return false;
    return value > most || suite_elements(n) > suite_elements(counts.of[i].n);
}

void suite_counts_note(const struct suite_bound *bound, uint64_t value, uint64_t most, size_t n)
{
    size_t i = 0;
    while (i < counts.count && strcmp(counts.of[i].bound->meter, bound->meter) != 0)
        i++;
    if (i == MOST_COUNTS || (i < counts.count && !tells_more(i, value, most, n)))
        return;
    counts.count += i == counts.count;
    counts.of[i].bound = bound;
    counts.of[i].value = value;
    counts.of[i].most = most;
    counts.of[i].n = n;
}

const char *suite_counts_idle(const struct suite_bound *bound, uint64_t joining, uint64_t value,
                              uint64_t most)
{
    static char words[320];
    if (strcmp(bound->meter, "combines") != 0 || joining > most)
        return "";
    snprintf(words, sizeof words,
             "%llu of these combines join no two parts of the input: those of padding and of idle lanes are "
             "counted, too\n"
             "try: call combine() only where both operands have elements, if (i < n), and not for padding or "
             "IDENTITY\n",
             (unsigned long long)(value - joining));
    return words;
}

void suite_counts_tell(const struct suite_part *part)
{
    for (size_t i = 0; i < counts.count; i++)
        suite_record_meter(part, counts.of[i].bound, counts.of[i].value, counts.of[i].most, counts.of[i].n);
    counts.count = 0;
}
