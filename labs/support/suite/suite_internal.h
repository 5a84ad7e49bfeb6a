/* suite_internal.h: declarations that the suite's own files share. A lab's suite needs only suite.h. */
#ifndef LABS_SUITE_INTERNAL_H
#define LABS_SUITE_INTERNAL_H

#include "suite.h"
#include <stdio.h>

/* The options of the command line and their consequences. */
struct suite_options {
    const char *submission; /* folder of the libraries */
    const char *runner;     /* program */
    const char **sandbox;   /* command before the runner's, ended by null; or null */
    const char *part;       /* the only part to test; null: all */
    const char *left_out;   /* parts not to test, separated by commas; null: none */
    const char *lost;       /* "part:aspect", separated by commas: see suite_is_lost; null: none */
    unsigned enough;        /* failures after which an aspect of a part is lost; 0: all tests run */
    const char *lab_file;   /* the student's file, for messages */
    const char *datasets;   /* folder */
    const char *events;     /* memory.events of the runners' control group; null: no such group */
    double seconds;         /* after that no calls are made, and untested parts get no verdict; 0: no limit */
    uint64_t budget_share;  /* a call may execute its budget divided by this, which is at least 1 */
    bool huge;              /* test with more than 2^31 elements */
    bool right_first;       /* the meters of a part whose results are wrong are not judged */
    bool prove;             /* run only proofs, and for one tile prove every length in every build */
    bool on_cuda;           /* the device is a GPU */
    bool no_guards;         /* arrays end where the allocation does, so that a tool sees what is past it */
    uint64_t delays;        /* the libraries have delays put in: the number that drew them; 0: none */
    const char *look_again; /* folder of the CPU device's libraries: see suite_look_again; null: none */
    const char *again_runner; /* the CPU device's runner */
    const char *save;         /* folder for the arrays of the shown call; null: none */
    const char *trace;        /* file for a record of the shown call; null: none. See suite_trace.c */
    bool judge_work;          /* also judge how the work of the shown call is shared */
    bool debug;               /* that call has no time limit, because a debugger stops it */
    size_t tile;              /* the only build to test; 0: all */
    uint64_t seed;
};

extern struct suite_options suite_options;
extern const struct suite_lab *suite_lab;

enum { SUITE_SHOWN_FINDINGS = 3 /* in one message */ };

/* All tiles for which submissions are built, in the order in which they are tried. */
enum { SUITE_TILES = 3, SMALL_TILE = 64, LARGE_TILE = 1024 };
extern const size_t suite_tiles[SUITE_TILES];

/* suite_begin_trace makes the device record the following calls in the file of suite_options.trace. suite_end_trace
 * writes the description of the call next to that file. Both do nothing without the option. */
void suite_begin_trace(void);
bool suite_end_trace(const struct suite_call *call, bool came_through, bool good);

/* Is this test part of the sweep that proves the part, for its results or its findings? (suite_sweep.c) */
bool suite_is_proof(const struct suite_part *part, const struct suite_test *test);

/* Is `name` in `list`, whose words are separated by commas? A null list has no words. */
bool suite_is_listed(const char *list, const char *name);

/* ---- lost points (suite_lost.c) -------------------------------------------------------------------------- */

/* Notes that a test of this aspect of the part failed. */
void suite_lost_note(const struct suite_part *part, enum suite_aspect aspect);

/* Have at least `times` tests of this aspect failed? `part` must be the one whose tests run now. */
bool suite_has_failed(const struct suite_part *part, enum suite_aspect aspect, unsigned times);

/* Can the remaining tests of this aspect of the part be skipped? */
bool suite_is_lost(const struct suite_part *part, enum suite_aspect aspect);

/* ---- the running test (suite.c) ------------------------------------------------------------------------- */

/* Clears the state of the previous test. */
void suite_begin_test(void);

/* A failed test. */
struct suite_failure {
    enum suite_failure_kind kind;
    const char *meter;             /* for SUITE_OVER_BOUND: the meter; else null */
    const struct suite_call *call; /* the failing call; null: none was made */
    char said[2048];               /* lines that describe the mistake; "" if findings do */
};

