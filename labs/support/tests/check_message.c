/* check_message.c: the exact messages of a suite for failed tests, in runs with one planted mistake each. */
#include "check_support.h"
#include "toy_run.h"
#include <string.h>

static const struct {
    const char *mode, *test, *message;
} table[] = {
    {"swapped", TOY_PROOF,
     "slot 1 joins ranges in the wrong order: first [1..], then [..0]; expected [0..1]\n"
     "    in: scan_toy on interval, 2 elements\n"
     "    1 of 2 slots is wrong\n"
     "    try: combine(left, right): the operand that is earlier in the input comes first\n"
     "    up to 1 element all is right\n"
     "    in        [0..0]       [1..1]\n"
     "    expected  [0..0]       [0..1]\n"
     "    out       [0..0] [1..]+[..0]*   (* is wrong)\n"
     "replay: make run LAB=9 PART=scan_toy MONOID=interval N=2 SEED=1\n"},
    {"skips-13", TOY_PROOF,
     "slot 13 holds [0..12], expected [0..13]\n"
     "    in: scan_toy on interval, 14 elements\n"
     "    1 of 14 slots is wrong\n"
     "    element 13 is missing at the end\n"
     "    up to 13 elements all is right\n"
     "    in        [0..0] [1..1] [2..2] [3..3] [4..4] [5..5] [6..6] [7..7]\n"
     "    expected  [0..0] [0..1] [0..2] [0..3] [0..4] [0..5] [0..6] [0..7]\n"
     "    out       [0..0] [0..1] [0..2] [0..3] [0..4] [0..5] [0..6] [0..7]   (* is wrong)\n"
     "    in        [8..8] [9..9] [10..10] [11..11] [12..12] [13..13]\n"
     "    expected  [0..8] [0..9]  [0..10]  [0..11]  [0..12]  [0..13]\n"
     "    out       [0..8] [0..9]  [0..10]  [0..11]  [0..12] [0..12]*\n"
     "replay: make run LAB=9 PART=scan_toy MONOID=interval N=14 SEED=1\n"},
    {"restarts-at-5", TOY_PROOF,
     "slot 5 holds [5..5], expected [0..5]\n"
     "    in: scan_toy on interval, 6 elements\n"
     "    1 of 6 slots is wrong\n"
     "    elements 0 to 4 are missing at the front\n"
     "    up to 5 elements all is right\n"
     "    in        [0..0] [1..1] [2..2] [3..3] [4..4]  [5..5]\n"
     "    expected  [0..0] [0..1] [0..2] [0..3] [0..4]  [0..5]\n"
     "    out       [0..0] [0..1] [0..2] [0..3] [0..4] [5..5]*   (* is wrong)\n"
     "replay: make run LAB=9 PART=scan_toy MONOID=interval N=6 SEED=1\n"},
    {"twice-13", TOY_PROOF,
     "slot 13 joins ranges that do not touch: one ends at 13, the next begins at 13; expected [0..13]\n"
     "    in: scan_toy on interval, 14 elements\n"
     "    1 of 14 slots is wrong\n"
     "    element 13 comes in twice: the left operand must end before the elements to which it is added\n"
     "    up to 13 elements all is right\n"
     "    in        [0..0] [1..1] [2..2] [3..3] [4..4] [5..5] [6..6] [7..7]\n"
     "    expected  [0..0] [0..1] [0..2] [0..3] [0..4] [0..5] [0..6] [0..7]\n"
     "    out       [0..0] [0..1] [0..2] [0..3] [0..4] [0..5] [0..6] [0..7]   (* is wrong)\n"
     "    in        [8..8] [9..9] [10..10] [11..11] [12..12]       [13..13]\n"
     "    expected  [0..8] [0..9]  [0..10]  [0..11]  [0..12]        [0..13]\n"
     "    out       [0..8] [0..9]  [0..10]  [0..11]  [0..12] [..13]+[13..]*\n"
     "replay: make run LAB=9 PART=scan_toy MONOID=interval N=14 SEED=1\n"},
    {"exclusive", TOY_PROOF,
     "slot 0 holds nothing, expected [0..0]\n"
     "    in: scan_toy on interval, 1 element\n"
     "    this is the exclusive scan; scan_toy is the inclusive one\n"
     "    in          [0..0]\n"
     "    expected    [0..0]\n"
     "    out       nothing*   (* is wrong)\n"
     "replay: make run LAB=9 PART=scan_toy MONOID=interval N=1 SEED=1\n"},
    {"input", TOY_PROOF,
     "slot 1 holds [1..1], expected [0..1]\n"
     "    in: scan_toy on interval, 2 elements\n"
     "    1 of 2 slots is wrong\n"
     "    this is the input, not its scan\n"
     "    up to 1 element all is right\n"
     "    in        [0..0]  [1..1]\n"
     "    expected  [0..0]  [0..1]\n"
     "    out       [0..0] [1..1]*   (* is wrong)\n"
     "replay: make run LAB=9 PART=scan_toy MONOID=interval N=2 SEED=1\n"},
    {"zeros", TOY_PROOF,
     "slot 0 joins a range with memory full of zeros: zeros+[0..]; expected [0..0]\n"
     "    in: scan_toy on interval, 1 element\n"
     "    try: IDENTITY is what stands for \"nothing yet\", not 0\n"
     "    in              [0..0]\n"
     "    expected        [0..0]\n"
     "    out       zeros+[0..]*   (* is wrong)\n"
     "replay: make run LAB=9 PART=scan_toy MONOID=interval N=1 SEED=1\n"},
    {"junk", TOY_PROOF,
     "slot 0 joins a range with memory that nothing has written, expected [0..0]\n"
     "    in: scan_toy on interval, 1 element\n"
     "    try: every slot must be written before it is read, with a barrier in between\n"
     "    in                              [0..0]\n"
     "    expected                        [0..0]\n"
     "    out       [901099981..]+[..901099981]*   (* is wrong)\n"
     "replay: make run LAB=9 PART=scan_toy MONOID=interval N=1 SEED=1\n"},
    {"untouched", TOY_PROOF,
     "slot 0 was not written, expected [0..0]\n"
     "    in: scan_toy on interval, 1 element\n"
     "    in            [0..0]\n"
     "    expected      [0..0]\n"
     "    out       unwritten*   (* is wrong)\n"
     "replay: make run LAB=9 PART=scan_toy MONOID=interval N=1 SEED=1\n"},
    {"keeps-state", TOY_PROOF,
     "slot 0 holds nothing, expected [0..0]\n"
     "    in: scan_toy on interval, 2 elements\n"
     "    1 of 2 slots is wrong\n"
     "    up to 1 element all is right\n"
     "    the same call is right in a fresh process: earlier calls matter\n"
     "    try: look for static and __device__ variables, and for memory that is used before it is set\n"
     "    in          [0..0] [1..1]\n"
     "    expected    [0..0] [0..1]\n"
     "    out       nothing* [0..1]   (* is wrong)\n"
     "replay: make test LAB=9 PART=scan_toy\n"},
    {"spoils-input", TOY_PROOF,
     "in[7] was changed from [7..7] to nothing: an input must stay as it is\n"
     "    in: scan_toy on interval, 8 elements\n"
     "    1 of 8 slots is wrong\n"
     "    up to 7 elements all is right\n"
     "    in        [0..0] [1..1] [2..2] [3..3] [4..4] [5..5] [6..6] [7..7]\n"
     "    expected  [0..0] [0..1] [0..2] [0..3] [0..4] [0..5] [0..6] [0..7]\n"
     "    out       [0..0] [0..1] [0..2] [0..3] [0..4] [0..5] [0..6] [0..7]\n"
     "replay: make run LAB=9 PART=scan_toy MONOID=interval N=8 SEED=1\n"},
    {"race-and-wrong", TOY_PROOF,
     "toy.cu:31  scan_kernel: race on shared buffer[17]\n"
     "    thread 18 reads it at line 29, thread 17 writes it at line 31, and no barrier stands between\n"
     "    try: if both accesses are meant, a second __syncthreads() after every thread has read its operand\n"
     "slot 0 holds nothing, expected [0..0]\n"
     "    in: scan_toy on interval, 1 element\n"
     "    this is the exclusive scan; scan_toy is the inclusive one\n"
     "    in          [0..0]\n"
     "    expected    [0..0]\n"
     "    out       nothing*   (* is wrong)\n"
     "replay: make run LAB=9 PART=scan_toy MONOID=interval N=1 SEED=1\n"},
    {"leak-and-wrong", TOY_PROOF,
     "slot 0 holds nothing, expected [0..0]\n"
     "    in: scan_toy on interval, 1 element\n"
     "    this is the exclusive scan; scan_toy is the inclusive one\n"
     "    in          [0..0]\n"
     "    expected    [0..0]\n"
     "    out       nothing*   (* is wrong)\n"
     "toy.cu:20  scan_kernel: leak: a stream is never destroyed\n"
     "replay: make run LAB=9 PART=scan_toy MONOID=interval N=1 SEED=1\n"},
    {"fault", TOY_PROOF,
     "toy.cu:14  scan_kernel: write out of bounds: out[16]\n"
     "    out has 16 elements\n"
     "    try: check the index against the length\n"
     "    in: scan_toy on interval, 0 elements\n"
     "replay: make run LAB=9 PART=scan_toy MONOID=interval N=0 SEED=1\n"},
    {"error", TOY_PROOF,
     "the call ended with cudaErrorIllegalAddress: an illegal memory access was encountered\n"
     "    in: scan_toy on interval, 0 elements\n"
     "replay: make run LAB=9 PART=scan_toy MONOID=interval N=0 SEED=1\n"},
    {"endless", TOY_PROOF,
     "toy.cu:9  scan_kernel: host code does not end\n"
     "timed out: the call executed more than its budget\n"
     "    in: scan_toy on interval, 0 elements\n"
     "replay: make run LAB=9 PART=scan_toy MONOID=interval N=0 SEED=1\n"},
    {"endless", "is right with thousands of tiles",
     "timed out: not run, because a call of scan_toy before this timed out\n"},
    {"exit0", TOY_PROOF,
     "crashed: the submission ended the process (exit status 0)\n"
     "    in: scan_toy on interval, 0 elements\n"
     "replay: make run LAB=9 PART=scan_toy MONOID=interval N=0 SEED=1\n"},
    {"garbage", TOY_PROOF,
     "crashed: the submission broke the harness's own channel (a message of 12 bytes that is no reply)\n"
     "    in: scan_toy on interval, 0 elements\n"
     "replay: make run LAB=9 PART=scan_toy MONOID=interval N=0 SEED=1\n"},
    {"missing", TOY_PROOF,
     "missing: student/toy.cu does not define scan_toy\n"
     "    in: scan_toy on interval, 0 elements\n"
     "replay: make run LAB=9 PART=scan_toy MONOID=interval N=0 SEED=1\n"},
    {"other-parameters", TOY_PROOF,
     "missing: student/toy.cu does not define scan_toy(const elem_t *, size_t)\n"
     "    in: scan_toy on interval, 0 elements\n"
     "    line 3 defines scan_toy(const elem_t *in, int n), which is another function\n"
     "replay: make run LAB=9 PART=scan_toy MONOID=interval N=0 SEED=1\n"},
    {"not-loaded", TOY_PROOF,
     "crashed: the submission cannot be loaded: undefined symbol: scan_toy\n"
     "    in: scan_toy on interval, 0 elements\n"
     "replay: make run LAB=9 PART=scan_toy MONOID=interval N=0 SEED=1\n"},
    {"refused", TOY_PROOF,
     "the call could not be made: no device memory\n"
     "    in: scan_toy on interval, 0 elements\n"
     "replay: make run LAB=9 PART=scan_toy MONOID=interval N=0 SEED=1\n"},
    {"race-in-one-order", TOY_CLEAN,
     "toy.cu:31  scan_kernel: race on shared buffer[17]\n"
     "    thread 18 reads it at line 29, thread 17 writes it at line 31, and no barrier stands between\n"
     "    try: if both accesses are meant, a second __syncthreads() after every thread has read its operand\n"
     "    in: scan_toy on interval, 2 elements\n"
     "    wrong if thread 17 comes late to line 31:\n"
     "        thread 18 reads it at line 29, and after that thread 17 writes it at line 31\n"
     "        slot 1 holds [1..1], expected [0..1]\n"
     "        see it: make run LAB=9 PART=scan_toy MONOID=interval N=2 SEED=1 LATE=31:17:2\n"
     "replay: make run LAB=9 PART=scan_toy MONOID=interval N=2 SEED=1\n"},
    {"race", TOY_CLEAN,
     "toy.cu:31  scan_kernel: race on shared buffer[17]\n"
     "    thread 18 reads it at line 29, thread 17 writes it at line 31, and no barrier stands between\n"
     "    try: if both accesses are meant, a second __syncthreads() after every thread has read its operand\n"
     "    in: scan_toy on interval, 0 elements\n"
     "    no order that was tried is wrong; but a compiler or a GPU may move or repeat accesses that nothing "
     "orders\n"
     "replay: make run LAB=9 PART=scan_toy MONOID=interval N=0 SEED=1\n"},
    {"groups", TOY_CLEAN,
     "toy.cu:4  scan_kernel: deadlock in scan_kernel: no thread can go on\n"
     "    threads 0-15 of block 0 wait at the block's barrier at line 4\n"
     "    threads 16-31 of block 0 spin at other.cuh:9\n"
     "    thread 32 of block 0 has returned\n"
     "    and 2 more blocks\n"
     "    an earlier finding may be the reason\n"
     "    in: scan_toy on interval, 0 elements\n"
     "replay: make run LAB=9 PART=scan_toy MONOID=interval N=0 SEED=1\n"},
    {"five-findings", TOY_CLEAN,
     "toy.cu:20  scan_kernel: leak: a stream is never destroyed\n"
     "toy.cu:21  scan_kernel: leak: a stream is never destroyed\n"
     "toy.cu:22  scan_kernel: leak: a stream is never destroyed\n"
     "    ... and 2 more findings\n"
     "    in: scan_toy on interval, 0 elements\n"
     "replay: make run LAB=9 PART=scan_toy MONOID=interval N=0 SEED=1\n"},
    {"leak", TOY_CLEAN,
     "leak: 2 allocations of device memory not freed\n"
     "    in: scan_toy on interval, 0 elements\n"
     "    try: cudaFree what you cudaMalloc, before the function returns\n"
     "replay: make run LAB=9 PART=scan_toy MONOID=interval N=0 SEED=1\n"},
    {"swapped", TOY_CLEAN, "not judged while the result is wrong\n"},
    {"order-matters", "is clean in reverse order",
     "the result depends on the order in which threads run: right in forward order, wrong in reverse order\n"
     "    in: scan_toy on interval, 16 elements, blocks and threads in reverse order\n"
     "    slot 5 holds [5..5], expected [0..5]\n"
     "    1 of 16 slots is wrong\n"
     "    elements 0 to 4 are missing at the front\n"
     "    try: which threads touch the same element with no barrier, fence or atomic between them?\n"
     "    in        [0..0] [1..1] [2..2] [3..3] [4..4]  [5..5] [6..6] [7..7]\n"
     "    expected  [0..0] [0..1] [0..2] [0..3] [0..4]  [0..5] [0..6] [0..7]\n"
     "    out       [0..0] [0..1] [0..2] [0..3] [0..4] [5..5]* [0..6] [0..7]   (* is wrong)\n"
     "    in        [8..8] [9..9] [10..10] [11..11] [12..12] [13..13] [14..14]\n"
     "    expected  [0..8] [0..9]  [0..10]  [0..11]  [0..12]  [0..13]  [0..14]\n"
     "    out       [0..8] [0..9]  [0..10]  [0..11]  [0..12]  [0..13]  [0..14]\n"
     "    in        [15..15]\n"
     "    expected   [0..15]\n"
     "    out        [0..15]\n"
     "replay: make run LAB=9 PART=scan_toy MONOID=interval N=16 SEED=1 ORDER=reverse\n"},
    {"order-matters", "does not depend on the order of threads",
     "slot 5 holds [5..5], expected [0..5]\n"
     "    in: scan_toy on interval, 6 elements, blocks and threads in reverse order\n"
     "    1 of 6 slots is wrong\n"
     "    elements 0 to 4 are missing at the front\n"
     "    right in forward order, wrong in reverse order: the result depends on the order in which threads "
     "run\n"
     "    first seen in: scan_toy on interval, 16 elements, blocks and threads in reverse order\n"
     "    in        [0..0] [1..1] [2..2] [3..3] [4..4]  [5..5]\n"
     "    expected  [0..0] [0..1] [0..2] [0..3] [0..4]  [0..5]\n"
     "    out       [0..0] [0..1] [0..2] [0..3] [0..4] [5..5]*   (* is wrong)\n"
     "replay: make run LAB=9 PART=scan_toy MONOID=interval N=6 SEED=1 ORDER=reverse\n"},
    {"order-matters-forward", "is clean in thread order",
     "the result depends on the order in which threads run: right in reverse order, wrong in forward order\n"
     "    in: scan_toy on interval, 16 elements\n"
     "    slot 5 holds [5..5], expected [0..5]\n"
     "    1 of 16 slots is wrong\n"
     "    elements 0 to 4 are missing at the front\n"
     "    try: which threads touch the same element with no barrier, fence or atomic between them?\n"
     "    in        [0..0] [1..1] [2..2] [3..3] [4..4]  [5..5] [6..6] [7..7]\n"
     "    expected  [0..0] [0..1] [0..2] [0..3] [0..4]  [0..5] [0..6] [0..7]\n"
     "    out       [0..0] [0..1] [0..2] [0..3] [0..4] [5..5]* [0..6] [0..7]   (* is wrong)\n"
     "    in        [8..8] [9..9] [10..10] [11..11] [12..12] [13..13] [14..14]\n"
     "    expected  [0..8] [0..9]  [0..10]  [0..11]  [0..12]  [0..13]  [0..14]\n"
     "    out       [0..8] [0..9]  [0..10]  [0..11]  [0..12]  [0..13]  [0..14]\n"
     "    in        [15..15]\n"
     "    expected   [0..15]\n"
     "    out        [0..15]\n"
     "replay: make run LAB=9 PART=scan_toy MONOID=interval N=16 SEED=1\n"},
    {"residency-matters", "is clean in random orders",
     "the result depends on the order in which threads run: right in forward order, wrong in random order\n"
     "    in: scan_toy on interval, 16 elements, blocks and threads in random order\n"
     "    slot 5 holds [5..5], expected [0..5]\n"
     "    1 of 16 slots is wrong\n"
     "    elements 0 to 4 are missing at the front\n"
     "    try: which threads touch the same element with no barrier, fence or atomic between them?\n"
     "    in        [0..0] [1..1] [2..2] [3..3] [4..4]  [5..5] [6..6] [7..7]\n"
     "    expected  [0..0] [0..1] [0..2] [0..3] [0..4]  [0..5] [0..6] [0..7]\n"
     "    out       [0..0] [0..1] [0..2] [0..3] [0..4] [5..5]* [0..6] [0..7]   (* is wrong)\n"
     "    in        [8..8] [9..9] [10..10] [11..11] [12..12] [13..13] [14..14]\n"
     "    expected  [0..8] [0..9]  [0..10]  [0..11]  [0..12]  [0..13]  [0..14]\n"
     "    out       [0..8] [0..9]  [0..10]  [0..11]  [0..12]  [0..13]  [0..14]\n"
     "    in        [15..15]\n"
     "    expected   [0..15]\n"
     "    out        [0..15]\n"
     "replay: make run LAB=9 PART=scan_toy MONOID=interval N=16 SEED=2 ORDER=random RESIDENT=2\n"},
    {"lazy", "does all its additions in kernels",
     "combines: 0 counted, at least 32 are needed\n"
     "    in: scan_toy on sum, 33 elements, blocks and threads in random order\n"
     "    try: combine() in a kernel for every addition; the host and your own operator are not counted\n"
     "replay: make run LAB=9 PART=scan_toy MONOID=sum N=33 SEED=1 ORDER=random JUDGE=work\n"},
    {"forged", "does all its additions in kernels",
     "operands of combine() that no combine() has made: 1 counted, at most 0 allowed\n"
     "    in: scan_toy on sum, 33 elements, blocks and threads in random order\n"
     "    another operator has made them, whose work is not counted\n"
     "    try: combine() for every addition; no other operator is counted\n"
     "replay: make run LAB=9 PART=scan_toy MONOID=sum N=33 SEED=1 ORDER=random JUDGE=work\n"},
    {"one-thread-joins", "is right and shared by many threads",
     "one thread does the work: 299 of 299 combines that join two parts, at most nine tenths allowed\n"
     "    in: scan_toy on interval, 300 elements, blocks and threads in random order\n"
     "    what other threads do beside it makes no part of the result\n"
     "    try: cut the loop up among threads, and join their results in a tree\n"
     "replay: make run LAB=9 PART=scan_toy MONOID=interval N=300 SEED=1 ORDER=random JUDGE=work\n"},
    {"one-thread-writes", "is right and shared by many threads",
     "one thread does the work: 300 of 300 writes to outputs, at most nine tenths allowed\n"
     "    in: scan_toy on interval, 300 elements, blocks and threads in random order\n"
     "    what other threads do beside it makes no part of the result\n"
     "    try: cut the loop up among threads, and join their results in a tree\n"
     "replay: make run LAB=9 PART=scan_toy MONOID=interval N=300 SEED=1 ORDER=random JUDGE=work\n"},
    {"wasteful", "stays within the bounds of the contract",
     "combines: 330 counted, at most 32 allowed\n"
     "    in: scan_toy on interval, 33 elements\n"
     "    the bound is n - 1\n"
     "    try: make meters instead of make run below: it shows which lines count\n"
     "replay: make run LAB=9 PART=scan_toy MONOID=interval N=33 SEED=1\n"},
};

