/* suite_run_tests.c: runs a lab's tests with the library Check, and prints their results for people or the grader. */
#include "suite_internal.h"
#include "suite_sharing.h"
#include "suite_tests.h"
#include <check.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { MAX_TESTS = 512, MESSAGE_INDENT = 6 };

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

/* Prints "ok     correct    joins the right inputs at every length". */
static void print_verdict(const struct row *row, const char *verdict)
{
    char line[256];
    snprintf(line, sizeof line, "%-6s %-9s  %s", verdict, suite_aspect_name(row->test->aspect),
             row->test->name);
    for (char *c = line; *c; c++)
        if (*c == '_')
            *c = ' ';
    suite_print(line, VERDICT_INDENT);
}

static unsigned folded;                  /* failures of this part that are not shown */
static unsigned good, of_aspect;         /* tests of this part and aspect: passed, and all */
static bool none_shown;                  /* no failures are shown, because nothing is written yet */
static const struct suite_part *heading; /* the part whose name was printed */

/* Parts shown by name only, because nothing is written yet. */
static char without[1024];
static unsigned without_tests;

static void show_heading(const struct row *row)
{
    if (heading != row->part)
        printf("\n%s\n", row->part->name);
    heading = row->part;
}

/* Has everything in this failure already been printed for the part: findings of the same kinds in the same kernels
 * about the same variables, whichever their elements? From now on this failure counts as printed. */
static bool was_printed(const struct row *row, const struct suite_failure *failure)
{
    enum { MOST = 32 };
    static const struct suite_part *part;
    static char printed[MOST][256];
    static unsigned count;
    struct suite_words words;
    char key[256];
    if (part != row->part)
        count = 0;
    part = row->part;
    if (!failure->call)
        return false;
    suite_words(failure->call, &words);
    bool all = !failure->said[0] && words.shown > 0;
    for (uint32_t i = 0; i < words.shown; i++) {
        const struct simt_finding *finding = words.finding[i];
        struct simt_finding_words text;
        simt_finding_words(finding, &text);
        const bool named = finding->variable.name[0] != 0; /* or "byte 8 of an allocation" */
        snprintf(key, sizeof key, "%d %.100s %.*s", (int)finding->kind, finding->where.function,
                 named ? (int)strcspn(text.variable, "[") : 0, text.variable);
        unsigned k = 0;
        while (k < count && strcmp(printed[k], key) != 0)
            k++;
        if (k == count) {
            all = false;
            if (count < MOST)
                memcpy(printed[count++], key, sizeof key);
        }
    }
    return all;
}

/* Prints a failure for a person at a terminal: for a part's first failure in each aspect the whole message, and what the
 * CPU device finds in a call that failed on a GPU; for the others the first line, unless it was just shown. */
static void print_message(const struct row *row, const struct suite_failure *failure)
{
    static const struct row *shown;
    static char last[1024];
    const char *message = failure->message;
    if (failure->kind == SUITE_NOT_JUDGED) {
        suite_print(suite_not_judged, MESSAGE_INDENT);
        return;
    }
    const bool first = !shown || shown->part != row->part || shown->test->aspect != row->test->aspect;
    const size_t length = strcspn(message, "\n");
    if (!first && strlen(last) == length && strncmp(message, last, length) == 0)
        return;
    snprintf(last, sizeof last, "%.*s", (int)length, message);
    shown = row;
    suite_print(first ? message : last, MESSAGE_INDENT);
    if (first)
        suite_look_again(failure, MESSAGE_INDENT);
}

static const struct suite_part *empty; /* the first part without a result; null: none yet */

/* Does a call past 2^31 fail for a part that is wrong at ordinary lengths, too? Then the cause is the same, most likely. */
static bool is_wrong_anyway(const struct row *row)
{
    return row->test->body == test_sampled && suite_has_failed(row->part, CORRECT, 1);
}

/* With --fold: should this failure be hidden? All failures of a part after its first in each aspect are, those that
 * repeat findings, and those that were not judged; and in a file with unfilled holes, those of every part after the
 * first such part. */
static bool is_folded(const struct row *row, const struct suite_failure *failure)
{
    static const struct suite_part *known; /* the last part without a result */
    static const struct row *shown;
    if (!suite_options.fold || !failure)
        return false;
    bool first = !shown || shown->part != row->part || shown->test->aspect != row->test->aspect;
    const bool first_of_part = !shown || shown->part != row->part;
    if (first_of_part && failure->call && failure->call->unwritten && known != row->part) {
        known = row->part;
        none_shown = empty;
        if (!empty) {
            empty = row->part;
            show_heading(row);
            if (suite_options.lab_file)
                printf("  no result yet: begin here, in %s\n", suite_options.lab_file);
        }
    }
    /* For a part without a result the first failure says everything. */
    if (!first || (known == row->part && (empty != row->part || !first_of_part)) ||
        failure->kind == SUITE_NOT_JUDGED || is_wrong_anyway(row) || was_printed(row, failure)) {
        folded++;
        return true;
    }
    shown = row;
    return false;
}

static void tell_folded(const struct row *row)
{
    const char *s = folded == 1 ? "" : "s", *fail = folded == 1 ? "fails" : "fail",
               *them = folded == 1 ? "it" : "them";
    if (none_shown && heading != row->part) {
        const size_t used = strlen(without);
        snprintf(without + used, sizeof without - used, "%s%s", used > 0 ? ", " : "", row->part->name);
        without_tests += folded;
    } else if (none_shown)
        printf("  no result yet: %u test%s of it %s; V=1 shows %s\n", folded, s, fail, them);
    else if (folded > 0)
        printf("  %u more test%s of it %s; V=1 shows %s\n", folded, s, fail, them);
    folded = 0;
    none_shown = false;
}

