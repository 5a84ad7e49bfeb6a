#include "report/thread_set.h"

#include <stdio.h>

unsigned thread_set_numbers(const bool *member, unsigned count, char *out, size_t size)
{
    unsigned total = 0, first = 0, second = 0, last = 0, run = 0;
    for (unsigned i = 0; i < count; i++) {
        if (!member[i])
            continue;
        if (total == 0)
            first = i;
        if (total == 1)
            second = i;
        if (i == first + total)
            run = total + 1;
        last = i;
        total++;
    }
    bool even = total > 3 && run < 2;
    for (unsigned i = 0, step = second - first, seen = 0; even && i < count; i++) {
        if (member[i] && i != first + step * seen++)
            even = false;
    }
    if (total == 0)
        snprintf(out, size, "none");
    else if (total == 1)
        snprintf(out, size, "%u", first);
    else if (run == total)
        snprintf(out, size, "%u-%u", first, last);
    else if (total == 2)
        snprintf(out, size, "%u and %u", first, second);
    else if (even)
        snprintf(out, size, "%u, %u, %u ... %u", first, second, 2 * second - first, last);
    else if (run > 1)
        snprintf(out, size, "%u-%u and %u more", first, first + run - 1, total - run);
    else
        snprintf(out, size, "%u and %u more", first, total - 1);
    return total;
}

unsigned thread_set_text(const char *what, const bool *member, unsigned count, char *out, size_t size)
{
    char numbers[64];
    const unsigned total = thread_set_numbers(member, count, numbers, sizeof numbers);
    snprintf(out, size, "%s%s %s", what, total > 1 ? "s" : "", numbers);
    return total;
}