START_TEST(a_mistake_is_told_in_these_words)
{
    int status = toy_run(table[_i].mode, "--part scan_toy --lab-file student/toy.cu");
    ck_assert_str_eq(toy_message(table[_i].test), table[_i].message);
    ck_assert_int_eq(status, 1);
}
END_TEST

/* The device's guard zones next to an array are used where it does not watch the array's ends. */
START_TEST(a_write_beside_an_array_is_told)
{
    toy_run("writes-past-end", "--part scan_toy --device cuda");
    ck_assert_str_eq(toy_message(TOY_PROOF),
                     "something was written to out[0], which is outside the array of 0 elements\n"
                     "    in: scan_toy on interval, 0 elements\n"
                     "replay: make run LAB=9 PART=scan_toy MONOID=interval N=0 SEED=1 DEVICE=cuda\n");
    toy_run("writes-before", "--part scan_toy --device cuda");
    ck_assert_str_eq(toy_message(TOY_PROOF),
                     "something was written to out[-2], which is outside the array of 0 elements\n"
                     "    in: scan_toy on interval, 0 elements\n"
                     "replay: make run LAB=9 PART=scan_toy MONOID=interval N=0 SEED=1 DEVICE=cuda\n");
}
END_TEST

START_TEST(a_float_is_told_with_its_bound)
{
    ck_assert_int_eq(toy_run("slightly-off", "--show --part scan_toy --monoid float_sum --n 3 --seed 5"), 1);
    ck_assert_msg(strstr(toy_output, "  <- first wrong slot\n") != NULL, "%s", toy_output);
    ck_assert_msg(strstr(toy_output, "\nwrong: slot 2 holds ") != NULL, "%s", toy_output);
    ck_assert_msg(strstr(toy_output, " to within ") != NULL, "%s", toy_output);
    ck_assert_int_eq(toy_run("right", "--show --part scan_toy --monoid float_sum --n 3 --seed 5"), 0);
}
END_TEST

