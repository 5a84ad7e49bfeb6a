/* suite.c: what the body of a test does: makes calls and judges them. */
#include "suite_internal.h"
#include <check.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { BANK_BYTES = 4 /* one word of shared memory */ };

const char suite_not_judged[] = "not judged while the result is wrong";

/* The running test. */
static struct suite_call current;
static struct suite_failure failure;
static bool failed;
static size_t longest_right; /* in suite_all_lengths; 0: none yet */

/* ---- verdicts ------------------------------------------------------------------------------------------ */

void suite_begin_test(void)
{
    failed = false;
    longest_right = 0;
    suite_use_tile(suite_options.tile ? suite_options.tile : SUITE_TILE);
    memset(&current, 0, sizeof current);
}

const struct suite_failure *suite_failure(void)
{
    return failed ? &failure : NULL;
}

static jmp_buf *outside; /* where a check that is not part of a test ends; null in a test */

/* Ends the test. `lines` describe the mistake; "" if the call's findings do. */
static void end_test(enum suite_failure_kind kind, const char *meter, const struct suite_call *call,
                     const char *lines)
{
    failure.kind = kind;
    failure.meter = meter;
    failure.call = call;
    snprintf(failure.said, sizeof failure.said, "%s", lines);
    failed = true;
    if (outside)
        longjmp(*outside, 1);
    ck_abort_msg("%s", failure.said);
}

const struct suite_failure *suite_check(void (*check)(const struct suite_case *), const struct suite_case *is)
{
    jmp_buf here;
    suite_begin_test();
    outside = &here;
    if (setjmp(here) == 0)
        check(is);
    outside = NULL;
    return suite_failure();
}

void suite_skip_test(enum suite_failure_kind kind, const char *why)
{
    end_test(kind, NULL, NULL, why);
}

static void fail_with(enum suite_failure_kind kind, const char *meter, const char *lines)
{
    current.right_up_to = current.smaller ? 0 : longest_right;
    end_test(kind, meter, &current, lines);
}

/* Ends the test with the trouble or the statement of the call itself. */
static void fail_as_it_is(void)
{
    if (current.trouble[0])
        fail_with(current.trouble_kind, NULL, current.trouble);
    fail_with(current.statement[0] ? current.statement_kind : SUITE_FINDING, NULL, current.statement);
}

static void fail_saying(enum suite_failure_kind kind, const char *meter, const char *format,
                        va_list arguments)
{
    char lines[1024];
    vsnprintf(lines, sizeof lines, format, arguments);
    fail_with(kind, meter, lines);
}

void suite_fail(enum suite_failure_kind kind, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fail_saying(kind, NULL, format, arguments);
    va_end(arguments);
}

void suite_past_bound(const char *meter, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fail_saying(SUITE_OVER_BOUND, meter, format, arguments);
    va_end(arguments);
}

bool suite_attempt(struct suite_call *call, const struct suite_case *is, enum call_measure measure,
                   bool checks)
{
    suite_arrange(call, is);
    call->measure = measure;
    call->checks = checks;
    if (!suite_perform(call))
        return false;
    suite_look_for_work(call);
    const bool right = suite_judge(call);
    struct suite_text rows = suite_text(call->rows, sizeof call->rows);
    if (!right)
        suite_add_rows(&rows, call);
    return right && suite_judge_copies(call);
}

static bool right_in_a_fresh_process(const struct suite_case *is)
{
    static struct suite_call alone;
    if (suite_part_hangs(is->part))
        return false;
    suite_retire(is);
    return suite_attempt(&alone, is, CALL_METERS_OFF, false);
}

/* Repeats, with the slow checks, a call that failed without them. */
static void look_closer(const struct suite_case *is, enum call_measure measure)
{
    static struct suite_call closer;
    if (!suite_attempt(&closer, is, measure, true) && !suite_part_hangs(is->part))
        current = closer;
}

/* ---- the smallest failing call ------------------------------------------------------------------------- */

/* The finding with which a message begins; null: none. */
static const struct simt_finding *first_finding(const struct suite_call *call)
{
    const struct call_reply *reply = &call->reply;
    return reply->all_findings > 0 && reply->findings > 0 ? &reply->finding[0] : NULL;
}

