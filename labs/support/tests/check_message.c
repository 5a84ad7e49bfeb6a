/* check_message.c: what a suite says, to the letter, about runs with one planted mistake each. It runs
 * toy_suite with fake_runner, whose modes are the mistakes. */
#include "check_support.h"
#include "element.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { OUTPUT = 1 << 16 };

static char folder[64]; /* of the submissions */
static char output[OUTPUT];

/* What toy_suite prints; returns its exit status. */
static int run(const char *mode, const char *format, ...) __attribute__((format(printf, 2, 3)));
static int run(const char *mode, const char *format, ...)
{
    static const char *const builds[] = {"sum",           "float_sum", "interval", "interval.64",
                                         "interval.1024", "sum.64",    "sum.1024"};
    char command[4096], path[512];
    size_t used, got;
    va_list arguments;

    snprintf(folder, sizeof folder, "/tmp/check_message.%d", (int)getpid());
    mkdir(folder, 0700);
    snprintf(path, sizeof path, "%s/%s", folder, mode);
    mkdir(path, 0700);
    for (size_t i = 0; i < sizeof builds / sizeof *builds;
         i++) { /* the suite asks that they be there; only the real runner opens them */
        snprintf(path, sizeof path, "%s/%s/toy.%s.so", folder, mode, builds[i]);
        FILE *file = fopen(path, "w");
        ck_assert_ptr_nonnull(file);
        fclose(file);
    }
    snprintf(command, sizeof command, "%s/toy_suite --runner %s/fake_runner --submission %s/%s ", programs,
             programs, folder, mode);
    used = strlen(command);
    va_start(arguments, format);
    vsnprintf(command + used, sizeof command - used, format, arguments);
    va_end(arguments);
    strncat(command, " 2>&1", sizeof command - strlen(command) - 1);
    FILE *pipe = popen(command, "r");
    ck_assert_ptr_nonnull(pipe);
    got = fread(output, 1, sizeof output - 1, pipe);
    output[got] = 0;
    int status = pclose(pipe);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void remove_folder(void)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    if (folder[0] && system(command) != 0)
        ck_abort_msg("cannot remove %s", folder);
}

/* The message below a failed test in `output`, without its indent. */
static const char *message_of(const char *sentence)
{
    static char message[OUTPUT];
    char *to = message;
    const char *line = strstr(output, sentence);
    ck_assert_msg(line != NULL, "%s", output);
    line = strchr(line, '\n') + 1;
    while (strncmp(line, "      ", 6) == 0) {
        const char *end = strchr(line, '\n') + 1;
        memcpy(to, line + 6, (size_t)(end - line - 6));
        to += end - line - 6;
        line = end;
    }
    *to = 0;
    return message;
}

#define PROOF "holds by proof at every length"
#define CLEAN "is clean at every length"

