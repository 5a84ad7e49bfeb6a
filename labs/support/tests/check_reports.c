/* check_reports.c: the records of a suite, and what grader/judge/shown.py prints of them besides messages. */
#include "check_support.h"
#include "toy_run.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Runs the toy suite with --records, which are in toy_output afterwards. Returns its exit status. */
static int run_with_records(const char *mode, const char *options)
{
    return toy_run(mode, "%s --records 9 9>&1 >/dev/null", options);
}

/* With --fold, only a part's first failure is shown; the others, and the tests not judged, are counted. Without it,
 * each failure is shown. */
START_TEST(failures_beyond_the_first_of_a_part_are_folded)
{
    ck_assert_int_eq(toy_run("restarts-at-5", "--part scan_toy"), 1);
    const char *all = strdup(toy_output);
    ck_assert_msg(strstr(all, "not judged while") && !strstr(all, "V=1"), "%s", all);
    unsigned count = 0;
    for (const char *failure = all; (failure = strstr(failure, "  FAILED ")); failure++)
        count++;
    ck_assert_uint_gt(count, 2);
    ck_assert_int_eq(toy_run("restarts-at-5", "--part scan_toy --fold"), 1);
    const char *first = strstr(toy_output, "  FAILED ");
    ck_assert_msg(first && !strstr(first + 1, "  FAILED "), "%s", toy_output);
    ck_assert_msg(strstr(toy_output, "replay: make run LAB=9 PART=scan_toy"), "%s", toy_output);
    char words[64];
    snprintf(words, sizeof words, "\n  %u more tests of it fail; V=1 shows them\n", count - 1);
    ck_assert_msg(strstr(toy_output, words) != NULL, "%s in %s", words, toy_output);
    free((char *)all);
}
END_TEST

/* A runner that was ended from outside once is replaced, and the part loses no points. */
START_TEST(a_runner_that_was_ended_once_is_tried_again)
{
    ck_assert_int_eq(toy_run("ended-once", "--part scan_toy"), 0);
    ck_assert_msg(!strstr(toy_output, "FAILED"), "%s", toy_output);
}
END_TEST

START_TEST(a_runner_that_is_ended_each_time_is_the_harness_s_fault)
{
    ck_assert_int_eq(run_with_records("ended", "--part scan_toy"), 1);
    const char *fault = strstr(toy_output, "\"kind\": \"harness fault\"");
    ck_assert_msg(fault && !strstr(toy_output, "\"kind\": \"crashed\""), "%s", toy_output);
    ck_assert_msg(strstr(toy_output, "something outside ended the process twice"), "%s", toy_output);
}
END_TEST

/* The memory limit belongs to the grading, so a part that reaches it has crashed. */
START_TEST(a_runner_that_was_ended_for_its_own_memory_has_crashed)
{
    char events[128];
    snprintf(events, sizeof events, "/tmp/toy_run.%d/ended-and-over-memory/events", (int)getpid());
    ck_assert_int_eq(toy_run("ended-and-over-memory", "--part scan_toy --events %s", events), 1);
    ck_assert_msg(strstr(toy_output, "crashed: the submission ended the process (signal 9 (Killed))"), "%s",
                  toy_output);
}
END_TEST

/* After a write to a full disk fails, the submission must not look as if it had no failures. */
START_TEST(a_suite_that_cannot_write_what_it_found_ends_with_status_2)
{
    ck_assert_int_eq(toy_run("right", "--records 9 9>/dev/full"), 2);
    ck_assert_msg(strstr(toy_output, "cannot write what it found: No space left on device"), "%s",
                  toy_output);
    ck_assert_int_eq(toy_run("right", "--records 9 9>&-"), 2);
    ck_assert_str_eq(toy_output, "check_toy: --records 9: no open descriptor\n");
    ck_assert_int_eq(toy_run("right", "--records 9 9>/dev/null"), 0);
    ck_assert_str_eq(toy_output, "");
}
END_TEST

/* With --fold and more than one part, the passed tests of an aspect share a line. */
START_TEST(tests_that_pass_are_counted)
{
    ck_assert_int_eq(toy_run("right", "--fold"), 0);
    ck_assert_msg(
        strstr(toy_output, "\nscan_toy\n  ok     correct    11 tests\n  ok     clean      5 tests\n"), "%s",
        toy_output);
    ck_assert_msg(!strstr(toy_output, "joins the right inputs"), "%s", toy_output);
    ck_assert_int_eq(toy_run("restarts-at-5", "--fold"), 1);
    ck_assert_msg(strstr(toy_output, "\n  ok     correct    5 of 9 tests\n"), "%s", toy_output);
    ck_assert_int_eq(toy_run("right", "--fold --part scan_toy"), 0);
    ck_assert_msg(strstr(toy_output, "  ok     correct    joins the right inputs at every length\n"), "%s",
                  toy_output);
}
END_TEST

