/* suite_run_tests.c: runs a lab's tests with the library Check, and records their results. */
#include "suite_internal.h"
#include "suite_sharing.h"
#include "suite_tests.h"
#include <check.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { MAX_TESTS = 512 };

/* One test of one part, as it is passed to Check. */
struct row {
    const struct suite_part *part;
    const struct suite_test *test;
    TTest check;
    char tcase[96]; /* "scan_in_place correct" */
};
static struct row rows[MAX_TESTS];
static int row_count;
static const struct row *running;
static bool left_out; /* the running test is not run */
static struct timespec started;
static int passed, failed, not_run;

static unsigned unproved; /* number of parts for which a premise fails */

/* Records, after the last test of a part, at which lengths the premises of a proof were checked, or why it is only
 * tested. */
static void record_proof(const struct suite_part *part, bool failed_one)
{
    char words[2048], lengths[2048];
    struct suite_text text = suite_text(words, sizeof words), details = suite_text(lengths, sizeof lengths);
    const enum suite_proof outcome = suite_proof_tell(part, failed_one, &text, &details);
    unproved += outcome == SUITE_PROOF_FAILS;
    suite_record_proof(part, outcome, words, lengths);
}

static void before_test(void)
{
    running = NULL;
    left_out = false;
    suite_begin_test();
}

static double seconds_since_start(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - started.tv_sec) + 1e-9 * (double)(now.tv_nsec - started.tv_nsec);
}

/* Also runs after a failed test, because a failure jumps out of the body but not past the fixtures. */
static void after_test(void)
{
    static bool failed_one;
    const struct suite_failure *failure = suite_failure();
    const struct suite_part *part = running->part;
    const enum suite_aspect aspect = running->test->aspect;
    if (left_out) {
        not_run++;
        suite_record_not_run(part, running->test, "the points that it could decide are lost");
    } else if (failure) {
        failed++;
        suite_record_failed(part, running->test, seconds_since_start(), failure);
        if (!suite_has_failed(part, aspect, 1))
            suite_look_again(failure);
        suite_lost_note(part, aspect);
    } else {
        passed++;
        suite_record_passed(part, running->test, seconds_since_start());
    }
    failed_one |= (failure || left_out) && aspect != EFFICIENT;
    if (running + 1 == rows + row_count || running[1].part != part) {
        record_proof(part, failed_one);
        suite_counts_tell(part);
        failed_one = false;
    }
}

static void run_row(int i)
{
    running = &rows[i];
    left_out = !suite_part_hangs(running->part) && suite_is_lost(running->part, running->test->aspect);
    if (left_out)
        return;
    suite_record_started(running->part, running->test);
    clock_gettime(CLOCK_MONOTONIC, &started);
    if (suite_part_hangs(running->part)) {
        char why[192];
        const enum suite_failure_kind kind = suite_explain_hanging(running->part, why, sizeof why);
        suite_skip_test(kind, why);
    }
    if (suite_options.right_first && running->test->aspect == EFFICIENT &&
        suite_has_failed(running->part, CORRECT, 1))
        suite_skip_test(SUITE_NOT_JUDGED, suite_not_judged);
    running->test->body(running->part);
}

static Suite *build_suite(void)
{
    Suite *suite = suite_create(suite_lab->name);
    for (size_t p = 0; p < suite_lab->count; p++) {
        const struct suite_part *part = suite_lab->parts[p];
        if ((suite_options.part && strcmp(suite_options.part, part->name) != 0) ||
            suite_is_listed(suite_options.left_out, part->name))
            continue;
        for (enum suite_aspect aspect = CORRECT; aspect <= EFFICIENT; aspect++) {
            TCase *tcase = NULL;
            for (const struct suite_test *test = part->tests; test->name; test++) {
                if (test->aspect != aspect || (test->applies && !test->applies(part)) ||
                    (suite_options.prove && !suite_is_proof(part, test)) ||
                    (aspect != CORRECT && suite_options.on_cuda) ||
                    (aspect == EFFICIENT && !suite_has_tile(SUITE_TILE)) || row_count == MAX_TESTS)
                    continue;
                struct row *row = &rows[row_count];
                *row = (struct row){part, test, {test->name, run_row, __FILE__, __LINE__}, ""};
                snprintf(row->tcase, sizeof row->tcase, "%s %s", part->name, suite_aspect_name(aspect));
                if (!tcase) {
                    tcase = tcase_create(row->tcase);
                    tcase_add_checked_fixture(tcase, before_test, after_test);
                    suite_add_tcase(suite, tcase);
                }
                _tcase_add_test(tcase, &row->check, 0, 0, row_count, row_count + 1);
                row_count++;
            }
        }
    }
    return suite;
}

static void list_bounds(const struct suite_part *part, const struct suite_bound *bounds,
                        enum suite_aspect aspect)
{
    for (const struct suite_bound *bound = bounds; bound && bound->meter; bound++)
        printf("%s\tbound\t%s\t%s\n", part->name, suite_aspect_name(aspect), bound->meter);
}

void suite_list_tests(void)
{
    static const struct suite_bound of_every_part[] = {{.meter = EXECUTED}, {.meter = "host bytes"}, {NULL}};
    for (size_t p = 0; p < suite_lab->count; p++) {
        const struct suite_part *part = suite_lab->parts[p];
        for (const struct suite_test *test = part->tests; test->name; test++)
            if (!test->applies || test->applies(part))
                printf("%s\ttest\t%s\t%s\n", part->name, suite_aspect_name(test->aspect), test->name);
        list_bounds(part, of_every_part, CORRECT);
        list_bounds(part, part->shared, CORRECT);
        list_bounds(part, part->bounds, EFFICIENT);
    }
}

/* With --prove: the parts that no proof monoid proves, which have no tests then. */
static void record_tested(void)
{
    for (size_t p = 0; p < suite_lab->count; p++) {
        const struct suite_part *part = suite_lab->parts[p];
        if (suite_proving_monoid(part) < 0 &&
            (!suite_options.part || strcmp(suite_options.part, part->name) == 0) &&
            !suite_is_listed(suite_options.left_out, part->name))
            record_proof(part, false);
    }
}

int suite_run_tests(void)
{
    Suite *suite = build_suite();
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK); /* the submission runs in its own process: see call.h */
    for (int i = 0; i < row_count; i++)
        suite_record_planned(rows[i].part, rows[i].test);
    srunner_run_all(runner, CK_SILENT);
    srunner_free(runner);
    if (suite_options.prove && !suite_options.on_cuda)
        record_tested();
    suite_record_end(passed, failed, not_run);
    return failed > 0 || (suite_options.prove && unproved > 0) ? 1 : 0;
}
