/* suite_totals.c: the table below the lines of `make meters`, which explains each meter of the call. */
#include "suite_internal.h"
#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum { TABLE_WIDTH = 132, NAME_WIDTH = 35, BOUND_WIDTH = 18, NO_LINE = 0 };

#define BY_LINE(field) offsetof(struct call_line, field)

static const struct explained {
    const char *meter, *words;
    size_t by_line; /* offset of the line's own count; NO_LINE: lines do not have it */
} explained[] = {
    {"combines", "calls of combine(): the work", BY_LINE(combines)},
    {"barriers", "barriers, once for each block that passes one", BY_LINE(barriers)},
    {"steps", "the longest chain of combines that need each other: the depth", NO_LINE},
    {"span", "the longest chain of accesses and combines", NO_LINE},
    {"instruction span", "the longest chain of instructions", NO_LINE},
    {"launches", "kernels that were launched", NO_LINE},
    {"blocks", "blocks of all launches", NO_LINE},
    {"global bytes", "bytes that kernels and copies read and write in device memory", NO_LINE},
    {"written bytes", "bytes of these that are written", NO_LINE},
    {"shared bytes", "the most bytes of shared memory that a block accesses", NO_LINE},
    {"blocks past the held one", "blocks that ended or wrote results while one was held up", NO_LINE},
    {"blocks held", "blocks that were held up", NO_LINE},
    {"accesses and combines", "memory accesses and combines of all threads", NO_LINE},
    {"instructions", "instructions of all threads", NO_LINE},
    {"instructions by one thread", "the most that one thread executes", NO_LINE},
    {"accesses and combines by one thread", "the most that one thread makes", NO_LINE},
    {"accesses and combines by one block", "the most that one block makes", NO_LINE},
    {"joining combines", "combines that join two parts of the input", NO_LINE},
    {"joining combines by one thread", "the most that one thread makes", NO_LINE},
    {"joining combines by one block", "the most that one block makes", NO_LINE},
    {"output writes", "writes to an output array", NO_LINE},
    {"output writes by one thread", "the most that one thread makes", NO_LINE},
    {"output writes by one block", "the most that one block makes", NO_LINE},
    {"local accesses by one thread", "the most accesses of one thread to its local arrays", NO_LINE},
    {"host bytes", "bytes that went to the host", NO_LINE},
    {"output bytes from the host", "bytes of outputs that came from the host", NO_LINE},
    {"bytes copied to the host", "bytes that cudaMemcpy took to the host", NO_LINE},
    {"joins", "different results that were joined from parts", NO_LINE},
    {"operands made elsewhere", "operands of combine() that no combine() made", NO_LINE},
    {"shared wavefronts", "turns in which shared memory serves the warps", BY_LINE(shared_wavefronts)},
    {"excess wavefronts", "turns of these that bank conflicts add", BY_LINE(excess_wavefronts)},
    {"global requests", "instructions of a warp that access global memory", BY_LINE(global_requests)},
    {"global sectors", "sectors of 32 bytes that they touch", BY_LINE(global_sectors)},
    {"uncached sectors", "sectors that no cache can save: each block's own, once", NO_LINE},
    {"copied sectors", "sectors of copies and fills on the device", NO_LINE},
    {"idle lanes", "lanes of a warp without a part in its instructions", BY_LINE(idle_lanes)},
    {"divergent branches", "times that lanes of a warp part ways", NO_LINE},
    {"atomics", "atomic operations", BY_LINE(atomics)},
    {"atomics on one address", "the most on one address, one after another", NO_LINE},
    {"allocations", "allocations of device memory", NO_LINE},
    {"allocated bytes", "the sum of their sizes", NO_LINE},
    {"host copies", "copies between device and host memory", NO_LINE},
    {"device copies", "copies and fills on the device", NO_LINE},
    {"stock calls", "calls of the stock functions", NO_LINE},
    {"stock bytes", "bytes that stock functions read and write", NO_LINE},
};

static const struct explained *explain(const char *meter)
{
    for (size_t i = 0; i < sizeof explained / sizeof *explained; i++)
        if (strcmp(explained[i].meter, meter) == 0)
            return &explained[i];
    return NULL;
}

static const struct suite_bound *bound_in(const struct suite_bound *bounds, const char *meter)
{
    for (const struct suite_bound *bound = bounds; bound && bound->meter; bound++)
        if (strcmp(bound->meter, meter) == 0)
            return bound;
    return NULL;
}

/* "exactly 1022", "at most 576"; "" without a bound. */
static void bound_words(const struct suite_call *call, const struct call_meter *meter, char *words,
                        size_t size)
{
    const struct suite_bound *bound = bound_in(call->is.part->bounds, meter->name);
    if (!bound)
        bound = bound_in(call->is.part->shared, meter->name);
    words[0] = 0;
    if (bound)
        snprintf(words, size, "%s %llu", bound->most(call->is.n) == meter->value ? "exactly" : "at most",
                 (unsigned long long)bound->most(call->is.n));
}

/* The line that contributes most; 0: none. */
static unsigned greatest_line(const struct call_reply *reply, const struct explained *of)
{
    uint64_t most = 0;
    unsigned line = 0;
    for (uint32_t i = 0; of && of->by_line != NO_LINE && i < reply->lines; i++) {
        uint64_t count;
        memcpy(&count, (const char *)&reply->line[i] + of->by_line, sizeof count);
        if (count > most) {
            most = count;
            line = reply->line[i].line;
        }
    }
    return line;
}

static void print_meter(const struct suite_call *call, const struct call_meter *meter)
{
    const struct explained *of = explain(meter->name);
    const unsigned line = greatest_line(&call->reply, of);
    char bound[40], most[24] = "";
    bound_words(call, meter, bound, sizeof bound);
    if (line > 0)
        snprintf(most, sizeof most, "%u", line);
    if (suite_width() >= TABLE_WIDTH) {
        printf("%-*s %10llu  %-*s %5s  %s\n", NAME_WIDTH, meter->name, (unsigned long long)meter->value,
               BOUND_WIDTH, bound, most, of ? of->words : "");
        return;
    }
    char words[256];
    snprintf(words, sizeof words, "%s%s%s%s%s", of ? of->words : "", bound[0] ? "; " : "", bound,
             line > 0 ? "; most in line " : "", most);
    printf("%-*s %10llu\n", NAME_WIDTH, meter->name, (unsigned long long)meter->value);
    suite_print(words, 4);
}

void suite_print_meters(const struct suite_call *call)
{
    char zeros[1024];
    struct suite_text text = suite_text(zeros, sizeof zeros);
    if (suite_width() >= TABLE_WIDTH)
        printf("%-*s %10s  %-*s %5s  %s\n", NAME_WIDTH, "in all", "count", BOUND_WIDTH, "the contract",
               "line", "what is counted; the line contributes most");
    for (uint32_t i = 0; i < call->reply.meters; i++)
        if (call->reply.meter[i].value > 0)
            print_meter(call, &call->reply.meter[i]);
        else
            suite_add(&text, "%s%s", zeros[0] ? ", " : "0: ", call->reply.meter[i].name);
    suite_print(zeros, 0);
}
