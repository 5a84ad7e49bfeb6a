// meters.h: how the tests of meters expect a count.
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

#define EXPECT(name, wanted) expect(__func__, name, meter(name), wanted)

/* Launches a kernel on empty meters. */
#define RUN(...)                                                                                             \
    simt_begin_run();                                                                                        \
    __VA_ARGS__;                                                                                             \
    cudaDeviceSynchronize()
