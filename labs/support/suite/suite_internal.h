/* suite_internal.h: what the suite's own files share. A lab's suite needs suite.h only. */
#ifndef LABS_SUITE_INTERNAL_H
#define LABS_SUITE_INTERNAL_H

#include "suite.h"
#include <stdio.h>

/* The command line, and what follows from it. */
struct suite_options {
    const char *submission; /* folder of the libraries */
    const char *runner;     /* program */
    const char **sandbox;   /* words before the runner's, ended by null; or null */
    const char *part;       /* the only part to test; null: all */
    const char *left_out;   /* parts not to test, with commas between; null: none */
    const char *lost;       /* "part:aspect", with commas between: see suite_is_lost; null: none */
    unsigned enough;        /* failures of an aspect of a part, after which it is lost; 0: all tests run */
    const char *lab_file;   /* the student's file, for messages */
    const char *datasets;   /* folder */
    const char *xml;        /* file; null: none */
    const char
        *proofs; /* file for a line a part: its name, what was checked, details, with tabs; null: none */
    const char *counts;    /* file for a line a bound: see suite_counts_tell; null: none */
    const char *failures;  /* file for a record a failed test: see suite_record.c; null: none */
    const char *events;    /* memory.events of the runners' control group; null: there is none */
    double seconds;        /* after which no call is made, and what is not tested is no verdict; 0: none */
    uint64_t budget_share; /* a call may execute its budget divided by this: at least 1 */
    bool huge;             /* test with more than 2^31 elements */
    bool fold;             /* show the first failure of each aspect of a part, and count the others */
    bool prove;            /* nothing but proofs, and those of one tile at every length of every build */
    bool on_cuda;          /* the device */
    const char *save;      /* folder for the arrays of the call that is shown; null: none */
    const char *trace;     /* file for a record of the call that is shown; null: none. See suite_trace.c */
    bool judge_work;       /* the call that is shown is judged by how the work is shared, too */
    bool debug;            /* that call may take as long as it likes: a debugger holds it */
    size_t tile;           /* the only build to test; 0: all */
    uint64_t seed;
    int progress; /* descriptor; -1: none */
};

extern struct suite_options suite_options;
extern const struct suite_lab *suite_lab;

enum { SUITE_SHOWN_FINDINGS = 3 /* in one message */ };

/* All tiles that submissions are built for, in the order in which they are tried. */
enum { SUITE_TILES = 3, SMALL_TILE = 64, LARGE_TILE = 1024 };
extern const size_t suite_tiles[SUITE_TILES];

/* Has the device record the calls that follow, in the file of suite_options.trace; afterwards, writes down beside it
 * what call it was. Both do nothing without that option. */
void suite_begin_trace(void);
bool suite_end_trace(const struct suite_call *call, bool came_through, bool good);

/* Is it a test of the sweep that proves the part: that of results, or that of findings? (suite_sweep.c) */
bool suite_is_proof(const struct suite_part *part, const struct suite_test *test);

/* Is `name` one of the words of `list` that commas part? Of null nothing is. */
bool suite_is_listed(const char *list, const char *name);

/* ---- points that are lost (suite_lost.c) ---------------------------------------------------------------- */

/* A test of this aspect of the part failed. */
void suite_lost_note(const struct suite_part *part, enum suite_aspect aspect);

/* Have at least `times` tests of this aspect failed? `part` is the one whose tests run now. */
bool suite_has_failed(const struct suite_part *part, enum suite_aspect aspect, unsigned times);

/* Need no more tests of this aspect of the part be run? */
bool suite_is_lost(const struct suite_part *part, enum suite_aspect aspect);

/* ---- the running test (suite.c) ------------------------------------------------------------------------- */

/* Forgets the test before. */
void suite_begin_test(void);

/* What a failed test says. */
struct suite_failure {
    enum suite_failure_kind kind;
    const char *meter;             /* of SUITE_OVER_BOUND: which; else null */
    const struct suite_call *call; /* that showed it; null: none was made */
    char said[2048];               /* lines: what is wrong; "" when findings say it */
    char message[3600];            /* all that a person reads: see suite_message. Check cuts off at 4096 */
};

/* Of the running test; null while it has not failed. */
const struct suite_failure *suite_failure(void);

/* Runs a check outside of all tests. Returns what a test would fail with, or null. */
const struct suite_failure *suite_check(void (*check)(const struct suite_case *),
                                        const struct suite_case *is);

/* Ends it without a call. */
void suite_skip_test(enum suite_failure_kind kind, const char *why);

/* suite_correct with these meters counting. */
void suite_measured(const struct suite_case *is, enum call_measure measure);

/* suite_correct with the slow checks looking. False when the result is right, but there are findings or leaks. */
bool suite_watch(const struct suite_case *is);

/* The call that was made last; and the end of a test with the findings or leaks of one. */
const struct suite_call *suite_last_call(void);
void suite_fail_unclean(const struct suite_call *call);

