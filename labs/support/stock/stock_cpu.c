/* stock_cpu.c: see stock_cpu.h. */
#include "stock_cpu.h"
#include "checks/sampled/sample.h"
#include "core/access.h"
#include "core/fault.h"
#include "core/schedule.h"
#include "simt.h"
#include "core/error.h"
#include "core/observer.h"
#include "core/timeline.h"
#include "parts.h"
#include "report/finding.h"
#include "runtime/runtime.h"
#include "stock_scan.h"

#include <stdlib.h>
#include <string.h>

enum { VALUE_MOST = 4096 /* maximum size of a value: stock_monoid.h asserts it */ };

/* ---- the functions that a part may call ----------------------------------------------------------------- */

static const char *part = "this function";
static unsigned allowed;

void stock_allow(const char *name, unsigned functions)
{
    part = name;
    allowed = functions;
}

/* For example "only stock scans, stock_sort". */
static const char *allowed_text(void)
{
    static const char *const words[] = {"stock scans", "stock_reduce", "stock_sort", "stock_block_scan"};
    const char *list = NULL;
    for (unsigned i = 0; i < sizeof words / sizeof *words; i++)
        if (allowed >> i & 1)
            list = list ? text("%s, %s", list, words[i]) : words[i];
    return list ? text("only %s", list) : "no stock function";
}

static void refuse_others(const struct api_call *call, unsigned function)
{
    if (allowed & function)
        return;
    finding_report(
        &(struct finding_facts){.rule = SIMT_RULE_FUNCTION_NOT_ALLOWED,
                                .site = call->site,
                                .variable = finding_named(call->function),
                                .note = {SIMT_NOTE_CALL_SKIPPED},
                                .hint = SIMT_HINT_OWN_WORK,
                                .fact = {FACT_TEXT(PART, part), FACT_TEXT(ALLOWED, allowed_text())}});
    fault_raise(ERROR_NOT_SUPPORTED);
}

/* ---- accesses and combines of the work -------------------------------------------------------------------- */

/* One call. Arrays have n elements of `size` bytes. */
struct work {
    struct api_call call;
    const char *in;
    char *out; /* null for a reduction */
    size_t n, size;
    stock_combine *combine;
    const void *identity;
    bool inclusive;
    char *result;   /* of a reduction; on the host */
    unsigned *keys; /* of a sort; on the host */
};

static void touch(const struct work *work, const void *address, unsigned kind)
{
    harness_works = true;
    simt_access_element(address, work->size, kind, work->call.site);
    harness_works = false;
}

/* Copies one element. Most elements are numbers, which need no call of memcpy. */
static inline void copy(const struct work *work, void *to, const void *from)
{
    if (work->size == sizeof(uint32_t))
        memcpy(to, from, sizeof(uint32_t));
    else
        memcpy(to, from, work->size);
}

static void take(const struct work *work, size_t i, void *value)
{
    touch(work, work->in + i * work->size, ACCESS_READ);
    copy(work, value, work->in + i * work->size);
}

static void put(const struct work *work, size_t i, const void *value)
{
    touch(work, work->out + i * work->size, ACCESS_WRITE);
    copy(work, work->out + i * work->size, value);
}

/* left = combine(left, right), which counts as `times` combines */
static void add(const struct work *work, void *left, const void *right, int times)
{
    harness_works = true;
    for (int i = 0; i < times; i++)
        observe_combine(work->call.site);
    harness_works = false;
    work->combine(left, right);
}

static void run(struct work *work, kernel_body *body)
{
    struct launch_request request = {.grid = {1, 1, 1},
                                     .block = {1, 1, 1},
                                     .harness = work->call.function,
                                     .body = body,
                                     .arguments = work,
                                     .site = work->call.site};
    int error = launch_run(&request);
    harness_works = false; /* a fault may have interrupted it anywhere */
    if (error)
        error_set_last(error);
}