static const struct {
    const char *mode, *test, *message;
} table[] = {
    {"swapped", PROOF,
     "slot 1 joins ranges in the wrong order: first [1..], then [..0]; expected [0..1]\n"
     "    in: scan_toy on interval, 2 elements\n"
     "    1 of 2 slots is wrong\n"
     "    try: combine(left, right): the operand that stands earlier in the input comes first\n"
     "    up to 1 element all is right\n"
     "replay: make run LAB=9 PART=scan_toy MONOID=interval N=2 SEED=1\n"},
    {"skips-13", PROOF,
     "slot 13 holds [0..12], expected [0..13]\n"
     "    in: scan_toy on interval, 14 elements\n"
     "    1 of 14 slots is wrong\n"
     "    element 13 is missing at the end\n"
     "    up to 13 elements all is right\n"
     "replay: make run LAB=9 PART=scan_toy MONOID=interval N=14 SEED=1\n"},
    {"restarts-at-5", PROOF,
     "slot 5 holds [5..5], expected [0..5]\n"
     "    in: scan_toy on interval, 6 elements\n"
     "    1 of 6 slots is wrong\n"
     "    elements 0 to 4 are missing at the front\n"
     "    up to 5 elements all is right\n"
     "replay: make run LAB=9 PART=scan_toy MONOID=interval N=6 SEED=1\n"},
    {"twice-13", PROOF,
     "slot 13 joins ranges that do not touch: one ends at 13, the next begins at 13; expected [0..13]\n"
     "    in: scan_toy on interval, 14 elements\n"
     "    1 of 14 slots is wrong\n"
     "    element 13 comes in twice, or in the wrong order: was an operand read after another thread had "
     "changed"
     " it?\n"
     "    up to 13 elements all is right\n"
     "replay: make run LAB=9 PART=scan_toy MONOID=interval N=14 SEED=1\n"},
    {"exclusive", PROOF,
     "slot 0 holds nothing, expected [0..0]\n"
     "    in: scan_toy on interval, 1 element\n"
     "    this is the exclusive scan; scan_toy is the inclusive one\n"
     "replay: make run LAB=9 PART=scan_toy MONOID=interval N=1 SEED=1\n"},
    {"input", PROOF,
     "slot 1 holds [1..1], expected [0..1]\n"
     "    in: scan_toy on interval, 2 elements\n"
     "    1 of 2 slots is wrong\n"
     "    this is the input, not its scan\n"
     "    up to 1 element all is right\n"
     "replay: make run LAB=9 PART=scan_toy MONOID=interval N=2 SEED=1\n"},
    {"zeros", PROOF,
     "slot 0 joins a range with memory full of zeros: zeros+[0..]; expected [0..0]\n"
     "    in: scan_toy on interval, 1 element\n"
     "    try: IDENTITY is what stands for \"nothing yet\", not 0\n"
     "replay: make run LAB=9 PART=scan_toy MONOID=interval N=1 SEED=1\n"},
    {"junk", PROOF,
     "slot 0 joins a range with memory that nothing has written, expected [0..0]\n"
     "    in: scan_toy on interval, 1 element\n"
     "    try: let every place be written before it is read, with a barrier in between\n"
     "replay: make run LAB=9 PART=scan_toy MONOID=interval N=1 SEED=1\n"},
    {"untouched", PROOF,
     "slot 0 was not written, expected [0..0]\n"
     "    in: scan_toy on interval, 1 element\n"
     "replay: make run LAB=9 PART=scan_toy MONOID=interval N=1 SEED=1\n"},
    {"keeps-state", PROOF,
     "slot 0 holds nothing, expected [0..0]\n"
     "    in: scan_toy on interval, 2 elements\n"
     "    1 of 2 slots is wrong\n"
     "    up to 1 element all is right\n"
     "    the same call is right in a fresh process: earlier calls matter\n"
     "    try: look for static and __device__ variables, and for memory that is used before it is set\n"
     "replay: make test LAB=9 PART=scan_toy\n"},
    {"spoils-input", PROOF,
     "in[7] was changed from [7..7] to nothing: an input must stay as it is\n"
     "    in: scan_toy on interval, 8 elements\n"
     "    1 of 8 slots is wrong\n"
     "    up to 7 elements all is right\n"
     "replay: make run LAB=9 PART=scan_toy MONOID=interval N=8 SEED=1\n"},
    {"race-and-wrong", PROOF,
     "slot 0 holds nothing, expected [0..0]\n"
     "    in: scan_toy on interval, 1 element\n"
     "    this is the exclusive scan; scan_toy is the inclusive one\n"
     "toy.cu:31  scan_kernel: race on shared buffer[17]\n"
     "    thread 18 reads it at line 29, thread 17 writes it at line 31, and no barrier stands between\n"
     "    try: a second __syncthreads()\n"
     "replay: make run LAB=9 PART=scan_toy MONOID=interval N=1 SEED=1\n"},
    {"fault", PROOF,
     "toy.cu:14  scan_kernel: write out of bounds: out[16]\n"
     "    by thread 16 of block 0\n"
     "    try: check the index against n\n"
     "    in: scan_toy on interval, 0 elements\n"
     "replay: make run LAB=9 PART=scan_toy MONOID=interval N=0 SEED=1\n"},
    {"error", PROOF,
     "the call ended with cudaErrorIllegalAddress: an illegal memory access was encountered\n"
     "    in: scan_toy on interval, 0 elements\n"
     "replay: make run LAB=9 PART=scan_toy MONOID=interval N=0 SEED=1\n"},
    {"endless", PROOF,
     "timed out: a launch or a stretch of host code took more than 10 s of CPU time\n"
     "    in: scan_toy on interval, 0 elements\n"
     "toy.cu:9  scan_kernel: the time limit passed\n"
     "replay: make run LAB=9 PART=scan_toy MONOID=interval N=0 SEED=1\n"},
    {"endless", "is right with thousands of tiles",
     "timed out: not run, because a call of scan_toy before this timed out\n"},
    {"exit0", PROOF,
     "crashed: the submission ended the process (exit status 0)\n"
     "    in: scan_toy on interval, 0 elements\n"
     "replay: make run LAB=9 PART=scan_toy MONOID=interval N=0 SEED=1\n"},
    {"garbage", PROOF,
     "crashed: the submission broke the harness's own channel (a message of 12 bytes that is no reply)\n"
     "    in: scan_toy on interval, 0 elements\n"
     "replay: make run LAB=9 PART=scan_toy MONOID=interval N=0 SEED=1\n"},
    {"missing", PROOF,
     "missing: student/toy.cu does not define scan_toy\n"
     "    in: scan_toy on interval, 0 elements\n"
     "replay: make run LAB=9 PART=scan_toy MONOID=interval N=0 SEED=1\n"},
    {"other-parameters", PROOF,
     "missing: student/toy.cu does not define scan_toy(const elem_t *, size_t)\n"
     "    in: scan_toy on interval, 0 elements\n"
     "    line 3 defines scan_toy(const elem_t *in, int n), which is another function\n"
     "replay: make run LAB=9 PART=scan_toy MONOID=interval N=0 SEED=1\n"},
    {"not-loaded", PROOF,
     "crashed: the submission cannot be loaded: undefined symbol: scan_toy\n"
     "    in: scan_toy on interval, 0 elements\n"
     "replay: make run LAB=9 PART=scan_toy MONOID=interval N=0 SEED=1\n"},
    {"refused", PROOF,
     "the call could not be made: no device memory\n"
     "    in: scan_toy on interval, 0 elements\n"
     "replay: make run LAB=9 PART=scan_toy MONOID=interval N=0 SEED=1\n"},
    {"race", CLEAN,
     "toy.cu:31  scan_kernel: race on shared buffer[17]\n"
     "    thread 18 reads it at line 29, thread 17 writes it at line 31, and no barrier stands between\n"
     "    try: a second __syncthreads()\n"
     "    in: scan_toy on interval, 0 elements\n"
     "replay: make run LAB=9 PART=scan_toy MONOID=interval N=0 SEED=1\n"},
    {"groups", CLEAN,
     "toy.cu:4  scan_kernel: deadlock in scan_kernel: no thread can go on\n"
     "    threads 0-15 of block 0 wait at the block's barrier at line 4\n"
     "    threads 16-31 of block 0 spin at other.cuh:9\n"
     "    thread 32 of block 0 has returned\n"
     "    and 2 more blocks\n"
     "    an earlier finding may be the reason\n"
     "    in: scan_toy on interval, 0 elements\n"
     "replay: make run LAB=9 PART=scan_toy MONOID=interval N=0 SEED=1\n"},
    {"five-findings", CLEAN,
     "toy.cu:20  scan_kernel: read of memory that nothing wrote\n"
     "toy.cu:21  scan_kernel: read of memory that nothing wrote\n"
     "toy.cu:22  scan_kernel: read of memory that nothing wrote\n"
     "    ... and 2 more findings\n"
     "    in: scan_toy on interval, 0 elements\n"
     "replay: make run LAB=9 PART=scan_toy MONOID=interval N=0 SEED=1\n"},
    {"leak", CLEAN,
     "leak: 2 allocations of device memory not freed\n"
     "    in: scan_toy on interval, 0 elements\n"
     "    try: cudaFree what you cudaMalloc, before the function returns\n"
     "replay: make run LAB=9 PART=scan_toy MONOID=interval N=0 SEED=1\n"},
    {"swapped", CLEAN, "not judged while the result is wrong\n"},
    {"order-matters", "is clean in reverse order",
     "the result depends on the order in which threads run: right in forward order, wrong in reverse order\n"
     "    in: scan_toy on interval, 16 elements, blocks and threads in reverse order\n"
     "    slot 5 holds [5..5], expected [0..5]\n"
     "    1 of 16 slots is wrong\n"
     "    elements 0 to 4 are missing at the front\n"
     "    try: which threads touch the same element with no barrier, fence or atomic between them?\n"
     "replay: make run LAB=9 PART=scan_toy MONOID=interval N=16 SEED=1 ORDER=reverse\n"},
    {"order-matters", "does not depend on the order of threads",
     "slot 5 holds [5..5], expected [0..5]\n"
     "    in: scan_toy on interval, 16 elements, blocks and threads in reverse order\n"
     "    1 of 16 slots is wrong\n"
     "    elements 0 to 4 are missing at the front\n"
     "    right in forward order, wrong in reverse order: the result depends on the order in which threads "
     "run\n"
     "replay: make run LAB=9 PART=scan_toy MONOID=interval N=16 SEED=1 ORDER=reverse\n"},
    {"order-matters-forward", "is clean in thread order",
     "the result depends on the order in which threads run: right in reverse order, wrong in forward order\n"
     "    in: scan_toy on interval, 16 elements\n"
     "    slot 5 holds [5..5], expected [0..5]\n"
     "    1 of 16 slots is wrong\n"
     "    elements 0 to 4 are missing at the front\n"
     "    try: which threads touch the same element with no barrier, fence or atomic between them?\n"
     "replay: make run LAB=9 PART=scan_toy MONOID=interval N=16 SEED=1\n"},
    {"residency-matters", "is clean in random orders",
     "the result depends on the order in which threads run: right in forward order, wrong in random order\n"
     "    in: scan_toy on interval, 16 elements, blocks and threads in random order\n"
     "    slot 5 holds [5..5], expected [0..5]\n"
     "    1 of 16 slots is wrong\n"
     "    elements 0 to 4 are missing at the front\n"
     "    try: which threads touch the same element with no barrier, fence or atomic between them?\n"
     "replay: make run LAB=9 PART=scan_toy MONOID=interval N=16 SEED=2 ORDER=random RESIDENT=2\n"},
    {"lazy", "does all its additions in kernels",
     "combines: 0 counted, at least 32 are needed\n"
     "    in: scan_toy on sum, 33 elements\n"
     "    try: combine() in a kernel for every addition; the host and your own operator are not counted\n"
     "replay: make run LAB=9 PART=scan_toy MONOID=sum N=33 SEED=1\n"},
    {"one-thread-joins", "is the work of many threads",
     "one thread does the work: 299 of 299 combines that join two parts, at most nine tenths allowed\n"
     "    in: scan_toy on interval, 300 elements, blocks and threads in random order\n"
     "    what other threads do beside it makes no part of the result\n"
     "    try: cut the loop up among threads, and join their results in a tree\n"
     "replay: make run LAB=9 PART=scan_toy MONOID=interval N=300 SEED=1 ORDER=random\n"},
    {"one-thread-writes", "is the work of many threads",
     "one thread does the work: 300 of 300 writes to outputs, at most nine tenths allowed\n"
     "    in: scan_toy on interval, 300 elements, blocks and threads in random order\n"
     "    what other threads do beside it makes no part of the result\n"
     "    try: cut the loop up among threads, and join their results in a tree\n"
     "replay: make run LAB=9 PART=scan_toy MONOID=interval N=300 SEED=1 ORDER=random\n"},
    {"wasteful", "stays within the bounds of the contract",
     "combines: 330 counted, at most 32 allowed\n"
     "    in: scan_toy on interval, 33 elements\n"
     "    the bound is n - 1\n"
     "    try: make meters instead of make run below: it shows which lines count\n"
     "replay: make run LAB=9 PART=scan_toy MONOID=interval N=33 SEED=1\n"},
};