/* The failure of the running test; null while it has not failed. */
const struct suite_failure *suite_failure(void);

/* Runs a check outside of all tests. Returns the failure that a test would have, or null. */
const struct suite_failure *suite_check(void (*check)(const struct suite_case *),
                                        const struct suite_case *is);

/* Ends the running test without a call. */
void suite_skip_test(enum suite_failure_kind kind, const char *why);

/* Makes one call and judges its result. Returns false if it is wrong or there is trouble. */
bool suite_attempt(struct suite_call *call, const struct suite_case *is, enum call_measure measure,
                   bool checks);

/* Like suite_correct with these meters. */
void suite_measured(const struct suite_case *is, enum call_measure measure);

/* The reply of the last call that suite_measured or another function of suite.h has made. */
const struct call_reply *suite_reply(void);

/* Like suite_correct with the slow checks. Returns false when the result is right but there are findings or leaks. */
bool suite_watch(const struct suite_case *is);

/* suite_last_call returns the last call; suite_fail_unclean ends the test with the findings or leaks of a call. */
const struct suite_call *suite_last_call(void);
void suite_fail_unclean(const struct suite_call *call);

/* Notes for messages of later failures that this length was right; 0 clears the note. */
void suite_note_right(size_t n);

/* Begin of the message of an aspect that cannot be judged. */
extern const char suite_not_judged[];

/* ---- all tests (suite_run_tests.c) ---------------------------------------------------------------------------- */

/* Runs the tests that the command line selects. Returns the exit status: 0 if all passed, 1 if any failed. */
int suite_run_tests(void);

/* Prints one line for each test that a part may have on the CPU device, and for each bound: the part, "test" or
 * "bound", the aspect, and the name of the test or the meter, separated by tabs. */
void suite_list_tests(void);

/* ---- proofs (suite_proof.c) ----------------------------------------------------------------------------- */

/* The steps of a sweep over the lengths of a part: it begins; it is about to make a call; a call was right, clean
 * or not; it has ended. */
void suite_proof_begin(const struct suite_part *part);
void suite_proof_try(const struct suite_case *is);
void suite_proof_note(const struct suite_call *call);
void suite_proof_note_again(const struct suite_call *call); /* another call at the same length */
/* Do many random inputs prove the part at a length? */
bool suite_proof_needs_images(const struct suite_part *part);
void suite_proof_end(void);

enum suite_proof {
    SUITE_PROOF_NONE, /* no proof: the part is only tested, this suite has no sweep, or a GPU */
    SUITE_PROOF_FAILS,
    SUITE_PROOF_HOLDS
};

/* Writes "checked at every n from 1 to 512 (and with TILE 64)", and to `details` all lengths of all builds; or "not
 * proved: " and the premise that fails, with its place; or "only tested: " and the reason. `failed` is true if a test
 * of the part failed. */
enum suite_proof suite_proof_tell(const struct suite_part *part, bool failed, struct suite_text *text,
                                  struct suite_text *details);

/* ---- counts (suite_counts.c) ---------------------------------------------------------------------------- */

/* Notes the value of a meter in a call with n elements of a part with this bound. */
void suite_counts_note(const struct suite_bound *bound, uint64_t value, uint64_t most, size_t n);

/* The lines of a message for a part that is past its bound only by the combines of padding and of idle lanes; "" for
 * others. `joining` of its combines join two parts of the input. Valid until the next call. */
const char *suite_counts_idle(const struct suite_bound *bound, uint64_t joining, uint64_t value,
                              uint64_t most);

/* Called after the last test of a part. Records each meter. */
void suite_counts_tell(const struct suite_part *part);

/* ---- texts (suite_message.c) --------------------------------------------------------------------------- */