/* Is it the same mistake, at the same line and about the same variable? The elements may differ. */
static bool findings_are_alike(const struct simt_finding *a, const struct simt_finding *b)
{
    if (!a || !b)
        return !a && !b;
    return a->rule == b->rule && a->where.line == b->where.line &&
           strcmp(a->where.file, b->where.file) == 0 && strcmp(a->where.function, b->where.function) == 0 &&
           strcmp(a->variable.name, b->variable.name) == 0;
}

static bool fail_alike(const struct suite_call *a, const struct suite_call *b)
{
    return !a->trouble[0] == !b->trouble[0] && (!a->trouble[0] || a->trouble_kind == b->trouble_kind) &&
           !a->statement[0] == !b->statement[0] && a->statement_kind == b->statement_kind &&
           !a->reply.leaks == !b->reply.leaks && findings_are_alike(first_finding(a), first_finding(b));
}

static struct suite_call tried;

static bool fails_alike(const struct suite_case *is, bool same_words, uint64_t *work)
{
    suite_attempt(&tried, is, CALL_METERS_OFF, true);
    if (suite_part_hangs(is->part) && !suite_time_is_over()) {
        suite_forgive_hanging();
        *work = UINT64_MAX; /* ends the search */
        return false;
    }
    *work = tried.reply.executed + suite_elements(is->n);
    return fail_alike(&tried, &current) &&
           (!same_words || suite_same_explanation(tried.statement, current.statement));
}

/* A search is made for a part's first wrong result and its first call with findings; in grading only for the first
 * of the two. */
static bool worth_a_smaller_call(const struct suite_part *part)
{
    static const struct suite_part *known;
    static bool done[2];
    const bool finding = first_finding(&current) != NULL;
    if (known != part)
        done[0] = done[1] = false;
    known = part;
    if (done[finding] || (suite_options.enough > 0 && done[!finding]))
        return false;
    return done[finding] = true;
}

/* Replaces the failed call by the smallest call that was found to fail in the same way, if a fresh process
 * reproduces it, as the replay line will. */
static void make_smaller(void)
{
    const struct suite_case first = current.is;
    struct suite_case smaller;
    uint64_t work;
    if (!suite_on_cpu_device() || current.sampled || current.unwritten || !worth_a_smaller_call(first.part))
        return;
    if (suite_find_smaller(&first, current.statement[0], fails_alike, &smaller)) {
        suite_retire(&smaller);
        if (fails_alike(&smaller, false, &work)) {
            const enum call_measure measure = current.measure;
            current = tried;
            current.measure = measure;
            current.smaller = true;
            current.first = first;
        }
    }
    suite_use_tile(first.tile);
}

/* After this many searches in a row without a schedule under which a failed call is right, no more are made for
 * this part, because each search takes several processes and the part is plainly wrong. */
enum { MOST_IN_VAIN = 4 };
static const struct suite_part *searched;
static unsigned searches_in_vain;

static bool worth_a_search(const struct suite_part *part, bool idle)
{
    if (part != searched)
        searches_in_vain = 0;
    searched = part;
    return searches_in_vain < (idle ? 1 : MOST_IN_VAIN);
}

/* If this is true, no call says anything about the part. */
static bool is_harness_fault(void)
{
    return current.trouble[0] && current.trouble_kind == SUITE_HARNESS;
}

/* Makes the call. After a failure it is repeated with all checks; then in a fresh process, if this one has served
 * other calls, and under other schedules. So the message can say whether earlier calls or the schedule matter. */
static bool make_call(const struct suite_case *is, enum call_measure measure, bool checks)
{
    bool used = suite_served(is) > 0;
    if (suite_attempt(&current, is, measure, checks))
        return true;
    if (suite_part_hangs(is->part) || current.reply.status == CALL_MISSING || is_harness_fault())
        return false;
    if (!checks)
        look_closer(is, measure);
    if (suite_part_hangs(is->part))
        return false;
    /* A part that has run no kernel yet does not depend on the schedule, so one fresh process is enough. */
    const bool idle = current.unwritten && suite_on_cpu_device();
    if (!worth_a_search(is->part, idle))
        return false;
    current.history = used && right_in_a_fresh_process(is);
    if (!current.history)
        make_smaller();
    current.contrast = !current.history && !idle &&
                       suite_find_contrast(&current.is, right_in_a_fresh_process, &current.right);
    if (current.history || current.contrast) {
        searches_in_vain = 0;
        current.unwritten = false; /* the part has done something */
    } else
        searches_in_vain++;
    return false;
}