/* With --fold, a file without any results gets a few lines: where to begin, one failure, and one line for the other
 * parts. A part has a result if it ran a kernel, wrote zeros or was right once. */
START_TEST(parts_without_a_result_share_a_line)
{
    ck_assert_int_eq(toy_run("untouched", "--fold --lab-file student/toy.cu"), 1);
    const char *first = strstr(toy_output, "  FAILED ");
    ck_assert_msg(strncmp(toy_output, "\nscan_toy\n  no result yet: begin here, in student/toy.cu\n  FAILED ",
                          60) == 0 &&
                      !strstr(first + 1, "  FAILED "),
                  "%s", toy_output);
    ck_assert_msg(strstr(toy_output, "\n\nno result yet either: scan_other, scan_tile, scan_powers (") !=
                      NULL,
                  "%s", toy_output);
    const char *written[] = {"runs-in-vain", "zeros", "once"};
    for (size_t i = 0; i < sizeof written / sizeof *written; i++) {
        ck_assert_int_eq(toy_run(written[i], "--fold"), 1);
        ck_assert_msg(!strstr(toy_output, "no result yet") && strstr(toy_output, "\nscan_other\n"), "%s: %s",
                      written[i], toy_output);
    }
}
END_TEST

/* With --fold, one cause has one message: a test that fails for a finding that was already shown is only counted. */
START_TEST(a_finding_is_explained_once)
{
    static const char first[] = "  FAILED clean      is clean at every length\n"
                                "      toy.cu:31  scan_kernel: race on shared buffer[17]\n",
                      words[] = "thread 18 reads it at line 29";
    ck_assert_int_eq(toy_run("race-and-wrong", "--part scan_toy"), 1);
    const char *whole = strstr(toy_output, words), *again = strstr(toy_output, first);
    ck_assert_msg(whole && again && whole < again && strstr(again, words), "%s", toy_output);
    ck_assert_int_eq(toy_run("race-and-wrong", "--part scan_toy --fold"), 1);
    whole = strstr(toy_output, words);
    ck_assert_msg(whole && !strstr(whole + 1, words) && !strstr(toy_output, first), "%s", toy_output);
    ck_assert_int_eq(toy_run("race", "--part scan_toy --fold"), 1);
    ck_assert_msg(strstr(toy_output, first) != NULL, "%s", toy_output);
}
END_TEST

/* A part that is not correct earns no points for efficiency, so nothing is said about its meters. */
START_TEST(efficiency_is_judged_of_correct_parts_only)
{
    static const char row[] =
        "stays within the bounds of the contract\n      not judged while the result is wrong\n";
    ck_assert_int_eq(toy_run("skips-13", "--part scan_toy"), 1);
    ck_assert_msg(strstr(toy_output, row) != NULL, "%s", toy_output);
    ck_assert_int_eq(toy_run("skips-13", "--part scan_toy --fold"), 1);
    ck_assert_msg(!strstr(toy_output, "efficient"), "%s", toy_output);
    ck_assert_int_eq(toy_run("wasteful", "--part scan_toy"), 1);
    ck_assert_msg(strstr(toy_output, "combines: 330 counted") != NULL, "%s", toy_output);
}
END_TEST

START_TEST(parts_that_are_left_out_are_not_tested)
{
    ck_assert_int_eq(toy_run("right", "--leave-out scan_toy,scan_powers,scan_tiles"), 0);
    ck_assert_msg(!strstr(toy_output, "\nscan_toy\n") && !strstr(toy_output, "\nscan_powers\n"), "%s",
                  toy_output);
    ck_assert_msg(strstr(toy_output, "\nscan_other\n") && strstr(toy_output, "\nscan_tile\n"), "%s",
                  toy_output);
}
END_TEST

/* Counts the records of this kind of tests of this aspect. */
static unsigned count_records(const char *record, const char *aspect)
{
    char head[64], word[64];
    unsigned count = 0;
    snprintf(head, sizeof head, "{\"record\": \"%s\", \"part\": \"scan_toy\"", record);
    snprintf(word, sizeof word, "\"aspect\": \"%s\"", aspect);
    for (const char *line = toy_output; (line = strstr(line, head)); line++)
        count += strncmp(line + strlen(head) + 2, word, strlen(word)) == 0;
    return count;
}

/* With --enough, tests that can no longer decide anything are reported as not run, and without it all tests run.
 * With --lost, this holds for the tests whose points another suite has decided. */
