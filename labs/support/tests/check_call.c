/* check_call.c: calls of runners that crash, hang or lie, and of an honest one. */
#include "check_support.h"
#include "call.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MEMORY = 1 << 16 };

static struct call_runner *runner;
static struct call_reply reply;
static char why[256];

static void stop(void)
{
    call_stop(runner);
    runner = NULL;
}

static void start_behind(const char *const *sandbox, const char *mode)
{
    static char program[4096], library[256];
    struct call_options options = {
        .runner = program, .sandbox = sandbox, .library = library, .memory = MEMORY};
    snprintf(program, sizeof program, "%s/fake_runner", programs);
    snprintf(library, sizeof library, "/nowhere.%d/%s/toy.sum.so", (int)getpid(), mode);
    runner = call_start(&options, why, sizeof why);
    ck_assert_ptr_nonnull(runner);
}

static void start(const char *mode)
{
    start_behind(NULL, mode);
}

/* Makes one call without arguments, for modes that end before they read any. */
static enum call_outcome perform(double seconds)
{
    struct call_request request = {.part = "scan_toy"};
    memset(&reply, 0x77, sizeof reply);
    return call_perform(runner, &request, seconds, &reply, why, sizeof why);
}

static const struct {
    const char *mode;
    enum call_outcome outcome;
    const char *why;
} failures[] = {
    {"exit0-early", CALL_CRASHED, "exit status 0"},
    {"exit0", CALL_CRASHED, "exit status 0"},
    {"exit3", CALL_CRASHED, "exit status 3"},
    {"segfault", CALL_CRASHED, "signal 11 (Segmentation fault)"},
    {"ended", CALL_ENDED, "signal 9 (Killed)"},
    {"terminated", CALL_ENDED, "signal 15 (Terminated)"},
    {"ended-slowly", CALL_ENDED, "signal 9 (Killed)"}, /* as on a busy machine, through a sandbox */
    {"leave-child", CALL_CRASHED, "exit status 0"},
    {"hang-early", CALL_TIMED_OUT, "signal 9 (Killed)"},
    {"hang", CALL_TIMED_OUT, "signal 9 (Killed)"},
    {"print-forever", CALL_TIMED_OUT, "signal 9 (Killed)"},
    {"close-and-hang", CALL_NONSENSE, "it was closed"},
    {"garbage", CALL_NONSENSE, "a message of 12 bytes that is no reply"},
    {"done-early", CALL_NONSENSE, "a first message that does not say whether the library is loaded"},
    {"ready-again", CALL_NONSENSE, "a reply with status 1"},
};

START_TEST(a_failing_runner_is_an_outcome)
{
    start(failures[_i].mode);
    ck_assert_int_eq(perform(failures[_i].outcome == CALL_TIMED_OUT ? 0.3 : 20), failures[_i].outcome);
    ck_assert_str_eq(why, failures[_i].why);
}
END_TEST

/* Replies of about the right length with something false in them. */
static const char *const lies[] = {"truncated",         "wrong-nonce",     "wrong-status",  "two-replies",
                                   "too-many-findings", "too-many-sides",  "no-rule",       "no-act",
                                   "no-kind",           "too-many-meters", "too-many-lines"};

START_TEST(a_reply_that_lies_is_nonsense)
{
    char expected[128];
    start(lies[_i]);
    if (strcmp(lies[_i], "two-replies") == 0) /* no request was made for the second one */
        ck_assert_int_eq(perform(20), CALL_ANSWERED);
    ck_assert_int_eq(perform(20), CALL_NONSENSE);
    const size_t bytes = call_reply_bytes(&reply), sent = bytes < sizeof reply ? bytes : sizeof reply;
    snprintf(expected, sizeof expected, "a message of %zu bytes that is no reply",
             sent - (strcmp(lies[_i], "truncated") == 0 ? 100 : 0));
    ck_assert_str_eq(why, expected);
}
END_TEST