START_TEST(a_mistake_is_told_in_these_words)
{
    int status = run(table[_i].mode, "--part scan_toy --lab-file student/toy.cu");
    ck_assert_str_eq(message_of(table[_i].test), table[_i].message);
    ck_assert_int_eq(status, 1);
}
END_TEST

/* The guard zones that stand beside an array where the device does not watch its ends. */
START_TEST(a_write_beside_an_array_is_told)
{
    run("writes-past-end", "--part scan_toy --device cuda");
    ck_assert_str_eq(message_of(PROOF),
                     "something was written to out[0], which is outside the array of 0 elements\n"
                     "    in: scan_toy on interval, 0 elements\n"
                     "replay: make run LAB=9 PART=scan_toy MONOID=interval N=0 SEED=1 DEVICE=cuda\n");
    run("writes-before", "--part scan_toy --device cuda");
    ck_assert_str_eq(message_of(PROOF),
                     "something was written to out[-2], which is outside the array of 0 elements\n"
                     "    in: scan_toy on interval, 0 elements\n"
                     "replay: make run LAB=9 PART=scan_toy MONOID=interval N=0 SEED=1 DEVICE=cuda\n");
}
END_TEST

START_TEST(a_float_is_told_with_its_bound)
{
    ck_assert_int_eq(run("slightly-off", "--show --part scan_toy --monoid float_sum --n 3 --seed 5"), 1);
    ck_assert_msg(strstr(output, "  <- first wrong slot\n") != NULL, "%s", output);
    ck_assert_msg(strstr(output, "\nwrong: slot 2 holds ") != NULL, "%s", output);
    ck_assert_msg(strstr(output, " to within ") != NULL, "%s", output);
    ck_assert_int_eq(run("right", "--show --part scan_toy --monoid float_sum --n 3 --seed 5"), 0);
}
END_TEST