/* The parts of a message in addition to the failure's own text. */
struct suite_words {
    char in[256];       /* the call: "scan_in_place on interval, 33 elements" */
    char context[2560]; /* lines: short arrays, and what other calls show about this one */
    char printed[600];  /* the first lines of the submission's output */
    char replay[512];   /* the command that repeats the call */
    const struct simt_finding *finding[SUITE_SHOWN_FINDINGS];
    uint32_t shown, more; /* number of findings in the message, and of further ones */
};
void suite_words(const struct suite_call *call, struct suite_words *words);

/* "right in forward order, wrong in reverse order" */
void suite_add_contrast(struct suite_text *text, const struct suite_case *right,
                        const struct suite_case *wrong);

/* "make run LAB=2 PART=scan_in_place MONOID=interval N=33 SEED=7", with further settings only if they are not the
 * default. */
void suite_add_replay(struct suite_text *text, const struct suite_case *is);

/* Adds a finding's title and its place: "race on shared a[1], at file.cu:3". */
void suite_add_title(struct suite_text *text, const struct simt_finding *finding);

const char *suite_aspect_name(enum suite_aspect aspect);
const char *suite_input_name(enum suite_input input);
const char *suite_order_name(uint32_t order);

/* ---- records (suite_record.c) --------------------------------------------------------------------------- */

/* Writes the records to this descriptor instead of stdout. Returns false if it is not open. If a record cannot be
 * written, the suite ends with status 2. */
bool suite_open_records(int descriptor);

/* The records of a test. All tests are planned before the first one is started. A test that is started passes or fails;
 * another one is not run, for this reason. */
void suite_record_planned(const struct suite_part *part, const struct suite_test *test);
void suite_record_started(const struct suite_part *part, const struct suite_test *test);
void suite_record_passed(const struct suite_part *part, const struct suite_test *test, double seconds);
void suite_record_failed(const struct suite_part *part, const struct suite_test *test, double seconds,
                         const struct suite_failure *failure);
void suite_record_not_run(const struct suite_part *part, const struct suite_test *test, const char *reason);

/* A meter's value in a call with n elements, and the bound; the words of suite_proof_tell; and the last record. */
void suite_record_meter(const struct suite_part *part, const struct suite_bound *bound, uint64_t value,
                        uint64_t most, size_t n);
void suite_record_proof(const struct suite_part *part, enum suite_proof outcome, const char *words,
                        const char *lengths);

/* What the CPU device says about the call that has just failed on a GPU; `failure` is null if it found none. */
void suite_record_again(const char *words, const struct suite_failure *failure);
void suite_record_end(int passed, int failed, int not_run);

/* Writes an escaped JSON string. */
void suite_put_string(FILE *file, const char *text, size_t length);

/* ---- output for people (suite_terminal.c) ------------------------------------------------------------------ */

/* The maximum length of a line: COLUMNS in the environment (0: unlimited), or the terminal's width; SIZE_MAX if
 * stdout is not a terminal. */
size_t suite_width(void);

/* Prints lines after `indent` blanks, and wraps long ones between words. On a terminal with colours, places of findings
 * and `try:` are bold. */
void suite_print(const char *text, size_t indent);

/* ---- sizes and positions (suite_shape.c) ------------------------------------------------------------------ */

/* Parses "37x53". Returns false for any other text. */
bool suite_parse_shape(const char *text, size_t *n);

/* Is the case too long for the CPU device, so that it must be sampled? */
bool suite_is_sampled(const struct suite_case *is);

/* Adds "33", or "3x8" in a lab of images. */
void suite_add_size(struct suite_text *text, size_t n);

/* Does the array have one element for each of the image's? */
bool suite_is_image(const struct suite_call *call, const struct suite_argument *argument);

/* Adds "slot 13", or "row 1, column 5". */
void suite_add_position(struct suite_text *text, const struct suite_call *call,
                        const struct suite_argument *argument, size_t slot);

/* ---- builds (suite_case.c) ------------------------------------------------------------------------------ */

/* The path of the library of a build: DIRECTORY/naive_scan.sum.so, or naive_scan.sum.64.so for another tile; or
 * naive_scan.interval.checked.so, which finds signed overflow and more (SIMT_DEFINED in simt/module.mk). */
void suite_library(char *path, size_t size, int monoid, size_t tile, bool for_proofs);

