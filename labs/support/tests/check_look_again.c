/* check_look_again.c: what is printed after a call has failed on a GPU and was repeated on the CPU device. The fake runner
 * stands for both devices: its mode on the GPU is a planted mistake, and its mode on the CPU device what that finds. */
#include "check_support.h"
#include "toy_run.h"
#include <string.h>

static int run_on_gpu(const char *on_gpu, const char *on_cpu, const char *call)
{
    toy_run(on_cpu, "--list"); /* makes its folder */
    return toy_run(on_gpu, "%s --device cuda --look-again %s/%s --again-runner %s/fake_runner", call,
                   toy_folder, on_cpu, programs);
}

static void must_say(const char *words)
{
    ck_assert_msg(strstr(toy_output, words) != NULL, "%s", toy_output);
}

static void must_not_say(const char *words)
{
    ck_assert_msg(strstr(toy_output, words) == NULL, "%s", toy_output);
}

/* A GPU shows a wrong result, and the CPU device the race behind it, with its line and a replay line without a GPU. */
START_TEST(a_wrong_result_of_a_gpu_is_explained_by_the_cpu_device)
{
    ck_assert_int_eq(run_on_gpu("skips-13", "race", "--part scan_toy --fold"), 1);
    must_say("      slot 13 holds ");
    must_say(" SEED=1 DEVICE=cuda\n"
             "      the same call on the CPU device:\n"
             "        toy.cu:31  scan_kernel: race on shared buffer[17]");
    must_say(" SEED=1\n");
    ck_assert_ptr_null(strstr(strstr(toy_output, "the CPU device:") + 1, "the CPU device"));
}
END_TEST

START_TEST(an_error_and_the_end_of_the_process_are_explained_too)
{
    static const char *const modes[] = {"error", "segfault"};
    for (int i = 0; i < 2; i++) {
        run_on_gpu(modes[i], "fault", "--show --part scan_toy --monoid sum --n 40");
        must_say("the same call on the CPU device:\n  toy.cu:");
    }
}
END_TEST

/* The call on the CPU device has the same length, input, shift and seed. */
START_TEST(it_is_the_same_call)
{
    run_on_gpu("skips-13", "skips-13",
               "--show --part scan_toy --monoid sum --n 40 --seed 7 --shift 1 --input sorted");
    must_say("first seen in: scan_toy on sum, 40 elements, sorted input, arrays off a 256-byte");
    must_say(" SEED=7 INPUT=");
}
END_TEST

START_TEST(a_call_that_is_right_on_the_cpu_device_is_said_to_be)
{
    run_on_gpu("skips-13", "right", "--part scan_toy --fold");
    must_say("      the same call on the CPU device: right, and without a finding, in three orders of its "
             "threads\n"
             "      how that can be: ");
}
END_TEST

START_TEST(a_result_that_depends_on_the_order_is_found_in_another_order)
{
    run_on_gpu("skips-13", "order-matters", "--part scan_toy --fold");
    must_say("the same call on the CPU device:\n");
    must_say(" ORDER=reverse\n");
}
END_TEST

START_TEST(a_call_that_the_cpu_device_cannot_make_is_named)
{
    run_on_gpu("lags", "right", "--show --part scan_toy --monoid sum --n 2200000");
    must_say("the same call on the CPU device: it is too long for it");
    toy_run("lags", "--show --part scan_toy --monoid sum --n 40 --device cuda --look-again /nowhere");
    must_say("the same call on the CPU device: it has no build for it\n");
}
END_TEST

/* Neither on the CPU device, nor when the call was right, nor without the option. */
START_TEST(other_calls_are_not_repeated)
{
    ck_assert_int_eq(run_on_gpu("right", "race", "--part scan_toy --fold"), 0);
    must_not_say("CPU device");
    toy_run("skips-13", "--part scan_toy --device cuda");
    must_not_say("CPU device");
    toy_run("skips-13", "--part scan_toy");
    must_not_say("CPU device");
    run_on_gpu("missing", "race", "--part scan_toy");
    must_not_say("CPU device");
}
END_TEST

Suite *look_again_suite(void)
{
    Suite *suite = suite_create("a second look");
    TCase *tcase = tcase_create("a second look");
    tcase_set_timeout(tcase, 300);
    tcase_add_checked_fixture(tcase, NULL, toy_end);
    tcase_add_test(tcase, a_wrong_result_of_a_gpu_is_explained_by_the_cpu_device);
    tcase_add_test(tcase, an_error_and_the_end_of_the_process_are_explained_too);
    tcase_add_test(tcase, it_is_the_same_call);
    tcase_add_test(tcase, a_call_that_is_right_on_the_cpu_device_is_said_to_be);
    tcase_add_test(tcase, a_result_that_depends_on_the_order_is_found_in_another_order);
    tcase_add_test(tcase, a_call_that_the_cpu_device_cannot_make_is_named);
    tcase_add_test(tcase, other_calls_are_not_repeated);
    suite_add_tcase(suite, tcase);
    return suite;
}