START_TEST(texts_are_ended_and_made_printable)
{
    start("endless-texts");
    ck_assert_int_eq(perform(20), CALL_ANSWERED);
    ck_assert_uint_eq(strlen(reply.text), sizeof reply.text - 1);
    ck_assert_uint_eq(strlen(reply.error_name), sizeof reply.error_name - 1);
    for (int i = 0; i < CALL_FINDINGS; i++) {
        const struct simt_finding *finding = &reply.finding[i];
        ck_assert_uint_eq(strspn(finding->words, "?"), sizeof finding->words - 1);
        ck_assert_uint_eq(strspn(finding->variable.name, "?"), sizeof finding->variable.name - 1);
        ck_assert_uint_eq(finding->facts, 0);
        ck_assert_int_eq(finding->hint, SIMT_HINT_NONE);
        ck_assert_uint_eq(strspn(finding->side[SIMT_SIDES - 1].kernel, "?"),
                          sizeof finding->side[0].kernel - 1);
    }
    ck_assert_uint_eq(strlen(reply.meter[CALL_METERS - 1].name), sizeof reply.meter[0].name - 1);
}
END_TEST

START_TEST(a_runner_that_never_starts_is_the_harness_s_own_trouble)
{
    start("never-starts");
    ck_assert_int_eq(perform(20), CALL_BROKEN);
    ck_assert_str_eq(
        why, "the runner did not start (exit status 1): bwrap: No permissions to create new namespace\n");
}
END_TEST

START_TEST(a_library_that_does_not_load_says_why)
{
    start("not-loaded");
    ck_assert_int_eq(perform(20), CALL_ANSWERED);
    ck_assert_uint_eq(reply.status, CALL_NOT_LOADED);
    ck_assert_str_eq(reply.text, "undefined symbol: scan_toy");
}
END_TEST

START_TEST(the_memory_file_cannot_change_its_size)
{
    start("resize-memory");
    ck_assert_int_eq(perform(20), CALL_ANSWERED);
    ck_assert_str_eq(reply.text, "shrink -1, grow -1");
    call_memory(runner)[MEMORY - 1] = 1; /* still there */
}
END_TEST

START_TEST(no_other_descriptor_reaches_the_runner)
{
    int extra = open("/dev/null", O_WRONLY); /* without O_CLOEXEC */
    ck_assert_int_ge(dup2(extra, 50), 0);
    start("high-descriptors");
    ck_assert_int_eq(perform(20), CALL_ANSWERED);
    ck_assert_str_eq(reply.text, "0");
    close(extra);
    close(50);
}
END_TEST

START_TEST(what_it_prints_comes_back_without_control_characters)
{
    start("print");
    ck_assert_int_eq(perform(20), CALL_ANSWERED);
    ck_assert_str_eq(call_printed(runner), "before the fault\n?[31mred?[0m\n");
}
END_TEST

START_TEST(endless_printing_is_kept_to_its_beginning)
{
    start("print-forever");
    ck_assert_int_eq(perform(0.3), CALL_TIMED_OUT);
    ck_assert_uint_le(strlen(call_printed(runner)), 1024);
    ck_assert_int_eq(strncmp(call_printed(runner), "and on and on\nand on", 20), 0);
}
END_TEST

START_TEST(a_stopped_runner_takes_its_children_along)
{
    start("hang");
    perform(0.2);
    stop();
    start("leave-child");
    perform(20);
    stop();
    /* Both were leaders of process groups, and nothing of these may be left. If their parent is dead, init reaps
     * killed children, which takes a moment. */
    char command[128], line[256];
    snprintf(command, sizeof command, "ps -eo args | grep '[-]-memory 4 /nowhere.%d/'", (int)getpid());
    for (int i = 0; i < 100; i++) {
        FILE *list = popen(command, "r");
        bool left = fgets(line, sizeof line, list) != NULL;
        pclose(list);
        if (!left)
            return;
        usleep(20000);
    }
    ck_abort_msg("a process is left");
}
END_TEST

START_TEST(an_honest_runner_serves_many_calls)
{
    start("right");
    for (int call = 0; call < 50; call++) {
        int in[8], *file = (int *)(void *)call_memory(runner);
        struct call_request request = {
            .part = "scan_toy",
            .arguments = 3,
            .argument = {{.kind = CALL_IN, .element_size = 4, .offset = 0, .bytes = sizeof in},
                         {.kind = CALL_OUT, .element_size = 4, .offset = 256, .bytes = sizeof in},
                         {.kind = CALL_SCALAR, .scalar = 8}},
        };
        for (int i = 0; i < 8; i++)
            file[i] = in[i] = call + i;
        ck_assert_int_eq(call_perform(runner, &request, 20, &reply, why, sizeof why), CALL_ANSWERED);
        ck_assert_uint_eq(reply.status, CALL_DONE);
        for (int i = 0, sum = 0; i < 8; i++) {
            sum += in[i];
            ck_assert_int_eq(file[64 + i], sum);
        }
    }
}
END_TEST

