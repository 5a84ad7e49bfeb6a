/* suite.c: what the body of a test does: calls, and verdicts on them. */
#include "suite_internal.h"
#include <check.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MESSAGE_BYTES = 3600 /* Check cuts off at 4096 */ };

struct suite_options suite_options = {
    .runner = NULL,
    .datasets = "datasets",
    .seed = 1,
    .progress = -1,
};
const struct suite_lab *suite_lab;
const char suite_not_judged[] = "not judged while the result is wrong";

/* The running test. */
static struct suite_call current;
static char message[MESSAGE_BYTES]; /* of its failure; "" while it has not failed */
static size_t longest_right;        /* of suite_all_lengths; 0: none yet */

/* ---- cases --------------------------------------------------------------------------------------------- */

struct suite_case suite_case(const struct suite_part *part, int monoid, size_t n)
{
    return (struct suite_case){.part = part,
                               .monoid = monoid,
                               .n = n,
                               .seed = suite_options.seed,
                               .input = INPUT_RANDOM,
                               .order = CALL_FORWARD,
                               .resident = 16};
}

bool suite_length(const struct suite_lengths *lengths, size_t i, size_t *n)
{
    size_t range = lengths->to >= lengths->from ? lengths->to - lengths->from + 1 : 0;
    if (i >= range + lengths->count)
        return false;
    *n = i < range ? lengths->from + i : lengths->list[i - range];
    return true;
}

uint64_t suite_seed(void)
{
    return suite_options.seed;
}

bool suite_on_cpu_device(void)
{
    return !suite_options.on_cuda;
}

const char *suite_datasets(void)
{
    return suite_options.datasets;
}

bool suite_huge(void)
{
    return suite_options.huge;
}

bool suite_takes(const struct suite_part *part, int monoid)
{
    return part->monoids >> monoid & 1;
}

/* ---- verdicts ------------------------------------------------------------------------------------------ */

void suite_begin_test(void)
{
    message[0] = 0;
    longest_right = 0;
    memset(&current, 0, sizeof current);
}

const char *suite_failure(void)
{
    return message;
}

void suite_skip_test(const char *why)
{
    snprintf(message, sizeof message, "%s", why);
    ck_abort_msg("%s", message);
}

static void fail_with(const char *head)
{
    current.right_up_to = longest_right;
    suite_message(&current, head, message, sizeof message);
    ck_abort_msg("%s", message);
}

void suite_fail(const char *format, ...)
{
    char head[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(head, sizeof head, format, arguments);
    va_end(arguments);
    fail_with(head);
}

static bool attempt(struct suite_call *call, const struct suite_case *is, enum call_measure measure,
                    bool checks)
{
    suite_arrange(call, is);
    call->measure = measure;
    call->checks = checks;
    return suite_perform(call) && suite_judge(call);
}

static bool right_in_a_fresh_process(const struct suite_case *is)
{
    static struct suite_call alone;
    if (suite_part_hangs(is->part))
        return false;
    suite_retire(is->monoid);
    return attempt(&alone, is, CALL_METERS_OFF, false);
}

/* After a call that failed without the slow checks: what they have to say of it. */
static void look_closer(const struct suite_case *is, enum call_measure measure)
{
    static struct suite_call closer;
    if (!attempt(&closer, is, measure, true) && !suite_part_hangs(is->part))
        current = closer;
}

/* Makes the call. After a failure it tries again with all checks; then in a fresh process, if this one has served
 * other calls, and under other schedules, so that the message can tell whether earlier calls or the order had a
 * part in it. */
static bool make_call(const struct suite_case *is, enum call_measure measure, bool checks)
{
    bool used = suite_served(is->monoid) > 0;
    if (attempt(&current, is, measure, checks))
        return true;
    if (suite_part_hangs(is->part) || current.reply.status == CALL_MISSING)
        return false;
    if (!checks)
        look_closer(is, measure);
    if (suite_part_hangs(is->part))
        return false;
    current.history = used && right_in_a_fresh_process(is);
    current.contrast = !current.history && suite_find_contrast(is, right_in_a_fresh_process, &current.right);
    return false;
}

void suite_correct(const struct suite_case *is)
{
    if (!make_call(is, CALL_METERS_OFF, false))
        fail_with(NULL);
}

/* Ends a test of a part whose result is right under one schedule and wrong under another. */
static void blame_schedule(void)
{
    char words[128];
    struct suite_text text = suite_text(words, sizeof words);
    suite_add_contrast(&text, &current.right, &current.is);
    current.contrast = false; /* it is told */
    suite_fail("the result depends on the order in which threads run: %s\n%s"
               "try: which threads touch the same element with no barrier, fence or atomic between them?",
               words, current.statement);
}

/* Ends a test of an aspect that means nothing while the result is wrong. */
static void blame_wrong_result(void)
{
    if (current.trouble[0] || !current.statement[0])
        fail_with(NULL);
    if (current.contrast)
        blame_schedule();
    suite_fail("%s: %.*s", suite_not_judged, (int)strcspn(current.statement, "\n"), current.statement);
}

void suite_clean(const struct suite_case *is)
{
    if (!make_call(is, CALL_METERS_OFF, true) && current.reply.all_findings == 0)
        blame_wrong_result();
    if (current.reply.all_findings > 0) {
        current.trouble[0] = current.statement[0] = 0; /* the findings speak first */
        fail_with(NULL);
    }
    if (current.reply.leaks > 0)
        suite_fail("leak: %llu allocation%s of device memory not freed\n"
                   "try: cudaFree what you cudaMalloc, before the function returns",
                   (unsigned long long)current.reply.leaks, current.reply.leaks == 1 ? "" : "s");
}

static uint64_t meter(const char *name)
{
    uint64_t value = 0;
    if (!suite_meter(&current, name, &value))
        suite_fail("the harness itself failed: the device has no meter \"%s\"", name);
    return value;
}

void suite_efficient(const struct suite_case *is, const struct suite_bound *bound)
{
    if (!make_call(is, CALL_METERS_ON, false))
        blame_wrong_result();
    uint64_t value = meter(bound->meter), most = bound->most(is->n);
    if (value > most)
        suite_fail("%s: %llu counted, at most %llu allowed\nthe bound is %s\n"
                   "try: make meters in the place of make run below: it shows which lines count",
                   bound->meter, (unsigned long long)value, (unsigned long long)most, bound->formula);
}

void suite_combines(const struct suite_case *is, uint64_t least)
{
    suite_correct(is);
    uint64_t value = meter("combines");
    if (value < least)
        suite_fail(
            "combines: %llu counted, at least %llu are needed\n"
            "try: combine() in a kernel for every addition; the host and your own operator are not counted",
            (unsigned long long)value, (unsigned long long)least);
}

void suite_all_lengths(struct suite_case is, const struct suite_lengths *lengths)
{
    for (size_t i = 0; suite_length(lengths, i, &is.n); i++) {
        suite_correct(&is);
        longest_right = suite_elements(is.n) > 0 ? is.n : 0;
    }
    longest_right = 0;
}

const void *suite_got(unsigned argument, size_t *bytes)
{
    const struct suite_argument *array = &current.argument[argument];
    *bytes = array->count * element_size(array->element);
    return array->got;
}