START_TEST(a_right_submission_passes_everything)
{
    ck_assert_msg(toy_run("right", "--seed 77") == 0, "%s", toy_output);
    ck_assert_msg(strstr(toy_output, "\ntoy_suite: 32 passed, 0 failed\n") != NULL, "%s", toy_output);
}
END_TEST

START_TEST(warnings_and_printing_fail_nothing)
{
    ck_assert_msg(toy_run("warning", "--seed 3") == 0, "%s", toy_output);
    ck_assert_msg(toy_run("print", "--seed 3") == 0, "%s", toy_output);
}
END_TEST

START_TEST(another_tile_is_told)
{
    toy_run("skips-13", "--part scan_toy --tile 64");
    ck_assert_str_eq(toy_message(TOY_PROOF),
                     "slot 13 holds [0..12], expected [0..13]\n"
                     "    in: scan_toy on interval, 14 elements, tiles of 64\n"
                     "    1 of 14 slots is wrong\n"
                     "    element 13 is missing at the end\n"
                     "    up to 13 elements all is right\n"
                     "    in        [0..0] [1..1] [2..2] [3..3] [4..4] [5..5] [6..6] [7..7]\n"
                     "    expected  [0..0] [0..1] [0..2] [0..3] [0..4] [0..5] [0..6] [0..7]\n"
                     "    out       [0..0] [0..1] [0..2] [0..3] [0..4] [0..5] [0..6] [0..7]   (* is wrong)\n"
                     "    in        [8..8] [9..9] [10..10] [11..11] [12..12] [13..13]\n"
                     "    expected  [0..8] [0..9]  [0..10]  [0..11]  [0..12]  [0..13]\n"
                     "    out       [0..8] [0..9]  [0..10]  [0..11]  [0..12] [0..12]*\n"
                     "replay: make run LAB=9 PART=scan_toy MONOID=interval N=14 SEED=1 TILE=64\n");
}
END_TEST