/* Returns true if there is something to do. Overlapping arrays are reported. */
static bool begin(const struct work *work, unsigned function)
{
    refuse_others(&work->call, function);
    if (runtime_enter(&work->call) || work->n == 0)
        return false;
    if (sampler) /* everything is zero, before and after */
        return false;
    const char *low = work->in < work->out ? work->in : work->out;
    const char *high = low == work->in ? work->out : work->in;
    if (work->out && low != high && (size_t)(high - low) < work->n * work->size)
        RUNTIME_NOTE(&work->call, .rule = SIMT_RULE_ARRAYS_OVERLAP, .hint = SIMT_HINT_ONE_ARRAY_OR_TWO,
                     .fact = {FACT_NUMBER(SIZE, work->n * work->size - (size_t)(high - low))});
    return true;
}

/* ---- scans and the reduction ----------------------------------------------------------------------------------- */

/* Two combines for each element, as in an up-sweep and a down-sweep, whatever the implementation does. */
enum { SCAN_COMBINES = 2 };

/* Elements are combined in groups, and then with the prefix before their group. So an operator that is not
 * associative, and only right if its right operand is a single element, gives a wrong result. The first group has
 * one element, so three elements are enough to show it. After GROUPED elements most groups have one element, which
 * takes half the time. The others are where the schedule's seed puts them, so no input can avoid them. */
enum { GROUP = 4, GROUPED = 1 << 8, SINGLE = 16 };

static bool begins_group(size_t i)
{
    if (i <= GROUPED)
        return i % GROUP == 1;
    const uint64_t mixed = (i ^ simt_get_schedule().seed << 32) * 0x9e3779b97f4a7c15u;
    return (mixed ^ mixed >> 29) * 0xbf58476d1ce4e5b9u >> 32 & (SINGLE - 1);
}

/* An exclusive scan starts with the identity, as on a GPU, and an inclusive scan with the first element. */
static void scan_body(void *arguments)
{
    const struct work *work = arguments;
    char before[VALUE_MOST], group[VALUE_MOST], sum[VALUE_MOST], element[VALUE_MOST];
    take(work, 0, group);
    copy(work, sum, group);
    put(work, 0, work->inclusive ? group : work->identity);
    if (!work->inclusive) {
        copy(work, sum, work->identity);
        work->combine(sum, group);
    }
    for (size_t i = 1; i < work->n; i++) {
        take(work, i, element);
        if (!work->inclusive)
            put(work, i, sum);
        if (begins_group(i)) {
            copy(work, before, sum);
            copy(work, group, element);
        } else {
            add(work, group, element, SCAN_COMBINES / 2);
            copy(work, sum, before);
        }
        add(work, sum, group, begins_group(i) ? SCAN_COMBINES : SCAN_COMBINES / 2);
        if (work->inclusive)
            put(work, i, sum);
    }
}

static void reduce_body(void *arguments)
{
    const struct work *work = arguments;
    char sum[VALUE_MOST], group[VALUE_MOST], element[VALUE_MOST];
    take(work, 0, sum);
    for (size_t i = 1; i < work->n; i++) {
        if (begins_group(i)) {
            take(work, i, group);
        } else {
            take(work, i, element);
            add(work, group, element, 1);
        }
        if (begins_group(i + 1) || i + 1 == work->n)
            add(work, sum, group, 1);
    }
    memcpy(work->result, sum, work->size);
}

static void scan(struct work work)
{
    if (begin(&work, STOCK_SCAN))
        run(&work, scan_body);
}

void stock_scan_values(const void *in, void *out, size_t n, size_t size, stock_combine *combine,
                       const void *identity)
{
    scan((struct work){.call = {identity ? "stock_scan_exclusive" : "stock_scan_inclusive", API_CALL.site},
                       .in = in,
                       .out = out,
                       .n = n,
                       .size = size,
                       .combine = combine,
                       .identity = identity,
                       .inclusive = !identity});
}

void stock_reduce_values(const void *in, size_t n, size_t size, stock_combine *combine, void *result)
{
    struct work work = {.call = {"stock_reduce", API_CALL.site},
                        .in = in,
                        .n = n,
                        .size = size,
                        .combine = combine,
                        .result = result};
    if (!begin(&work, STOCK_REDUCE))
        return;
    run(&work, reduce_body);
    timeline_wait_for_stream(NULL);
}

