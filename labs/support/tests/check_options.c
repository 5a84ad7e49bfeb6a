/* check_options.c: command lines that a suite refuses, and lengths that a contract excludes. */
#include "check_support.h"
#include "toy_run.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *arguments, *complaint;
} refusals[] = {
    {"--part scan_tiy",
     "check_toy: scan_tiy is no part of this lab; its parts are:\n    scan_toy\n    scan_other\n"
     "    scan_tile\n    scan_powers\n"},
    {"--seed x", "check_toy: SEED=x: that is no number from 0 to 18446744073709551615\n"},
    {"--seed -1", "check_toy: SEED=-1: that is no number from 0 to 18446744073709551615\n"},
    {"--seconds soon", "check_toy: --seconds=soon: that is no number from 0 to 1073741824\n"},
    {"--device tpu", "check_toy: --device is cpu or cuda\n"},
    {"--runner /nowhere", "check_toy: cannot run /nowhere\n"},
    {"--submission /nowhere", "check_toy: cannot read /nowhere/toy.sum.so: is the submission built?\n"},
    {"--tile 128", "check_toy: TILE=128: it is 64, 512 or 1024\n"},
    /* Traces and debuggers have builds of their own, with any tile. */
    {"--debug --show --part scan_toy --tile 8 --monoid max",
     "check_toy: scan_toy is not built for the monoid max with TILE=8, but for:\n    sum\n    float_sum\n    "
     "interval\n"},
    {"--show --part scan_toy --judge time", "check_toy: JUDGE=time: it is work, or left out\n"},
    {"--show --part scan_toy --tile 64 --monoid sum",
     "check_toy: scan_toy is not built for the monoid sum with TILE=64, but for:\n    interval\n"},
    {"--show", "check_toy: --show needs --part\n"},
    {"--show --part scan_other --monoid affine",
     "check_toy: scan_other is not built for the monoid affine, but for:\n    sum\n"},
    {"--show --part scan_toy --in-place 1", "check_toy: IN_PLACE=1: the contract has no call in place\n"},
    {"--show --part scan_toy --order sideways",
     "check_toy: ORDER=sideways: it is forward, reverse, random or lockstep\n"},
    {"--show --part scan_toy --shape 3x4", "check_toy: SHAPE=3x4: this lab has no images; it takes N\n"},
    {"--show --part scan_toy --resident 300", "check_toy: RESIDENT=300: that is no number from 0 to 256\n"},
    {"--show --part scan_toy --input odd",
     "check_toy: INPUT=odd: there is no such kind of input; there are:\n"
     "    random\n    sorted\n    reversed\n    equal\n    negative\n    extreme\n    sparse\n    series\n   "
     " marked\n"
     "    bad_middles\n    example\n"},
};

/* The chosen mode shows that no call is made. */
static const struct {
    const char *arguments, *complaint; /* null if the contract allows the length */
} asked[] = {
    {"--part scan_tile --n 1", NULL},
    {"--part scan_tile --n 512", NULL},
    {"--part scan_tile --n 0", "scan_tile does not allow n = 0: n is any length, 1 to 512 with TILE=512"},
    {"--part scan_tile --n 513", "scan_tile does not allow n = 513: n is any length, 1 to 512 with TILE=512"},
    {"--part scan_tile --n 64 --tile 64", NULL},
    {"--part scan_tile --n 65 --tile 64",
     "scan_tile does not allow n = 65: n is any length, 1 to 64 with TILE=64"},
    {"--part scan_tile --n 8589934592",
     "scan_tile does not allow n = 8589934592: n is any length, 1 to 512 with TILE=512"},
    {"--part scan_powers --n 1024", NULL},
    {"--part scan_powers --n 1",
     "scan_powers does not allow n = 1: n is a power of two, 2 to 1024 with TILE=512"},
    {"--part scan_powers --n 48",
     "scan_powers does not allow n = 48: n is a power of two, 2 to 1024 with TILE=512"},
    {"--part scan_powers --n 2048",
     "scan_powers does not allow n = 2048: n is a power of two, 2 to 1024 with TILE=512"},
    {"--part scan_other --n 0", NULL}, /* any length is allowed */
};

START_TEST(a_length_outside_the_contract_is_refused_before_the_call)
{
    char expected[256];
    int status = toy_run("garbage", "--show --monoid sum %s", asked[_i].arguments);
    if (!asked[_i].complaint) {
        ck_assert_int_eq(status, 1);
        ck_assert_msg(strstr(toy_output, "crashed: the submission broke the harness's own channel") != NULL,
                      "%s", toy_output);
        return;
    }
    snprintf(expected, sizeof expected, "check_toy: the contract of %s\n", asked[_i].complaint);
    ck_assert_str_eq(toy_output, expected);
    ck_assert_int_eq(status, 2);
}
END_TEST