START_TEST(tests_of_points_that_are_lost_do_not_run)
{
    static const struct {
        const char *options, *aspect;
        unsigned ran; /* of the failures */
    } rows[] = {
        {"--enough 2", "correct", 2},
        {"--enough 3", "correct", 3},
        {"--enough 2", "clean", 2},
        {"--enough 2", "efficient", 0}, /* the part is not correct */
        {"--lost scan_toy:clean,scan_other:correct", "clean", 0},
        {"--lost scan_toy:correct", "clean", 0},
        {"--lost scan_toy:correct", "correct", 0},
    };
    ck_assert_int_eq(run_with_records("swapped", "--part scan_toy"), 1);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        ck_assert_msg(count_records("failed", rows[i].aspect) > 0 &&
                          count_records("not run", rows[i].aspect) == 0,
                      "%s", toy_output);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char options[128];
        snprintf(options, sizeof options, "--part scan_toy %s", rows[i].options);
        run_with_records("swapped", options);
        ck_assert_uint_eq(count_records("failed", rows[i].aspect), rows[i].ran);
        ck_assert_uint_gt(count_records("not run", rows[i].aspect), 0);
        ck_assert_uint_eq(count_records("planned", rows[i].aspect),
                          count_records("started", rows[i].aspect) +
                              count_records("not run", rows[i].aspect));
    }
    ck_assert_int_eq(run_with_records("right", "--part scan_toy --enough 1 --lost scan_other:correct"), 0);
    ck_assert_ptr_null(strstr(toy_output, "{\"record\": \"not run\""));
    ck_assert_int_eq(toy_run("swapped", "--part scan_toy --lost scan_toy:correct"), 0);
    ck_assert_msg(strstr(toy_output, "\n  not run correct") && !strstr(toy_output, "FAILED"), "%s",
                  toy_output);
}
END_TEST

/* All tests are planned before the first one starts; each that starts ends; and the last record has the numbers. */
START_TEST(records_are_the_plan_the_tests_and_the_end)
{
    static const char *const kinds[] = {"planned", "started", "passed", "failed", "meter", "proof", "end"};
    char order[256] = "";
    size_t used = 0;
    ck_assert_int_eq(run_with_records("race", "--part scan_other"), 1);
    for (char *line = strtok(toy_output, "\n"); line; line = strtok(NULL, "\n")) {
        size_t k = 0;
        while (k < sizeof kinds / sizeof *kinds && strncmp(line + 12, kinds[k], strlen(kinds[k])) != 0)
            k++;
        ck_assert_msg(k < sizeof kinds / sizeof *kinds && used + 1 < sizeof order, "%s", line);
        order[used++] = kinds[k][k == 0]; /* l s p f m p e */
    }
    ck_assert_str_eq(order, "lllllllllllllspspspspspspspspspsfsfsfsfpe");
}
END_TEST

START_TEST(meters_are_those_of_the_longest_call_or_past_the_bound)
{
    static const char words[] =
        "{\"record\": \"meter\", \"part\": \"scan_toy\", \"name\": \"combines\", \"counted\": %u, "
        "\"most\": 32, \"size\": \"33\", \"formula\": \"n - 1\"}\n";
    static const char *const modes[] = {"right", "wasteful"};
    static const unsigned counted[] = {32, 330};
    char record[256];
    for (size_t i = 0; i < 2; i++) {
        run_with_records(modes[i], "--part scan_toy");
        snprintf(record, sizeof record, words, counted[i]);
        ck_assert_msg(strstr(toy_output, record) != NULL, "%s", toy_output);
    }
}
END_TEST

Suite *report_suite(void)
{
    Suite *suite = suite_create("reports");
    TCase *tcase = tcase_create("reports");
    tcase_set_timeout(tcase, 300);
    tcase_add_checked_fixture(tcase, NULL, toy_end);
    tcase_add_test(tcase, failures_beyond_the_first_of_a_part_are_folded);
    tcase_add_test(tcase, a_suite_that_cannot_write_what_it_found_ends_with_status_2);
    tcase_add_test(tcase, tests_that_pass_are_counted);
    tcase_add_test(tcase, a_runner_that_was_ended_once_is_tried_again);
    tcase_add_test(tcase, a_runner_that_is_ended_each_time_is_the_harness_s_fault);
    tcase_add_test(tcase, a_runner_that_was_ended_for_its_own_memory_has_crashed);
    tcase_add_test(tcase, parts_without_a_result_share_a_line);
    tcase_add_test(tcase, a_finding_is_explained_once);
    tcase_add_test(tcase, efficiency_is_judged_of_correct_parts_only);
    tcase_add_test(tcase, parts_that_are_left_out_are_not_tested);
    tcase_add_test(tcase, tests_of_points_that_are_lost_do_not_run);
    tcase_add_test(tcase, records_are_the_plan_the_tests_and_the_end);
    tcase_add_test(tcase, meters_are_those_of_the_longest_call_or_past_the_bound);
    suite_add_tcase(suite, tcase);
    return suite;
}