/* The monoid of the build in which a call is made. */
int suite_build_monoid(const struct suite_case *is);

/* Is there such a build for proofs, with this monoid and tile? */
bool suite_has_proof_build(int monoid, size_t tile);

/* ---- calls (suite_call.c) ------------------------------------------------------------------------------ */

/* Makes the call. Fills in the reply and `got` of the arrays, or trouble. Returns false when there is trouble. */
bool suite_perform(struct suite_call *call);

/* The number of calls that the runner of the case's build has served; 0 if the next call starts a fresh one. */
unsigned suite_served(const struct suite_case *is);

/* Stops the runner of the case's build, so that the next call starts a fresh one. */
void suite_retire(const struct suite_case *is);

/* Frees the memory of calls (suite_arrange.c). */
void suite_forget_memory(void);

/* Stops all runners and frees the memory of calls. */
void suite_end(void);

/* Frees the memory of earlier calls, and arranges a new one. */
void suite_arrange(struct suite_call *call, const struct suite_case *is);

/* Like suite_arrange, for a sampled case (suite_sampled.c). */
void suite_arrange_sampled(struct suite_call *call, const struct suite_case *is);

/* True once a call of the part has timed out: more calls would only take time. */
bool suite_part_hangs(const struct suite_part *part);
/* Explains why its tests are not run then. */
enum suite_failure_kind suite_explain_hanging(const struct suite_part *part, char *why, size_t size);
bool suite_time_is_over(void); /* see --seconds, or a call had no answer; then all parts count as hanging */

/* Clears that state after a timeout in a call that is not a test's, because it says nothing about later calls. */
void suite_forgive_hanging(void);

/* ---- late threads (suite_shape.c) ----------------------------------------------------------------------- */

/* "149:4:1": line, thread, block; or "149" for all threads. With ":stores" at the end, only stores come late. Parsing returns
 * false for any other text. */
void suite_add_late(struct suite_text *text, const struct simt_late *late);
bool suite_parse_late(const char *word, struct simt_late *late);

/* ---- every schedule (suite_explore.c) -------------------------------------------------------------------- */

/* Explores every schedule of short calls of a part whose threads talk by volatile and atomic accesses. Adds "every schedule of up to
 * 5 blocks ..." or why not, and a failing schedule, and to `calls` the number of calls. Returns whether all were explored and are
 * right. */
bool suite_explore(const struct suite_part *part, struct suite_text *text, size_t *calls);

/* ---- an explored schedule as text (suite_choices.c) ------------------------------------------------------ */

/* Adds the last accesses of a story, one line each. */
void suite_add_steps(struct suite_text *text, const struct simt_explored *explored, unsigned most);

/* "0110Z2": the choices of an explored schedule, for a replay. Parsing returns false for any other text. */
void suite_add_choices(struct suite_text *text, const struct simt_explore *explore);
bool suite_parse_choices(const char *word, struct simt_explore *explore);

/* ---- schedules (suite_schedules.c) ---------------------------------------------------------------------- */

/* Searches for another schedule under which the same call is right. */
bool suite_find_contrast(const struct suite_case *wrong, bool (*is_right)(const struct suite_case *),
                         struct suite_case *right);

/* ---- the smallest failing call (suite_smaller.c) --------------------------------------------------------- */

/* Makes a call. Returns whether it fails like the first one, if `same_words` with the same explanation, and the number
 * of instructions that it executed. */
typedef bool suite_fails_alike(const struct suite_case *is, bool same_words, uint64_t *work);

/* Do two statements about wrong slots explain them in the same words? Numbers may differ (suite_judge.c). */
bool suite_same_explanation(const char *a, const char *b);

/* Searches for a case with fewer elements, a plainer schedule, and simpler values if `values`. Returns false if
 * none was found. */
bool suite_find_smaller(const struct suite_case *failed, bool values, suite_fails_alike *fails,
                        struct suite_case *smaller);

/* ---- what a race can do (suite_race.c) -------------------------------------------------------------------- */