/* For messages of later failures: so many elements were right; 0: forget it. */
void suite_note_right(size_t n);

/* How the message begins when an aspect other than correctness cannot be judged. */
extern const char suite_not_judged[];
extern const char suite_not_run[];

/* ---- all tests (suite_run_tests.c) ---------------------------------------------------------------------------- */

/* Runs the tests that the command line asks for. Returns the exit status: 0 when all passed, 1 when any failed. */
int suite_run_tests(void);

/* Prints a line for each test that a part may have on the CPU device, and for each bound: the part, "test" or "bound", the
 * aspect, and the name of the test or the meter, with tabs between. */
void suite_list_tests(void);

/* ---- what is proved (suite_proof.c) --------------------------------------------------------------------- */

/* Of a sweep over the lengths of a part: it begins; it makes a call; the call was right, whether clean or not; it has reached
 * its end. */
void suite_proof_begin(const struct suite_part *part);
void suite_proof_try(const struct suite_case *is);
void suite_proof_note(const struct suite_call *call);
void suite_proof_end(void);

enum suite_proof {
    SUITE_PROOF_NONE, /* nothing to say: no proof monoid, no sweep in this suite, or a GPU */
    SUITE_PROOF_FAILS,
    SUITE_PROOF_HOLDS
};

/* "checked at every n from 1 to 512 (and with TILE 64)", and in `details` all lengths of all builds; or "not proved: " and the
 * premise that fails, with the place. `failed`: did a test of the part fail? */
enum suite_proof suite_proof_tell(const struct suite_part *part, bool failed, struct suite_text *text,
                                  struct suite_text *details);

/* ---- what was counted (suite_counts.c) ------------------------------------------------------------------ */

/* Keeps what a meter counted in a call with n elements, of a part with this bound. */
void suite_counts_note(const struct suite_bound *bound, uint64_t value, uint64_t most, size_t n);

/* After the last test of a part: appends to the file that --counts names a line for each meter: the part, the meter,
 * its value, the bound, the length or shape of the call, and the bound's formula, with tabs between. */
void suite_counts_tell(const struct suite_part *part);

/* Adds at most so many of the lines, each with an indent (suite_text.c). */
void suite_add_indented(struct suite_text *text, const char *lines, int most);

/* ---- words (suite_message.c) --------------------------------------------------------------------------- */

/* What a message is made of, beside what the failure says. */
struct suite_words {
    char in[256];       /* "scan_in_place on interval, 33 elements": what was called */
    char context[2560]; /* lines: the arrays when they are short, and what other calls show about this one */
    char printed[600];  /* lines: the first that the submission printed */
    char replay[512];   /* the command that repeats it */
    const struct simt_finding *finding[SUITE_SHOWN_FINDINGS];
    uint32_t shown, more; /* findings in the message; and those left out of it */
};
void suite_words(const struct suite_call *call, struct suite_words *words);

/* "right in forward order, wrong in reverse order" */
void suite_add_contrast(struct suite_text *text, const struct suite_case *right,
                        const struct suite_case *wrong);

/* "make run LAB=2 PART=scan_in_place MONOID=interval N=33 SEED=7": extras only where they are not default. */
void suite_add_replay(struct suite_text *text, const struct suite_case *is);

/* Fills in the message of a failure: what it says, findings, output, replay line. */
void suite_message(struct suite_failure *failure);

const char *suite_aspect_name(enum suite_aspect aspect);
const char *suite_input_name(enum suite_input input);
const char *suite_order_name(uint32_t order);

/* ---- records (suite_record.c) --------------------------------------------------------------------------- */

/* Opens a file that the grader reads, to append to it; null if `path` is null. If it cannot be opened, as on a full
 * disk, the suite ends with status 2, because an incomplete file would look complete. */
FILE *suite_append(const char *path);

/* Closes the file. If not everything could be written, the suite ends in the same way. */
void suite_written(FILE *file);

/* Appends the failure to the file that --failures names: a line of JSON, all that the message is made of. */
void suite_record(const char *part, const char *aspect, const char *test,
                  const struct suite_failure *failure);

/* Writes a string of JSON, escaped. */
void suite_put_string(FILE *file, const char *text, size_t length);

/* ---- lines for people (suite_terminal.c) ------------------------------------------------------------------ */

/* How many characters a line may have: COLUMNS of the environment (0: any number), or the terminal's width; SIZE_MAX
 * when stdout is no terminal. */
size_t suite_width(void);

enum { VERDICT_INDENT = 2 /* of the lines that begin with ok or FAILED */ };

/* Prints lines behind `indent` blanks, and wraps those that are too long between words; a replay line never. On a terminal
 * that knows colours, verdicts, places of findings, `try:` and `replay:` have them. */
void suite_print(const char *text, size_t indent);

/* ---- sizes and positions (suite_shape.c) ------------------------------------------------------------------ */

/* "37x53". False when the text is none. */
bool suite_parse_shape(const char *text, size_t *n);

/* Is the case too long for the CPU device, so that it is sampled? */
bool suite_is_sampled(const struct suite_case *is);

