/* check_show.c: the one call that --show makes and prints. */
#include "check_support.h"
#include "toy_run.h"
#include <string.h>

/* The memory is no larger than the calls need, because a submission may fill all of it. */
START_TEST(a_runner_has_the_memory_that_its_call_needs)
{
    toy_run("prints-its-memory", "--show --part scan_toy --monoid sum --n 60");
    ck_assert_msg(strstr(toy_output, "could not be made: 64 MiB for arrays") != NULL, "%s", toy_output);
    toy_run("prints-its-memory", "--show --part scan_toy --monoid sum --n 10000000");
    ck_assert_msg(strstr(toy_output, "could not be made: 128 MiB for arrays") != NULL, "%s", toy_output);
}
END_TEST

START_TEST(show_prints_columns_and_marks_what_is_wrong)
{
    ck_assert_int_eq(toy_run("restarts-at-5", "--show --part scan_toy --monoid interval --n 8 --seed 2"), 1);
    ck_assert_str_eq(toy_output, "LAB=9 PART=scan_toy MONOID=interval N=8 SEED=2\n"
                                 "      slot      in     out  expected\n"
                                 "         0  [0..0]  [0..0]    [0..0]\n"
                                 "         1  [1..1]  [0..1]    [0..1]\n"
                                 "         2  [2..2]  [0..2]    [0..2]\n"
                                 "         3  [3..3]  [0..3]    [0..3]\n"
                                 "         4  [4..4]  [0..4]    [0..4]\n"
                                 "         5  [5..5]  [5..5]    [0..5]  <- first wrong slot\n"
                                 "         6  [6..6]  [5..6]    [0..6]  <-\n"
                                 "         7  [7..7]  [5..7]    [0..7]  <-\n"
                                 "meters: combines 7\n"
                                 "wrong: slot 5 holds [5..5], expected [0..5]\n"
                                 "       3 of 8 slots are wrong: 5 to 7\n"
                                 "       elements 0 to 4 are missing at the front\n");
}
END_TEST

START_TEST(show_keeps_to_the_neighbourhood_of_a_long_table)
{
    ck_assert_int_eq(toy_run("lags", "--show --part scan_toy --monoid interval --n 60"), 1);
    ck_assert_msg(strstr(toy_output, "         8    [8..8]   [0..8]    [0..8]\n"
                                     "       ...\n"
                                     "        54  [54..54]  [0..54]   [0..54]\n") != NULL,
                  "%s", toy_output);
    ck_assert_msg(strstr(toy_output, "15 of 60 slots are wrong: 3 to 59 in steps of 4\n") != NULL, "%s",
                  toy_output);
}
END_TEST

START_TEST(show_understands_a_whole_replay_line)
{
    static const char line[] =
        "LAB=9 PART=scan_toy MONOID=sum N=5 SEED=4 INPUT=sorted SHIFT=1 ORDER=random RESIDENT=2\n";
    ck_assert_int_eq(toy_run("right",
                             "--show --part scan_toy --monoid sum --n 5 --seed 4 --input sorted --shift 1"
                             " --order random --resident 2"),
                     0);
    ck_assert_int_eq(strncmp(toy_output, line, strlen(line)), 0);
}
END_TEST

/* A result that one thread computed alone is right, but the replay line of that failure asks for the sharing too. */
START_TEST(a_replay_judges_what_failed)
{
    static const char call[] = "--show --part scan_toy --monoid interval --n 300 --order random";
    ck_assert_int_eq(toy_run("one-thread-joins", "%s", call), 0);
    ck_assert_int_eq(toy_run("one-thread-joins", "%s --judge work", call), 1);
    ck_assert_msg(strstr(toy_output, "wrong: one thread does the work: 299 of 299") != NULL, "%s",
                  toy_output);
    ck_assert_int_eq(toy_run("lazy", "--show --part scan_toy --monoid sum --n 33 --judge work"), 1);
    ck_assert_msg(strstr(toy_output, "wrong: combines: 0 counted, at least 32 are needed") != NULL, "%s",
                  toy_output);
    ck_assert_int_eq(toy_run("right", "%s --judge work", call), 0);
    ck_assert_msg(strstr(toy_output, "\nright on this input\n") != NULL, "%s", toy_output);
}
END_TEST

Suite *show_suite(void)
{
    Suite *suite = suite_create("one call shown");
    TCase *tcase = tcase_create("one call shown");
    tcase_set_timeout(tcase, 300);
    tcase_add_checked_fixture(tcase, NULL, toy_end);
    tcase_add_test(tcase, a_runner_has_the_memory_that_its_call_needs);
    tcase_add_test(tcase, show_prints_columns_and_marks_what_is_wrong);
    tcase_add_test(tcase, show_keeps_to_the_neighbourhood_of_a_long_table);
    tcase_add_test(tcase, show_understands_a_whole_replay_line);
    tcase_add_test(tcase, a_replay_judges_what_failed);
    suite_add_tcase(suite, tcase);
    return suite;
}