START_TEST(the_sandbox_stands_before_the_runner)
{
    static const char *const sandbox[] = {"env", "FAKE=1", NULL};
    start_behind(sandbox, "right");
    ck_assert_int_eq(perform(20), CALL_ANSWERED);
    ck_assert_uint_eq(reply.status, CALL_DONE);
}
END_TEST

/* On a machine with a GPU, the sandbox's command has some hundred words. */
START_TEST(no_word_of_a_long_sandbox_is_lost)
{
    enum { FIRST = 4, MORE = 400 };
    static char count[16];
    static const char *sandbox[FIRST + MORE + 1] = {"sh", "-c", "shift \"$1\"; exec \"$@\"", "sh", count};
    snprintf(count, sizeof count, "%d", MORE);
    for (int i = 1; i < MORE; i++)
        sandbox[FIRST + i] = "more";
    start_behind(sandbox, "right");
    ck_assert_int_eq(perform(20), CALL_ANSWERED);
    ck_assert_uint_eq(reply.status, CALL_DONE);
}
END_TEST

START_TEST(a_signal_through_a_sandbox_is_named)
{
    static const char *const sandbox[] = {"sh", "-c", "\"$@\"; exit $?", "sh", NULL};
    start_behind(sandbox, "segfault");
    ck_assert_int_eq(perform(20), CALL_CRASHED);
    ck_assert_str_eq(why, "exit status 139: signal 11 (Segmentation fault)");
}
END_TEST

START_TEST(an_end_from_outside_is_known_through_a_sandbox)
{
    static const char *const sandbox[] = {"sh", "-c", "\"$@\"; exit $?", "sh", NULL};
    start_behind(sandbox, "ended");
    ck_assert_int_eq(perform(20), CALL_ENDED);
    ck_assert_str_eq(why, "exit status 137: signal 9 (Killed)");
}
END_TEST

START_TEST(a_runner_that_cannot_be_started_is_the_harness_s_own_trouble)
{
    struct call_options options = {.runner = "/nowhere/runner", .library = "x", .memory = MEMORY};
    runner = call_start(&options, why, sizeof why);
    ck_assert_ptr_nonnull(runner);
    ck_assert_int_eq(perform(20), CALL_BROKEN);
    ck_assert_str_eq(why, "the runner did not start (exit status 127): "
                          "cannot start /nowhere/runner: No such file or directory\n");
    ck_assert_int_eq(perform(20), CALL_BROKEN); /* the runner is gone, and only call_stop may follow */
}
END_TEST

Suite *call_suite(void)
{
    Suite *suite = suite_create("calls");
    TCase *tcase = tcase_create("calls");
    tcase_set_timeout(tcase, 60);
    tcase_add_checked_fixture(tcase, NULL, stop);
    tcase_add_loop_test(tcase, a_failing_runner_is_an_outcome, 0, sizeof failures / sizeof *failures);
    tcase_add_loop_test(tcase, a_reply_that_lies_is_nonsense, 0, sizeof lies / sizeof *lies);
    tcase_add_test(tcase, texts_are_ended_and_made_printable);
    tcase_add_test(tcase, a_runner_that_never_starts_is_the_harness_s_own_trouble);
    tcase_add_test(tcase, a_library_that_does_not_load_says_why);
    tcase_add_test(tcase, the_memory_file_cannot_change_its_size);
    tcase_add_test(tcase, no_other_descriptor_reaches_the_runner);
    tcase_add_test(tcase, what_it_prints_comes_back_without_control_characters);
    tcase_add_test(tcase, endless_printing_is_kept_to_its_beginning);
    tcase_add_test(tcase, a_stopped_runner_takes_its_children_along);
    tcase_add_test(tcase, an_honest_runner_serves_many_calls);
    tcase_add_test(tcase, the_sandbox_stands_before_the_runner);
    tcase_add_test(tcase, no_word_of_a_long_sandbox_is_lost);
    tcase_add_test(tcase, a_signal_through_a_sandbox_is_named);
    tcase_add_test(tcase, an_end_from_outside_is_known_through_a_sandbox);
    tcase_add_test(tcase, a_runner_that_cannot_be_started_is_the_harness_s_own_trouble);
    suite_add_tcase(suite, tcase);
    return suite;
}