/* "33", or "3x8" in a lab of images. */
void suite_add_size(struct suite_text *text, size_t n);

/* Has the array an element for each of the image's? */
bool suite_is_image(const struct suite_call *call, const struct suite_argument *argument);

/* "slot 13", or "row 1, column 5". */
void suite_add_position(struct suite_text *text, const struct suite_call *call,
                        const struct suite_argument *argument, size_t slot);

/* ---- calls (suite_call.c) ------------------------------------------------------------------------------ */

/* Makes the call. Fills in `got` of the arrays and reply, or trouble. False when there is trouble. */
bool suite_perform(struct suite_call *call);

/* The library of a build of the lab: DIRECTORY/naive_scan.sum.so, or naive_scan.sum.64.so for another tile. */
void suite_library(char *path, size_t size, int monoid, size_t tile);

/* How many calls the runner of the case's build has served; 0 when a fresh one comes next. */
unsigned suite_served(const struct suite_case *is);

/* Stops the runner of the case's build; the next call starts a fresh one. */
void suite_retire(const struct suite_case *is);

/* Frees the memory of calls (suite_arrange.c). */
void suite_forget_memory(void);

/* Stops all runners and frees the memory of calls. */
void suite_end(void);

/* Forgets the memory of earlier calls, and arranges a new one. */
void suite_arrange(struct suite_call *call, const struct suite_case *is);

/* The same as suite_arrange for a case that is sampled (suite_sampled.c). */
void suite_arrange_sampled(struct suite_call *call, const struct suite_case *is);

/* True once a call of the part has timed out: further ones would only cost time. */
bool suite_part_hangs(const struct suite_part *part);
/* Why its tests are not run, then. */
enum suite_failure_kind suite_explain_hanging(const struct suite_part *part, char *why, size_t size);
bool suite_time_is_over(void); /* see --seconds; then all parts hang */

/* The call that timed out was no test's, so it says nothing about those to come. */
void suite_forgive_hanging(void);

/* ---- schedules (suite_schedules.c) ---------------------------------------------------------------------- */

/* Looks for another schedule under which the same call is right. */
bool suite_find_contrast(const struct suite_case *wrong, bool (*is_right)(const struct suite_case *),
                         struct suite_case *right);

/* ---- the smallest call that fails (suite_smaller.c) ------------------------------------------------------ */

/* Makes a call, and says whether it fails as the first one did; and how many instructions it executed. */
typedef bool suite_fails_alike(const struct suite_case *is, uint64_t *work);

/* Looks for a case with fewer elements, a plainer schedule, and simpler `values` if they matter. False when none was found. */
bool suite_find_smaller(const struct suite_case *failed, bool values, suite_fails_alike *fails,
                        struct suite_case *smaller);

/* ---- rows of a message (suite_rows.c) ------------------------------------------------------------------- */

/* Adds the arrays of a call that was judged, when they are short: a line each, with wrong elements marked. */
void suite_add_rows(struct suite_text *text, const struct suite_call *call);

/* ---- parts that are not written yet (suite_unwritten.c) ------------------------------------------------ */

/* Fills in `unwritten` of a call that did not fail, before it is judged. */
void suite_look_for_work(struct suite_call *call);

/* ---- comparing (suite_judge.c) ------------------------------------------------------------------------- */

/* Compares what came back. Fills in statement. True when all is right. */
bool suite_judge(struct suite_call *call);

/* Does the element that came back hold what it must? */
bool suite_slot_is_right(const struct suite_argument *argument, size_t i);

/* Has the host copied no more from the device than the contract allows? Else fills in trouble (suite_host_bytes.c). */
bool suite_judge_copies(struct suite_call *call);

/* Are so many bytes more than the host may get? Then fills in why. */
bool suite_host_has_too_much(const struct suite_case *is, uint64_t bytes, char *why, size_t size);

/* ---- `--show` (suite_show.c) --------------------------------------------------------------------------- */

/* Makes one call and prints arrays, findings and meters; saves the arrays where the command line says so. Returns the exit
 * status: 0 when the result is right. */
int suite_show(const struct suite_case *is);

/* ---- meters (suite_meters.c) ---------------------------------------------------------------------------- */

/* A meter of the call that was made: one of the device's, or what the suite makes of them:
 *     elements moved    elements that fill the uncached sectors of kernels, and those of copies
 * False when the device has none of this name. */
bool suite_meter(const struct suite_call *call, const char *name, uint64_t *value);

/* `--meters`: makes calls and prints their meters; of one call line by line, or of all parts. Returns the exit
 * status: 0 when the results are right and the meters within the contract's bounds. */
int suite_meters_of(const struct suite_case *is);
int suite_meters_of_all(void);

/* ---- data sets (suite_input.c) ------------------------------------------------------------------------- */

/* Reads the lab's data set. False: `why` is one line. */
bool suite_open_series(char *why, size_t why_size);
void suite_close_series(void);

#endif