START_TEST(a_right_submission_passes_everything)
{
    ck_assert_msg(run("right", "--seed 77") == 0, "%s", output);
    ck_assert_msg(strstr(output, "\ntoy: 31 passed, 0 failed\n") != NULL, "%s", output);
}
END_TEST

START_TEST(warnings_and_printing_fail_nothing)
{
    ck_assert_msg(run("warning", "--seed 3") == 0, "%s", output);
    ck_assert_msg(run("print", "--seed 3") == 0, "%s", output);
}
END_TEST

START_TEST(show_prints_columns_and_marks_what_is_wrong)
{
    ck_assert_int_eq(run("restarts-at-5", "--show --part scan_toy --monoid interval --n 8 --seed 2"), 1);
    ck_assert_str_eq(output, "LAB=9 PART=scan_toy MONOID=interval N=8 SEED=2\n"
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
    ck_assert_int_eq(run("lags", "--show --part scan_toy --monoid interval --n 60"), 1);
    ck_assert_msg(strstr(output, "         8    [8..8]   [0..8]    [0..8]\n"
                                 "       ...\n"
                                 "        54  [54..54]  [0..54]   [0..54]\n") != NULL,
                  "%s", output);
    ck_assert_msg(strstr(output, "15 of 60 slots are wrong: 3 to 59 in steps of 4\n") != NULL, "%s", output);
}
END_TEST

START_TEST(another_tile_is_told)
{
    run("skips-13", "--part scan_toy --tile 64");
    ck_assert_str_eq(message_of(PROOF),
                     "slot 13 holds [0..12], expected [0..13]\n"
                     "    in: scan_toy on interval, 14 elements, tiles of 64\n"
                     "    1 of 14 slots is wrong\n"
                     "    element 13 is missing at the end\n"
                     "    up to 13 elements all is right\n"
                     "replay: make run LAB=9 PART=scan_toy MONOID=interval N=14 SEED=1 TILE=64\n");
}
END_TEST

START_TEST(show_understands_a_whole_replay_line)
{
    static const char line[] =
        "LAB=9 PART=scan_toy MONOID=sum N=5 SEED=4 INPUT=sorted SHIFT=1 ORDER=random RESIDENT=2\n";
    ck_assert_int_eq(run("right",
                         "--show --part scan_toy --monoid sum --n 5 --seed 4 --input sorted --shift 1"
                         " --order random --resident 2"),
                     0);
    ck_assert_int_eq(strncmp(output, line, strlen(line)), 0);
}
END_TEST

static const struct {
    const char *arguments, *complaint;
} refusals[] = {
    {"--part scan_tiy",
     "check_toy: scan_tiy is no part of this lab; its parts are:\n    scan_toy\n    scan_other\n"
     "    scan_tile\n    scan_powers\n"},
    {"--seed x", "check_toy: --seed x: that is no number from 0 to 18446744073709551615\n"},
    {"--seed -1", "check_toy: --seed -1: that is no number from 0 to 18446744073709551615\n"},
    {"--device tpu", "check_toy: --device is cpu or cuda\n"},
    {"--runner /nowhere", "check_toy: cannot run /nowhere\n"},
    {"--submission /nowhere", "check_toy: cannot read /nowhere/toy.sum.so: is the submission built?\n"},
    {"--tile 128", "check_toy: --tile 128: it is 64, 512 or 1024\n"},
    {"--show --part scan_toy --tile 64 --monoid sum",
     "check_toy: scan_toy is not built for the monoid sum with TILE=64, but for:\n    interval\n"},
    {"--show", "check_toy: --show needs --part\n"},
    {"--show --part scan_other --monoid affine",
     "check_toy: scan_other is not built for the monoid affine, but for:\n    sum\n"},
    {"--show --part scan_toy --in-place 1", "check_toy: scan_toy has 0 ways to be called in place\n"},
    {"--show --part scan_toy --input odd",
     "check_toy: --input odd: there is no such kind of input; there are:\n"
     "    random\n    sorted\n    reversed\n    equal\n    negative\n    extreme\n    sparse\n    series\n   "
     " marked\n"
     "    bad_middles\n    example\n"},
};

/* The mode shows that nothing is called. */
static const struct {
    const char *arguments, *complaint; /* null: the contract allows it */
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
    {"--part scan_other --n 0", NULL}, /* of any length */
};

START_TEST(a_length_outside_the_contract_is_refused_before_the_call)
{
    char expected[256];
    int status = run("garbage", "--show --monoid sum %s", asked[_i].arguments);
    if (!asked[_i].complaint) {
        ck_assert_int_eq(status, 1);
        ck_assert_msg(strstr(output, "crashed: the submission broke the harness's own channel") != NULL, "%s",
                      output);
        return;
    }
    snprintf(expected, sizeof expected, "check_toy: the contract of %s\n", asked[_i].complaint);
    ck_assert_str_eq(output, expected);
    ck_assert_int_eq(status, 2);
}
END_TEST

START_TEST(a_faulty_command_line_is_refused)
{
    ck_assert_int_eq(run("right", "%s", refusals[_i].arguments), 2);
    ck_assert_str_eq(output, refusals[_i].complaint);
}
END_TEST

static void read_file(const char *path)
{
    FILE *file = fopen(path, "r");
    ck_assert_ptr_nonnull(file);
    output[fread(output, 1, sizeof output - 1, file)] = 0;
    fclose(file);
}

/* With --fold a part's failures after the first are counted, those not judged, too; without, each is shown. */
START_TEST(failures_beyond_the_first_of_a_part_are_folded)
{
    ck_assert_int_eq(run("restarts-at-5", "--part scan_toy"), 1);
    const char *all = strdup(output);
    ck_assert_msg(strstr(all, "not judged while") && !strstr(all, "V=1"), "%s", all);
    unsigned count = 0;
    for (const char *failure = all; (failure = strstr(failure, "  FAILED ")); failure++)
        count++;
    ck_assert_uint_gt(count, 2);
    ck_assert_int_eq(run("restarts-at-5", "--part scan_toy --fold"), 1);
    const char *first = strstr(output, "  FAILED ");
    ck_assert_msg(first && !strstr(first + 1, "  FAILED "), "%s", output);
    ck_assert_msg(strstr(output, "replay: make run LAB=9 PART=scan_toy"), "%s", output);
    char words[64];
    snprintf(words, sizeof words, "\n  %u more tests of it fail; V=1 shows them\n", count - 1);
    ck_assert_msg(strstr(output, words) != NULL, "%s in %s", words, output);
    free((char *)all);
}
END_TEST

START_TEST(parts_that_are_left_out_are_not_tested)
{
    ck_assert_int_eq(run("right", "--leave-out scan_toy,scan_powers,scan_tiles"), 0);
    ck_assert_msg(!strstr(output, "\nscan_toy\n") && !strstr(output, "\nscan_powers\n"), "%s", output);
    ck_assert_msg(strstr(output, "\nscan_other\n") && strstr(output, "\nscan_tile\n"), "%s", output);
}
END_TEST

START_TEST(xml_has_a_row_a_test_and_the_message)
{
    char path[512];
    run("right", "--part scan_toy"); /* makes the folder */
    snprintf(path, sizeof path, "%s/out.xml", folder);
    ck_assert_int_eq(run("swapped", "--part scan_toy --xml %s", path), 1);
    ck_assert_str_eq(output, "");
    read_file(path);
    ck_assert_ptr_nonnull(strstr(output, "<id>holds_by_proof_at_every_length</id>"));
    ck_assert_ptr_nonnull(strstr(output, "<description>scan_toy correct</description>"));
    ck_assert_ptr_nonnull(strstr(output, "<message>slot 1 joins ranges in the wrong order"));
    ck_assert_ptr_nonnull(
        strstr(output, "&#xA;replay: make run LAB=9 PART=scan_toy MONOID=interval N=2 SEED=1</message>"));
}
END_TEST

START_TEST(progress_tells_total_and_every_test)
{
    char path[512];
    run("right", "--part scan_toy");
    snprintf(path, sizeof path, "%s/progress", folder);
    run("race", "--part scan_other --progress 9 9>%s", path);
    read_file(path);
    ck_assert_str_eq(output,
                     "total\t13\n"
                     "passed\tscan_other correct\tis_right_at_every_length_up_to_two_small_tiles\n"
                     "passed\tscan_other correct\tis_right_with_thousands_of_tiles\n"
                     "passed\tscan_other correct\tequals_a_plain_loop_on_random_values\n"
                     "passed\tscan_other correct\tequals_a_plain_loop_on_sorted_equal_and_extreme_values\n"
                     "passed\tscan_other correct\tholds_for_marks_and_extremes_at_every_telling_place\n"
                     "passed\tscan_other correct\tneeds_no_more_alignment_than_an_element\n"
                     "passed\tscan_other correct\tdoes_not_depend_on_earlier_calls\n"
                     "passed\tscan_other correct\tdoes_not_depend_on_the_order_of_threads\n"
                     "passed\tscan_other correct\tis_the_work_of_many_threads\n"
                     "failed\tscan_other clean\tis_clean_at_every_length\n"
                     "failed\tscan_other clean\tis_clean_in_thread_order\n"
                     "failed\tscan_other clean\tis_clean_in_reverse_order\n"
                     "failed\tscan_other clean\tis_clean_in_random_orders\n");
}
END_TEST

START_TEST(counts_are_those_of_the_longest_call_or_past_the_bound)
{
    char path[512];
    run("right", "--part scan_toy");
    snprintf(path, sizeof path, "%s/counts", folder);
    ck_assert_int_eq(run("right", "--part scan_toy --counts %s", path), 0);
    read_file(path);
    ck_assert_str_eq(output, "scan_toy\tcombines\t32\t32\t33\tn - 1\n");
    remove(path);
    run("wasteful", "--part scan_toy --counts %s", path);
    read_file(path);
    ck_assert_str_eq(output, "scan_toy\tcombines\t330\t32\t33\tn - 1\n");
}
END_TEST

Suite *message_suite(void)
{
    Suite *suite = suite_create("messages");
    TCase *tcase = tcase_create("messages");
    tcase_set_timeout(tcase, 300);
    tcase_add_checked_fixture(tcase, NULL, remove_folder);
    tcase_add_loop_test(tcase, a_mistake_is_told_in_these_words, 0, sizeof table / sizeof *table);
    tcase_add_test(tcase, a_write_beside_an_array_is_told);
    tcase_add_test(tcase, a_float_is_told_with_its_bound);
    tcase_add_test(tcase, a_right_submission_passes_everything);
    tcase_add_test(tcase, warnings_and_printing_fail_nothing);
    tcase_add_test(tcase, show_prints_columns_and_marks_what_is_wrong);
    tcase_add_test(tcase, show_keeps_to_the_neighbourhood_of_a_long_table);
    tcase_add_test(tcase, another_tile_is_told);
    tcase_add_test(tcase, show_understands_a_whole_replay_line);
    tcase_add_loop_test(tcase, a_faulty_command_line_is_refused, 0, sizeof refusals / sizeof *refusals);
    tcase_add_loop_test(tcase, a_length_outside_the_contract_is_refused_before_the_call, 0,
                        sizeof asked / sizeof *asked);
    tcase_add_test(tcase, parts_that_are_left_out_are_not_tested);
    tcase_add_test(tcase, failures_beyond_the_first_of_a_part_are_folded);
    tcase_add_test(tcase, xml_has_a_row_a_test_and_the_message);
    tcase_add_test(tcase, progress_tells_total_and_every_test);
    tcase_add_test(tcase, counts_are_those_of_the_longest_call_or_past_the_bound);
    suite_add_tcase(suite, tcase);
    return suite;
}