void suite_measured(const struct suite_case *is, enum call_measure measure)
{
    if (!make_call(is, measure, false))
        fail_as_it_is();
    suite_note_work(&current);
}

const struct call_reply *suite_reply(void)
{
    return &current.reply;
}

/* Everything except the findings is ignored, because it may follow from blocks that did not run. */
void suite_sampled(const struct suite_case *is)
{
    suite_arrange_sampled(&current, is);
    suite_perform(&current);
    if (is_harness_fault())
        fail_as_it_is();
    current.trouble[0] = current.statement[0] = 0;
    if (current.reply.all_findings > 0)
        fail_as_it_is();
}

/* Ends the test of a part whose result is right under one schedule and wrong under another. */
static void blame_schedule(void)
{
    char words[128];
    struct suite_text text = suite_text(words, sizeof words);
    suite_add_contrast(&text, &current.right, &current.is);
    current.contrast = false; /* the message contains it now */
    suite_fail(SUITE_MISMATCH,
               "the result depends on the order in which threads run: %s\n%s"
               "try: which threads touch the same element with no barrier, fence or atomic between them?",
               words, current.statement);
}

/* Ends the test of an aspect that cannot be judged while the result is wrong. */
static void blame_wrong_result(void)
{
    if (current.trouble[0] || !current.statement[0])
        fail_as_it_is();
    if (current.contrast)
        blame_schedule();
    suite_fail(SUITE_NOT_JUDGED, "%s: %.*s", suite_not_judged, (int)strcspn(current.statement, "\n"),
               current.statement);
}

static const struct suite_call *try_again(const struct suite_case *is)
{
    suite_attempt(&tried, is, CALL_METERS_OFF, true);
    if (!suite_part_hangs(is->part))
        return &tried;
    if (!suite_time_is_over())
        suite_forgive_hanging();
    return NULL;
}

/* Shows what a part's first race can do. */
static void tell_race(void)
{
    static const struct suite_part *told;
    const struct simt_finding *race = first_finding(&current);
    struct suite_text text = suite_text(current.story, sizeof current.story);
    if (!race || race->kind != SIMT_RACE || race->warning || told == current.is.part || current.sampled ||
        !suite_on_cpu_device())
        return;
    told = current.is.part;
    suite_tell_race(&current.is, current.smaller ? &current.first : NULL, race, try_again, &text);
}

/* Ends the test if the last call had findings or leaks. */
static void blame_findings(void)
{
    if (!current.statement[0] && !current.trouble[0] &&
        (current.reply.all_findings > 0 || current.reply.leaks > 0)) {
        make_smaller();
        tell_race();
    }
    if (current.reply.all_findings > 0) {
        current.trouble[0] = current.statement[0] = 0; /* the message is about the findings */
        fail_as_it_is();
    }
    if (current.reply.leaks > 0)
        suite_fail(SUITE_LEFT_OVER,
                   "leak: %llu allocation%s of device memory not freed\n"
                   "try: cudaFree what you cudaMalloc, before the function returns",
                   (unsigned long long)current.reply.leaks, current.reply.leaks == 1 ? "" : "s");
}

void suite_clean(const struct suite_case *is)
{
    if (!make_call(is, CALL_METERS_OFF, true) && current.reply.all_findings == 0)
        blame_wrong_result();
    blame_findings();
}

bool suite_watch(const struct suite_case *is)
{
    if (!make_call(is, CALL_METERS_OFF, true))
        fail_as_it_is();
    suite_note_work(&current);
    return current.reply.all_findings == 0 && current.reply.leaks == 0;
}

const struct suite_call *suite_last_call(void)
{
    return &current;
}

void suite_fail_unclean(const struct suite_call *call)
{
    current = *call;
    blame_findings();
}

