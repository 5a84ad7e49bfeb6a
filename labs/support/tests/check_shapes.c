/* check_shapes.c: the output of a suite of images and the files that it saves. It runs toy_images with fake_runner. */
#include "check_support.h"
#include "npy.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[64];
static char output[1 << 15];

static void name_folder(void)
{
    snprintf(folder, sizeof folder, "/tmp/check_shapes.%d", (int)getpid());
    mkdir(folder, 0700);
}

static void remove_folder(void)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    if (system(command) != 0)
        ck_abort_msg("cannot remove %s", folder);
}

/* Runs toy_images with a mode of fake_runner, keeps its output and returns its exit status. */
static int run(const char *mode, const char *options)
{
    char command[4096];
    snprintf(command, sizeof command,
             "mkdir -p %s/%s && (cd %s/%s && touch toy.sum.so toy.interval.so toy.interval.64.so "
             "toy.interval.1024.so) &&"
             " %s/../venv/bin/python -m grader.judge.shown %s/toy_images --runner %s/fake_runner "
             "--submission %s/%s %s 2>&1",
             folder, mode, folder, mode, programs, programs, programs, folder, mode, options);
    FILE *pipe = popen(command, "r");
    ck_assert_ptr_nonnull(pipe);
    output[fread(output, 1, sizeof output - 1, pipe)] = 0;
    int status = pclose(pipe);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

#define ck_assert_said(words) ck_assert_msg(strstr(output, words) != NULL, "%s", output)

START_TEST(a_mistake_is_told_by_row_and_column)
{
    ck_assert_int_eq(run("restarts-at-5", ""), 1);
    ck_assert_said(
        "      row 1, column 2 holds [5..5], expected [0..5]\n"
        "          in: scan_toy on interval, 2x3 elements\n"
        "          1 of 6 elements is wrong\n"
        "          all sizes before it are right, the last was 1x1\n"
        "          in        [0..0]   [1..1]   [2..2] / [3..3]   [4..4]    [5..5]\n"
        "          expected  [0..0]   [0..1]   [0..2] / [0..3]   [0..4]    [0..5]\n"
        "          out       [0..0]   [0..1]   [0..2] / [0..3]   [0..4]   [5..5]*     (* is wrong)\n"
        "      replay: make run LAB=9 PART=scan_toy MONOID=interval SHAPE=2x3 SEED=1\n");
}
END_TEST

START_TEST(wrong_elements_are_told_by_their_area)
{
    ck_assert_int_eq(run("restarts-at-5", "--show --part scan_toy --monoid sum --shape 4x4"), 1);
    ck_assert_said("\n       11 of 16 elements are wrong: rows 1 to 3, columns 0 to 3\n");
    ck_assert_int_eq(run("lags", "--show --part scan_toy --monoid interval --shape 4x4"), 1);
    ck_assert_said("\n       4 of 16 elements are wrong: rows 0 to 3, column 3\n");
}
END_TEST

START_TEST(an_input_that_changed_is_told_by_row_and_column)
{
    ck_assert_int_eq(run("spoils-input", "--show --part scan_toy --monoid interval --shape 4x5"), 1);
    ck_assert_said("in: row 1, column 2 was changed from [7..7] to nothing: an input must stay as it is\n");
}
END_TEST

START_TEST(a_right_submission_passes_everything)
{
    ck_assert_msg(run("right", "--seed 77") == 0, "%s", output);
}
END_TEST

START_TEST(small_images_are_shown_as_they_lie)
{
    ck_assert_int_eq(run("restarts-at-5", "--show --part scan_toy --monoid interval --shape 2x3"), 1);
    ck_assert_said("LAB=9 PART=scan_toy MONOID=interval SHAPE=2x3 SEED=1\n"
                   "elements 6\n"
                   "in\n"
                   " [0..0]  [1..1]  [2..2]\n"
                   " [3..3]  [4..4]  [5..5]\n"
                   "out, * where it is wrong\n"
                   " [0..0]  [0..1]  [0..2]\n"
                   " [0..3]  [0..4]  [5..5]*\n"
                   "out as expected\n"
                   " [0..0]  [0..1]  [0..2]\n"
                   " [0..3]  [0..4]  [0..5]\n");
}
END_TEST

START_TEST(wide_images_are_shown_by_place)
{
    ck_assert_int_eq(run("right", "--show --part scan_toy --monoid interval --shape 2x50"), 0);
    ck_assert_said("\n      1,49  [99..99]  [0..99]   [0..99]\n");
}
END_TEST

START_TEST(a_length_is_one_row)
{
    ck_assert_int_eq(run("right", "--show --part scan_toy --monoid sum --n 7"), 0);
    ck_assert_said("LAB=9 PART=scan_toy MONOID=sum SHAPE=1x7 SEED=1\n");
}
END_TEST

static const char *const no_shapes[] = {"", "3", "3x", "x3", "3x4x5", "3X4", "-1x4", "4294967296x1", "3x 4"};

START_TEST(what_is_no_shape_is_refused)
{
    char options[128], words[128];
    snprintf(options, sizeof options, "--show --part scan_toy --shape '%s'", no_shapes[_i]);
    snprintf(words, sizeof words, "check_toy: SHAPE=%s: that is not ROWSxCOLUMNS\n", no_shapes[_i]);
    ck_assert_int_eq(run("right", options), 2);
    ck_assert_said(words);
}
END_TEST

START_TEST(arrays_are_saved_as_files)
{
    char options[256], file[128], why[256];
    struct npy npy;
    snprintf(options, sizeof options, "--show --part scan_toy --monoid sum --shape 2x3 --save %s", folder);
    ck_assert_int_eq(run("right", options), 0);
    snprintf(file, sizeof file, "%s/scan_toy-out.npy", folder);
    ck_assert_msg(npy_read(file, &npy, why, sizeof why), "%s", why);
    ck_assert_uint_eq(npy.rows, 2);
    ck_assert_uint_eq(npy.columns, 3);
    npy_free(&npy);
    ck_assert_int_eq(run("right", "--show --part scan_toy --monoid sum --shape 2x3 --save /nowhere"), 2);
    ck_assert_said("/nowhere/scan_toy-in.npy: No such file or directory\n");
}
END_TEST

Suite *shape_suite(void)
{
    Suite *suite = suite_create("shapes");
    TCase *tcase = tcase_create("shapes");
    tcase_set_timeout(tcase, 120);
    tcase_add_checked_fixture(tcase, name_folder, remove_folder);
    tcase_add_test(tcase, a_mistake_is_told_by_row_and_column);
    tcase_add_test(tcase, wrong_elements_are_told_by_their_area);
    tcase_add_test(tcase, an_input_that_changed_is_told_by_row_and_column);
    tcase_add_test(tcase, a_right_submission_passes_everything);
    tcase_add_test(tcase, small_images_are_shown_as_they_lie);
    tcase_add_test(tcase, wide_images_are_shown_by_place);
    tcase_add_test(tcase, a_length_is_one_row);
    tcase_add_loop_test(tcase, what_is_no_shape_is_refused, 0, sizeof no_shapes / sizeof *no_shapes);
    tcase_add_test(tcase, arrays_are_saved_as_files);
    suite_add_tcase(suite, tcase);
    return suite;
}