/* The message describes the smallest call that was found to fail in the same way, and the replay line makes that
 * call. */
START_TEST(a_long_call_is_made_small)
{
    toy_run("wrong-from-1001", "--part scan_toy");
    ck_assert_msg(strstr(toy_output, "in: scan_toy on interval, 1001 elements\n") != NULL, "%s", toy_output);
    ck_assert_msg(strstr(toy_output, "first seen in: scan_toy on interval, 4161 elements, tiles of 64\n") !=
                      NULL,
                  "%s", toy_output);
    ck_assert_msg(
        strstr(toy_output, "replay: make run LAB=9 PART=scan_toy MONOID=interval N=1001 SEED=1\n") != NULL,
        "%s", toy_output);
}
END_TEST

/* Values are simplified only if the call still fails: the example's numbers have no negative one. */
START_TEST(values_are_made_simple)
{
    toy_run("wrong-on-7", "--part scan_toy");
    ck_assert_str_eq(toy_message("equals a plain loop on random values"),
                     "slot 2 holds 7, expected 11\n"
                     "    in: scan_toy on sum, 3 elements, example input\n"
                     "    1 of 3 slots is wrong\n"
                     "    first seen in: scan_toy on sum, 16 elements\n"
                     "    in        3 1  7\n"
                     "    expected  3 4 11\n"
                     "    out       3 4 7*   (* is wrong)\n"
                     "replay: make run LAB=9 PART=scan_toy MONOID=sum N=3 SEED=1 INPUT=example\n");
    toy_run("wrong-on-negative", "--part scan_toy");
    ck_assert_msg(strstr(toy_message("equals a plain loop on random values"),
                         "\nreplay: make run LAB=9 PART=scan_toy MONOID=sum N=4 SEED=1\n") != NULL,
                  "%s", toy_output);
}
END_TEST

