// meters.h: how the tests of meters check a count.
#include "closing.h"
#include "simt.h"
#include <stdio.h>
#include <string.h>

static int passed, failed;
static const char *order_name;

static unsigned long long meter(const char *name)
{
    for (size_t i = 0; i < simt_meter_count(); i++)
        if (strcmp(simt_meter_at(i).name, name) == 0)
            return simt_meter_at(i).value;
    return ~0ull;
}

static void expect(const char *test, const char *what, unsigned long long got, unsigned long long wanted)
{
    if (got == wanted) {
        passed++;
        return;
    }
    failed++;
    printf("not ok: %s (%s): %s is %llu, expected %llu\n", test, order_name, what, got, wanted);
}

static inline void expect_within(const char *test, const char *what, unsigned long long got,
                                 unsigned long long least, unsigned long long most)
{
    if (got >= least && got <= most)
        passed++;
    else {
        failed++;
        printf("not ok: %s (%s): %s is %llu, expected %llu to %llu\n", test, order_name, what, got, least,
               most);
    }
}

#define EXPECT(name, wanted) expect(__func__, name, meter(name), wanted)

/* Launches a kernel with all meters at 0. */
#define RUN(...)                                                                                             \
    simt_begin_run();                                                                                        \
    __VA_ARGS__;                                                                                             \
    cudaDeviceSynchronize()

/* Runs the tests under three schedules, with all meters on. */
static inline void under_schedules(void (*const tests[])(), size_t count)
{
    static const struct {
        const char *name;
        struct simt_schedule schedule;
    } orders[] = {{"forward", {SIMT_FORWARD, 0, 16, 0}},
                  {"reverse", {SIMT_REVERSE, 0, 16, 0}},
                  {"random", {SIMT_RANDOM, 7, 2, 0}}};

    simt_check(false); /* kernels for one count omit what would make their results matter */
    simt_measure(true);
    for (const auto &order : orders) {
        order_name = order.name;
        simt_set_schedule(&order.schedule);
        for (size_t i = 0; i < count; i++)
            tests[i]();
    }
}