START_TEST(a_faulty_command_line_is_refused)
{
    ck_assert_int_eq(toy_run("right", "%s", refusals[_i].arguments), 2);
    ck_assert_str_eq(toy_output, refusals[_i].complaint);
}
END_TEST

/* With only the builds of scan_tile in the folder, that part can be tested, but no other. */
START_TEST(a_part_needs_its_own_builds_only)
{
    toy_run("right", "--part scan_tile"); /* creates the folder */
    const char *builds[] = {"sum", "sum.64", "sum.1024"};
    char only[128], command[512];
    snprintf(only, sizeof only, "%s/only/right", toy_folder);
    for (size_t i = 0; i < sizeof builds / sizeof *builds; i++) {
        snprintf(command, sizeof command, "mkdir -p %s && touch %s/toy.%s.so", only, only, builds[i]);
        ck_assert_int_eq(system(command), 0);
    }
    ck_assert_msg(toy_run("right", "--submission %s --part scan_tile", only) == 0, "%s", toy_output);
    ck_assert_int_eq(toy_run("right", "--submission %s", only), 2);
    snprintf(command, sizeof command,
             "check_toy: cannot read %s/toy.float_sum.so: is the submission built?\n", only);
    ck_assert_str_eq(toy_output, command);
    snprintf(command, sizeof command, "%s/toy.sum.64.so", only);
    remove(command);
    ck_assert_int_eq(toy_run("right", "--submission %s --part scan_tile", only), 2);
    ck_assert_int_eq(toy_run("right", "--submission %s --part scan_tile --tile 512", only), 0);
}
END_TEST

START_TEST(a_test_of_a_build_that_is_not_there_is_no_failed_test)
{
    ck_assert_int_eq(toy_run("right", "--part scan_powers"), 2);
    ck_assert_msg(
        strstr(toy_output, "a test calls scan_powers on max with TILE=512, a build that is not there: ") &&
            strstr(toy_output, "; no fault of the code under test\n") && !strstr(toy_output, "FAILED"),
        "%s", toy_output);
}
END_TEST

/* The running call ends when the time is over, and later tests are not run. */
START_TEST(after_so_many_seconds_no_call_is_made)
{
    ck_assert_int_eq(toy_run("hang", "--seconds 1"), 1);
    const char *under_way =
        strstr(toy_output, "the harness itself failed: the 1 s that all calls may take are over");
    ck_assert_msg(under_way != NULL, "%s", toy_output);
    ck_assert_msg(
        strstr(under_way,
               "the harness itself failed: not run, because the 1 s that all calls may take are over"),
        "%s", toy_output);
    ck_assert_msg(!strstr(toy_output, "no answer"), "%s", toy_output);
    ck_assert_msg(strstr(toy_output, "toy_suite: 0 passed, "), "%s", toy_output);
    ck_assert_msg(toy_run("right", "--seconds 100 --part scan_tile") == 0, "%s", toy_output);
}
END_TEST

/* Each call stays within its own limit, but all of them together do not. */
START_TEST(all_calls_together_have_a_budget)
{
    ck_assert_int_eq(toy_run("slow", "--seed 1"), 1);
    ck_assert_msg(
        strstr(toy_output,
               "timed out: not run, because all calls together have executed more than their budget"),
        "%s", toy_output);
}
END_TEST

Suite *option_suite(void)
{
    Suite *suite = suite_create("command lines");
    TCase *tcase = tcase_create("command lines");
    tcase_set_timeout(tcase, 300);
    tcase_add_checked_fixture(tcase, NULL, toy_end);
    tcase_add_loop_test(tcase, a_length_outside_the_contract_is_refused_before_the_call, 0,
                        sizeof asked / sizeof *asked);
    tcase_add_loop_test(tcase, a_faulty_command_line_is_refused, 0, sizeof refusals / sizeof *refusals);
    tcase_add_test(tcase, after_so_many_seconds_no_call_is_made);
    tcase_add_test(tcase, all_calls_together_have_a_budget);
    tcase_add_test(tcase, a_part_needs_its_own_builds_only);
    tcase_add_test(tcase, a_test_of_a_build_that_is_not_there_is_no_failed_test);
    suite_add_tcase(suite, tcase);
    return suite;
}