/* The search costs calls, so it is made only for a part's first wrong result and its first finding, and in a
 * grading only for the first of the two. */
START_TEST(only_first_failures_are_made_small)
{
    unsigned seen[2] = {0, 0};
    for (int grading = 0; grading < 2; grading++) {
        toy_run("wrong-on-7", "--part scan_toy%s", grading ? " --enough 9" : "");
        for (const char *at = toy_output; (at = strstr(at, "first seen in")); at++)
            seen[grading]++;
    }
    ck_assert_uint_eq(seen[0], 1);
    ck_assert_uint_eq(seen[1], 1);
}
END_TEST

Suite *message_suite(void)
{
    Suite *suite = suite_create("messages");
    TCase *tcase = tcase_create("messages");
    tcase_set_timeout(tcase, 300);
    tcase_add_checked_fixture(tcase, NULL, toy_end);
    tcase_add_loop_test(tcase, a_mistake_is_told_in_these_words, 0, sizeof table / sizeof *table);
    tcase_add_test(tcase, a_write_beside_an_array_is_told);
    tcase_add_test(tcase, a_float_is_told_with_its_bound);
    tcase_add_test(tcase, a_right_submission_passes_everything);
    tcase_add_test(tcase, warnings_and_printing_fail_nothing);
    tcase_add_test(tcase, another_tile_is_told);
    tcase_add_test(tcase, a_long_call_is_made_small);
    tcase_add_test(tcase, values_are_made_simple);
    tcase_add_test(tcase, only_first_failures_are_made_small);
    suite_add_tcase(suite, tcase);
    return suite;
}
