/* suite_schedules.c: checks that a part's verdict does not depend on the schedule, the order in which the device
 * runs blocks and threads. */
#include "suite_internal.h"

enum {
    RANDOM_ORDERS = 4,
    FEW_BLOCKS = 2,
    MOST_TRIED = 5000 /* elements: for longer calls another try takes too much time */
};

static struct suite_case under(const struct suite_case *plain, uint32_t order, uint32_t resident)
{
    struct suite_case is = *plain;
    is.order = order;
    is.resident = resident;
    return is;
}

void suite_each_schedule(const struct suite_case *plain, void (*check)(const struct suite_case *))
{
    struct suite_case is = under(plain, CALL_REVERSE, plain->resident);
    check(&is);
    is = under(plain, CALL_REVERSE, 1);
    check(&is);
    for (uint64_t i = 0; i < RANDOM_ORDERS; i++) {
        is = under(plain, CALL_RANDOM, i % 2 ? FEW_BLOCKS : plain->resident);
        is.seed += i;
        check(&is);
    }
}

/* Long calls are tried only in thread order. */
bool suite_find_contrast(const struct suite_case *wrong, bool (*is_right)(const struct suite_case *),
                         struct suite_case *right)
{
    static const struct {
        uint32_t order, resident;
    } schedules[] = {{CALL_FORWARD, 16}, {CALL_REVERSE, 16}, {CALL_REVERSE, 1}, {CALL_RANDOM, 16}};
    const size_t all = sizeof schedules / sizeof *schedules;
    const size_t tries = !suite_on_cpu_device() ? 0 : suite_elements(wrong->n) <= MOST_TRIED ? all : 1;
    for (size_t i = 0; i < tries; i++) {
        *right = under(wrong, schedules[i].order, schedules[i].resident);
        if ((right->order != wrong->order || right->resident != wrong->resident) && is_right(right))
            return true;
    }
    return false;
}