/* Makes a call and returns it; null when no more calls can be made. */
typedef const struct suite_call *suite_try(const struct suite_case *is);

/* Searches for an order of threads in which the result is wrong of a call that is right and has this race, or of the larger call
 * `first` that was made before it (may be null). Adds lines that tell the order, or why it is a race though there is none. */
void suite_tell_race(const struct suite_case *is, const struct suite_case *first,
                     const struct simt_finding *race, suite_try *try, struct suite_text *text);

/* ---- rows of a message (suite_rows.c) ------------------------------------------------------------------- */

/* Adds the arrays of a judged call, if they are short: one line each, with wrong elements marked. */
void suite_add_rows(struct suite_text *text, const struct suite_call *call);

/* ---- unwritten parts (suite_unwritten.c) --------------------------------------------------------------- */

/* Fills in `unwritten` of a call that did not fail, before it is judged. */
void suite_look_for_work(struct suite_call *call);

/* ---- comparing (suite_judge.c) ------------------------------------------------------------------------- */

/* Compares the results with the expected ones. Fills in the statement. Returns true if everything is right. */
bool suite_judge(struct suite_call *call);

/* Does the element that came back have the expected value? */
bool suite_slot_is_right(const struct suite_argument *argument, size_t i);

/* Has the host copied no more from the device than the contract allows? If not, fills in trouble
 * (suite_host_bytes.c). */
bool suite_judge_copies(struct suite_call *call);

/* Is this number of bytes more than the host may get? If so, fills in `why`. */
bool suite_host_has_too_much(const struct suite_case *is, uint64_t bytes, char *why, size_t size);

/* ---- `--show` (suite_show.c) --------------------------------------------------------------------------- */

/* Makes one call and prints arrays, findings and meters; saves the arrays if the command line asks for it. Returns
 * the exit status: 0 if the result is right. */
int suite_show(const struct suite_case *is);

/* ---- a second look (suite_look_again.c) ------------------------------------------------------------------ */

/* After a call on a GPU failed: makes it on the CPU device, with the same input and arguments, and records what that
 * finds, or why it may find nothing. Does nothing without --look-again. The arrays of the failed call are freed, and the
 * running test's state is lost: the caller must have recorded the failure. */
void suite_look_again(const struct suite_failure *failure);

/* ---- meters (suite_meters.c) ---------------------------------------------------------------------------- */

/* The value of a meter in a call: one of the device's, or one that the suite computes:
 *     elements moved    elements that fill the uncached sectors of kernels, and those of copies
 * Returns false when there is no meter with this name. */
bool suite_meter(const struct suite_call *call, const char *name, uint64_t *value);

/* The maximum length that the contract allows, or a share of what a plain call can afford, but at most `most`.
 * (suite_lengths.c) */
size_t suite_most_of(const struct suite_part *part, size_t most, size_t share);

/* The length by which a call's work is judged: idle lanes of the last warps may work, so a short length is judged by the
 * bound for the next multiple that fills warps. (suite_work.c) */
size_t suite_judged_length(const struct suite_case *is);

/* Notes a right call, and returns the first one of a part that made too many combines, at any length; null if none did.
 * suite_judge_work measures that call, in suite_drawn.c. */
void suite_note_work(const struct suite_call *call);
const struct suite_case *suite_noted_work(const struct suite_part *part);
void suite_judge_work(const struct suite_part *part);

/* Prints a table of a call's meters: value, bound of the contract, the line that contributes most, and what is counted
 * (suite_totals.c). Meters that are 0 are only named. */
void suite_print_meters(const struct suite_call *call);

/* `--meters`: makes calls and prints their meters, for one call line by line, or for all parts. Returns the exit
 * status: 0 if the results are right and the meters within the contract's bounds. */
int suite_meters_of(const struct suite_case *is);
int suite_meters_of_all(void);

/* ---- data sets (suite_input.c) ------------------------------------------------------------------------- */

/* Reads the lab's data set. Returns false on failure; then `why` is one line. */
bool suite_open_series(char *why, size_t why_size);
void suite_close_series(void);

#endif