void suite_note_right(size_t n)
{
    longest_right = suite_elements(n) > 0 ? n : 0;
}

uint64_t suite_counted(const char *name)
{
    uint64_t value = 0;
    if (!suite_meter(&current, name, &value))
        suite_fail(SUITE_HARNESS, "the harness itself failed: the device has no meter \"%s\"", name);
    return value;
}

void suite_metered(const struct suite_case *is)
{
    if (!make_call(is, CALL_METERS_ON, false))
        blame_wrong_result();
}

void suite_efficient(const struct suite_case *is)
{
    suite_efficient_as(is, is->n);
}

/* Does a value of a monoid whose values show their parts have more than one? */
static bool has_several_parts(enum element element, const void *value)
{
    const interval_t *range = value;
    const fingerprint_t *sum = value;
    return element == ELEMENT_INTERVAL      ? range->first != range->last
           : element == ELEMENT_FINGERPRINT ? sum->count != FINGERPRINT_BASE + 1
                                            : false;
}

static uint64_t inputs_of_several_parts(void)
{
    uint64_t count = 0;
    for (unsigned i = 0; i < current.arguments; i++) {
        const struct suite_argument *argument = &current.argument[i];
        const size_t size = element_size(argument->element);
        if (argument->kind == CALL_IN || argument->kind == CALL_IN_OUT)
            for (size_t k = 0; k < argument->count; k++)
                count += has_several_parts(argument->element, (const char *)argument->input + k * size);
    }
    return count;
}

/* Work of another operator than combine() is not counted, so combine() must have made what it is given. */
static void judge_operands(void)
{
    const uint64_t elsewhere = suite_counted("operands made elsewhere"), most = inputs_of_several_parts();
    if (elsewhere > most)
        suite_fail(SUITE_TOO_FEW_ADDITIONS,
                   "operands of combine() that no combine() has made: %llu counted, at most %llu allowed\n"
                   "another operator has made them, whose work is not counted\n"
                   "try: combine() for every addition; no other operator is counted",
                   (unsigned long long)elsewhere, (unsigned long long)most);
}

void suite_efficient_as(const struct suite_case *is, size_t n)
{
    suite_metered(is);
    judge_operands();
    for (const struct suite_bound *bound = is->part->bounds; bound->meter; bound++) {
        if (strcmp(bound->meter, "excess wavefronts") == 0 &&
            element_size(monoids[is->monoid].element) != BANK_BYTES)
            continue;
        uint64_t value = suite_counted(bound->meter), most = bound->most(n);
        suite_counts_note(bound, value, most, is->n);
        if (value <= most)
            continue;
        const uint64_t joining = suite_proves(is->monoid) ? suite_counted("joining combines") : value;
        suite_past_bound(bound->meter,
                         "%s: %llu counted, at most %llu allowed\nthe bound is %s\n%s"
                         "try: make meters instead of make run below: it shows which lines count",
                         bound->meter, (unsigned long long)value, (unsigned long long)most, bound->formula,
                         suite_counts_idle(bound, joining, value, most));
    }
}

void suite_combines(const struct suite_case *is, uint64_t least)
{
    suite_measured(is, CALL_METERS_OF_SHARING);
    const uint64_t calls = suite_counted("combines"),
                   joins = suite_proves(is->monoid) ? suite_counted("joins") : calls;
    if (calls < least)
        suite_fail(
            SUITE_TOO_FEW_ADDITIONS,
            "combines: %llu counted, at least %llu are needed\n"
            "try: combine() in a kernel for every addition; the host and your own operator are not counted",
            (unsigned long long)calls, (unsigned long long)least);
    if (joins < least)
        suite_fail(
            SUITE_TOO_FEW_ADDITIONS,
            "combines: %llu counted, at least %llu are needed\n"
            "of %llu calls those count that joined two parts of the input, and not what was joined before\n"
            "try: let combine() make the results; idle calls are no work",
            (unsigned long long)joins, (unsigned long long)least, (unsigned long long)calls);
    judge_operands();
}

const void *suite_got(unsigned argument, size_t *bytes)
{
    const struct suite_argument *array = &current.argument[argument];
    *bytes = array->count * element_size(array->element);
    return array->got;
}