static void tell_without(void)
{
    char line[sizeof without + 128];
    snprintf(line, sizeof line, "no result yet either: %s (%u test%s; V=1 shows %s)\n", without,
             without_tests, without_tests == 1 ? " fails" : "s fail", without_tests == 1 ? "it" : "them");
    printf("\n");
    suite_print(line, 0);
}

/* With --fold and several parts: prints one line for all tests of an aspect that passed. */
static void tell_good(const struct row *row)
{
    const bool last =
        row + 1 == rows + row_count || row[1].part != row->part || row[1].test->aspect != row->test->aspect;
    if (!last)
        return;
    const char *name = suite_aspect_name(row->test->aspect);
    char line[64] = "";
    if (none_shown || empty == row->part) /* being right without doing anything is not a success */
        good = 0;
    if (good > 0 && good == of_aspect)
        snprintf(line, sizeof line, "ok     %-9s  %u test%s", name, good, good == 1 ? "" : "s");
    else if (good > 0)
        snprintf(line, sizeof line, "ok     %-9s  %u of %u tests", name, good, of_aspect);
    suite_print(line, VERDICT_INDENT);
    good = of_aspect = 0;
}

static void print_result(const struct row *row, const struct suite_failure *failure)
{
    const bool each = !suite_options.fold || suite_options.part,
               is_shown = failure && !is_folded(row, failure);
    good += !failure && !left_out;
    of_aspect++;
    if (!none_shown)
        show_heading(row);
    if (is_shown) {
        print_verdict(row, "FAILED");
        print_message(row, failure);
    }
    if (!failure && each)
        print_verdict(row, left_out ? "not run" : "ok");
    if (!each)
        tell_good(row);
    fflush(stdout);
}

static unsigned unproved; /* number of parts for which a premise fails */

/* Prints, after the last test of a part, at which lengths the premises of a proof were checked, or why it is only
 * tested. */
static enum suite_proof tell_proof(const struct suite_part *part, bool failed_one)
{
    char words[2048], lengths[2048] = "";
    struct suite_text text = suite_text(words, sizeof words), details = suite_text(lengths, sizeof lengths);
    const enum suite_proof outcome = suite_proof_tell(part, failed_one, &text, &details);
    if (!words[0])
        return outcome;
    unproved += outcome == SUITE_PROOF_FAILS;
    /* Without --prove, the printed failure already says it. */
    if (!suite_has_records() && !(failed_one && suite_options.fold && !suite_options.prove))
        suite_print(words, 2);
    if (!suite_has_records() && !suite_options.fold && lengths[0])
        suite_print(lengths, 4);
    words[strcspn(words, "\n")] = 0;
    suite_record_proof(part, words, lengths);
    return outcome;
}

/* After the last test of a part: a line for make progress, which grader/export/overview.py reads. */
static void tally(const struct suite_part *part, int good, int bad, enum suite_proof proof)
{
    static const char *const proofs[] = {
        [SUITE_PROOF_NONE] = "none", [SUITE_PROOF_FAILS] = "fails", [SUITE_PROOF_HOLDS] = "holds"};
    FILE *file = suite_options.tally ? fopen(suite_options.tally, "a") : NULL;
    if (!file)
        return;
    fprintf(file, "%lld\t%s\t%s\t%d\t%d\t%s\n", (long long)time(NULL), part->name,
            suite_options.prove ? "prove" : "test", good, bad, proofs[proof]);
    fclose(file);
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
    const struct suite_failure *failure = suite_failure();
    if (left_out) {
        not_run++;
        suite_record_not_run(running->part, running->test, "the points that it could decide are lost");
    } else if (failure) {
        failed++;
        suite_record_failed(running->part, running->test, seconds_since_start(), failure);
        suite_lost_note(running->part, running->test->aspect);
    } else {
        passed++;
        suite_record_passed(running->part, running->test, seconds_since_start());
    }
    if (!suite_has_records())
        print_result(running, failure);
    static bool failed_one;
    static struct {
        int passed, failed;
    } before; /* the running part */
    failed_one |= (failure || left_out) && running->test->aspect != EFFICIENT;
    if (running + 1 == rows + row_count || running[1].part != running->part) {
        if (!suite_has_records())
            tell_folded(running);
        tally(running->part, passed - before.passed, failed - before.failed,
              tell_proof(running->part, failed_one));
        before.passed = passed;
        before.failed = failed;
        suite_counts_tell(running->part);
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
    /* A person has enough other errors to fix; a reader of records may still want the meters. */
    if (suite_options.fold && running->test->aspect == EFFICIENT &&
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
static void tell_tested(void)
{
    for (size_t p = 0; p < suite_lab->count; p++) {
        const struct suite_part *part = suite_lab->parts[p];
        if (has_proof(part) || (suite_options.part && strcmp(suite_options.part, part->name) != 0) ||
            suite_is_listed(suite_options.left_out, part->name))
            continue;
        printf("\n%s\n", part->name);
        tell_proof(part, false);
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
    suite_record_end(passed, failed, not_run);
    if (without[0] && !suite_has_records())
        tell_without();
    if (suite_options.prove && !suite_options.on_cuda && !suite_has_records())
        tell_tested();
    if (!suite_has_records() && (row_count > 0 || !suite_options.prove))
        printf("\n%s: %d passed, %d failed\n", suite_lab->name, passed, failed);
    return failed > 0 || (suite_options.prove && unproved > 0) ? 1 : 0;
}
