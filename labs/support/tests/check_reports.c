/* check_reports.c: what a suite writes besides its messages: folded failures, XML, progress and counts. */
#include "check_support.h"
#include "toy_run.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void read_file(const char *path)
{
    FILE *file = fopen(path, "r");
    ck_assert_ptr_nonnull(file);
    toy_output[fread(toy_output, 1, sizeof toy_output - 1, file)] = 0;
    fclose(file);
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
    char record[128];
    snprintf(record, sizeof record, "/tmp/toy_failures.%d", (int)getpid());
    ck_assert_int_eq(toy_run("ended", "--part scan_toy --failures %s --xml /dev/null", record), 1);
    read_file(record);
    unlink(record);
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

/* After a write to a full disk fails, the submission must not look as if it had no failures or counts. */
START_TEST(a_suite_that_cannot_write_what_it_found_ends_with_status_2)
{
    static const char *const options[] = {"--failures", "--counts"};
    const char *mode = _i == 0 ? "restarts-at-5" : "right";
    ck_assert_int_eq(toy_run(mode, "--xml /dev/null %s /dev/full", options[_i]), 2);
    ck_assert_msg(strstr(toy_output, "cannot write what it found: No space left on device"), "%s",
                  toy_output);
    ck_assert_int_eq(toy_run(mode, "--xml /dev/null %s /nowhere/file", options[_i]), 2);
    ck_assert_int_eq(toy_run(mode, "--xml /dev/null %s /dev/null", options[_i]), _i == 0);
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

/* Counts the tests of this aspect, and those that did not run, in the --failures of scan_toy. */
static void count_failures(const char *path, const char *aspect, unsigned *failures, unsigned *not_run)
{
    char word[64];
    snprintf(word, sizeof word, "\"aspect\": \"%s\"", aspect);
    *failures = *not_run = 0;
    read_file(path);
    for (char *line = strtok(toy_output, "\n"); line; line = strtok(NULL, "\n")) {
        *failures += strstr(line, word) != NULL;
        *not_run += strstr(line, word) && strstr(line, "\"kind\": \"not run\"");
    }
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
    char path[512];
    toy_run("right", "--part scan_toy"); /* creates the folder */
    snprintf(path, sizeof path, "%s/failures", toy_folder);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        unsigned failures, not_run, all;
        remove(path);
        toy_run("swapped", "--part scan_toy --failures %s", path);
        count_failures(path, rows[i].aspect, &all, &not_run);
        ck_assert_msg(all > 0 && not_run == 0, "%s: %u, %u", rows[i].aspect, all, not_run);
        remove(path);
        ck_assert_int_eq(toy_run("swapped", "--part scan_toy --failures %s %s", path, rows[i].options), 1);
        count_failures(path, rows[i].aspect, &failures, &not_run);
        ck_assert_msg(failures >= all && failures - not_run == rows[i].ran && not_run > 0,
                      "%s %s: %u of %u not run", rows[i].options, rows[i].aspect, not_run, failures);
    }
    remove(path);
    ck_assert_int_eq(
        toy_run("right", "--part scan_toy --enough 1 --lost scan_other:correct --failures %s", path), 0);
}
END_TEST

START_TEST(xml_has_a_row_a_test_and_the_message)
{
    char path[512];
    toy_run("right", "--part scan_toy"); /* creates the folder */
    snprintf(path, sizeof path, "%s/out.xml", toy_folder);
    ck_assert_int_eq(toy_run("swapped", "--part scan_toy --xml %s", path), 1);
    ck_assert_str_eq(toy_output, "");
    read_file(path);
    ck_assert_ptr_nonnull(strstr(toy_output, "<id>joins_the_right_inputs_at_every_length</id>"));
    ck_assert_ptr_nonnull(strstr(toy_output, "<description>scan_toy correct</description>"));
    ck_assert_ptr_nonnull(strstr(toy_output, "<message>slot 1 joins ranges in the wrong order"));
    ck_assert_ptr_nonnull(
        strstr(toy_output, "&#xA;replay: make run LAB=9 PART=scan_toy MONOID=interval N=2 SEED=1</message>"));
}
END_TEST

START_TEST(progress_tells_total_and_every_test)
{
    char path[512];
    toy_run("right", "--part scan_toy");
    snprintf(path, sizeof path, "%s/progress", toy_folder);
    toy_run("race", "--part scan_other --progress 9 9>%s", path);
    read_file(path);
    ck_assert_str_eq(toy_output,
                     "total\t13\n"
                     "passed\tscan_other correct\tis_right_at_every_length_up_to_two_small_tiles\n"
                     "passed\tscan_other correct\tis_right_with_thousands_of_tiles\n"
                     "passed\tscan_other correct\tequals_a_plain_loop_on_random_values\n"
                     "passed\tscan_other correct\tequals_a_plain_loop_on_sorted_equal_and_extreme_values\n"
                     "passed\tscan_other correct\tholds_for_marks_and_extremes_at_every_telling_place\n"
                     "passed\tscan_other correct\tneeds_no_more_alignment_than_an_element\n"
                     "passed\tscan_other correct\tdoes_not_depend_on_earlier_calls\n"
                     "passed\tscan_other correct\tdoes_not_depend_on_the_order_of_threads\n"
                     "passed\tscan_other correct\tis_right_and_shared_by_many_threads\n"
                     "failed\tscan_other clean\tis_clean_at_every_length\n"
                     "failed\tscan_other clean\tis_clean_in_thread_order\n"
                     "failed\tscan_other clean\tis_clean_in_reverse_order\n"
                     "failed\tscan_other clean\tis_clean_in_random_orders\n");
}
END_TEST

START_TEST(counts_are_those_of_the_longest_call_or_past_the_bound)
{
    char path[512];
    toy_run("right", "--part scan_toy");
    snprintf(path, sizeof path, "%s/counts", toy_folder);
    ck_assert_int_eq(toy_run("right", "--part scan_toy --counts %s", path), 0);
    read_file(path);
    ck_assert_str_eq(toy_output, "scan_toy\tcombines\t32\t32\t33\tn - 1\n");
    remove(path);
    toy_run("wasteful", "--part scan_toy --counts %s", path);
    read_file(path);
    ck_assert_str_eq(toy_output, "scan_toy\tcombines\t330\t32\t33\tn - 1\n");
}
END_TEST

Suite *report_suite(void)
{
    Suite *suite = suite_create("reports");
    TCase *tcase = tcase_create("reports");
    tcase_set_timeout(tcase, 300);
    tcase_add_checked_fixture(tcase, NULL, toy_end);
    tcase_add_test(tcase, failures_beyond_the_first_of_a_part_are_folded);
    tcase_add_loop_test(tcase, a_suite_that_cannot_write_what_it_found_ends_with_status_2, 0, 2);
    tcase_add_test(tcase, tests_that_pass_are_counted);
    tcase_add_test(tcase, a_runner_that_was_ended_once_is_tried_again);
    tcase_add_test(tcase, a_runner_that_is_ended_each_time_is_the_harness_s_fault);
    tcase_add_test(tcase, a_runner_that_was_ended_for_its_own_memory_has_crashed);
    tcase_add_test(tcase, parts_without_a_result_share_a_line);
    tcase_add_test(tcase, a_finding_is_explained_once);
    tcase_add_test(tcase, efficiency_is_judged_of_correct_parts_only);
    tcase_add_test(tcase, parts_that_are_left_out_are_not_tested);
    tcase_add_test(tcase, tests_of_points_that_are_lost_do_not_run);
    tcase_add_test(tcase, xml_has_a_row_a_test_and_the_message);
    tcase_add_test(tcase, progress_tells_total_and_every_test);
    tcase_add_test(tcase, counts_are_those_of_the_longest_call_or_past_the_bound);
    suite_add_tcase(suite, tcase);
    return suite;
}