static void add_int(void *left, const void *right)
{
    *(unsigned *)left += *(const unsigned *)right;
}

static void add_long(void *left, const void *right)
{
    *(size_t *)left += *(const size_t *)right;
}

static const size_t zero;

void stock_scan_exclusive(const unsigned *in, unsigned *out, size_t n)
{
    scan((struct work){API_CALL, (const char *)in, (char *)out, n, sizeof *in, add_int, &zero, false, 0, 0});
}

void stock_scan_exclusive_long(const size_t *in, size_t *out, size_t n)
{
    scan((struct work){API_CALL, (const char *)in, (char *)out, n, sizeof *in, add_long, &zero, false, 0, 0});
}

void stock_scan_inclusive(const unsigned *in, unsigned *out, size_t n)
{
    scan((struct work){API_CALL, (const char *)in, (char *)out, n, sizeof *in, add_int, NULL, true, 0, 0});
}

void stock_scan_inclusive_long(const size_t *in, size_t *out, size_t n)
{
    scan((struct work){API_CALL, (const char *)in, (char *)out, n, sizeof *in, add_long, NULL, true, 0, 0});
}

/* ---- sort ------------------------------------------------------------------------------------------------------ */

static int compare(const void *left, const void *right)
{
    const unsigned a = *(const unsigned *)left, b = *(const unsigned *)right;
    return (a > b) - (a < b);
}

static void sort_body(void *arguments)
{
    const struct work *work = arguments;
    for (size_t i = 0; i < work->n; i++)
        take(work, i, &work->keys[i]);
    qsort(work->keys, work->n, sizeof *work->keys, compare);
    for (size_t i = 0; i < work->n; i++)
        put(work, i, &work->keys[i]);
}

void stock_sort(const unsigned *in, unsigned *out, size_t n)
{
    struct work work = {
        .call = API_CALL, .in = (const char *)in, .out = (char *)out, .n = n, .size = sizeof *in};
    if (!begin(&work, STOCK_SORT))
        return;
    work.keys = malloc(n * sizeof *work.keys);
    if (work.keys)
        run(&work, sort_body);
    else
        error_set_last(ERROR_OUT_OF_MEMORY);
    free(work.keys);
}

/* ---- inside a kernel ----------------------------------------------------------------------------------------------- */

/* Passes the barriers of a scan in which each thread exchanges its sum with the thread whose number differs in one
 * bit, for one bit after another: two for each bit, and one more at the start and the end. The last thread to
 * arrive adds up for all. If some threads have returned and left junk in their slots, each thread adds up for
 * itself. */
unsigned stock_block_sums(unsigned *totals, unsigned value, unsigned *total)
{
    const struct api_call call = {"stock_block_scan", API_CALL.site};
    refuse_others(&call, STOCK_BLOCK_SCAN);
    if (!current_thread) {
        RUNTIME_NOTE(&call, .rule = SIMT_RULE_STOCK_FUNCTION_ON_HOST, .hint = SIMT_HINT_CALL_IN_KERNEL);
        fault_raise(ERROR_NOT_SUPPORTED);
    }
    const unsigned t = current_thread->number, threads = current_launch->block_threads;
    unsigned barriers = 1;
    for (unsigned bit = 1; bit < threads; bit *= 2)
        barriers += 2;

    schedule_barrier(call.site, 0); /* all threads have read the results of the previous call */
    shared_open((uintptr_t)totals, threads * sizeof *totals);
    totals[t] = value;
    const bool whole = current_block->unfinished == threads;
    if (whole && current_block->at_barrier + 1 == threads)
        for (unsigned i = 1; i < threads; i++)
            totals[i] += totals[i - 1];
    schedule_barriers(call.site, barriers);
    unsigned before = whole ? totals[t] - value : 0;
    for (unsigned i = 0; !whole && i < t; i++)
        before += totals[i];
    *total = whole ? totals[threads - 1] : before + value;
    for (unsigned i = t + 1; !whole && i < threads; i++)
        *total += totals[i];
    return before;
}
