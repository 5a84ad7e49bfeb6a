/* suite.c: the program around a lab's tables: command line, Check, progress, verdicts. */
#include "suite_internal.h"
#include <check.h>
#include <getopt.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    MESSAGE_BYTES = 3600, /* Check cuts off at 4096 */
    MAX_TESTS = 512,
    MAX_SANDBOX_WORDS = 100
};

struct suite_options suite_options = {
    .runner = NULL,
    .datasets = "datasets",
    .seed = 1,
    .progress = -1,
};
const struct suite_lab *suite_lab;

/* One test of one part, as Check gets it. */
struct row {
    const struct suite_part *part;
    const struct suite_test *test;
    TTest check;
    char tcase[96]; /* "scan_in_place correct" */
};
static struct row rows[MAX_TESTS];
static int row_count;

/* The running test. */
static struct suite_call current;
static const struct row *running;
static char message[MESSAGE_BYTES]; /* of its failure; "" while it has not failed */
static size_t longest_right;        /* of suite_all_lengths; 0: none yet */

static int passed, failed;

static const char not_judged[] = "not judged while the result is wrong";
static const char *const aspect_names[] = {"correct", "clean", "efficient"};

/* ---- cases --------------------------------------------------------------------------------------------- */

struct suite_case suite_case(const struct suite_part *part, int monoid, size_t n)
{
    return (struct suite_case){.part = part,
                               .monoid = monoid,
                               .n = n,
                               .seed = suite_options.seed,
                               .input = INPUT_RANDOM,
                               .order = CALL_FORWARD,
                               .resident = 16};
}

bool suite_length(const struct suite_lengths *lengths, size_t i, size_t *n)
{
    size_t range = lengths->to >= lengths->from ? lengths->to - lengths->from + 1 : 0;
    if (i >= range + lengths->count)
        return false;
    *n = i < range ? lengths->from + i : lengths->list[i - range];
    return true;
}

uint64_t suite_seed(void)
{
    return suite_options.seed;
}

bool suite_on_cpu_device(void)
{
    return !suite_options.on_cuda;
}

const char *suite_datasets(void)
{
    return suite_options.datasets;
}

bool suite_huge(void)
{
    return suite_options.huge;
}

bool suite_takes(const struct suite_part *part, int monoid)
{
    return part->monoids >> monoid & 1;
}

/* ---- verdicts ------------------------------------------------------------------------------------------ */

static void fail_with(const char *head)
{
    current.right_up_to = longest_right;
    suite_message(&current, head, message, sizeof message);
    ck_abort_msg("%s", message);
}

void suite_fail(const char *format, ...)
{
    char head[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(head, sizeof head, format, arguments);
    va_end(arguments);
    fail_with(head);
}

static bool attempt(struct suite_call *call, const struct suite_case *is, enum call_measure measure,
                    bool checks)
{
    suite_arrange(call, is);
    call->measure = measure;
    call->checks = checks;
    return suite_perform(call) && suite_judge(call);
}

static bool right_in_a_fresh_process(const struct suite_case *is)
{
    static struct suite_call alone;
    if (suite_part_hangs(is->part))
        return false;
    suite_retire(is->monoid);
    return attempt(&alone, is, CALL_METERS_OFF, false);
}

/* After a call that failed without the slow checks: what they have to say of it. */
static void look_closer(const struct suite_case *is, enum call_measure measure)
{
    static struct suite_call closer;
    if (!attempt(&closer, is, measure, true) && !suite_part_hangs(is->part))
        current = closer;
}

/* Makes the call. After a failure it tries again with all checks; then in a fresh process, if this one has served
 * other calls, and under other schedules, so that the message can tell whether earlier calls or the order had a
 * part in it. */
static bool make_call(const struct suite_case *is, enum call_measure measure, bool checks)
{
    bool used = suite_served(is->monoid) > 0;
    if (attempt(&current, is, measure, checks))
        return true;
    if (suite_part_hangs(is->part) || current.reply.status == CALL_MISSING)
        return false;
    if (!checks)
        look_closer(is, measure);
    if (suite_part_hangs(is->part))
        return false;
    current.history = used && right_in_a_fresh_process(is);
    current.contrast = !current.history && suite_find_contrast(is, right_in_a_fresh_process, &current.right);
    return false;
}

void suite_correct(const struct suite_case *is)
{
    if (!make_call(is, CALL_METERS_OFF, false))
        fail_with(NULL);
}

/* Ends a test of a part whose result is right under one schedule and wrong under another. */
static void blame_schedule(void)
{
    char words[128];
    struct suite_text text = suite_text(words, sizeof words);
    suite_add_contrast(&text, &current.right, &current.is);
    current.contrast = false; /* it is told */
    suite_fail("the result depends on the order in which threads run: %s\n%s"
               "try: which threads touch the same element with no barrier, fence or atomic between them?",
               words, current.statement);
}

/* Ends a test of an aspect that means nothing while the result is wrong. */
static void blame_wrong_result(void)
{
    if (current.trouble[0] || !current.statement[0])
        fail_with(NULL);
    if (current.contrast)
        blame_schedule();
    suite_fail("%s: %.*s", not_judged, (int)strcspn(current.statement, "\n"), current.statement);
}

void suite_clean(const struct suite_case *is)
{
    if (!make_call(is, CALL_METERS_OFF, true) && current.reply.all_findings == 0)
        blame_wrong_result();
    if (current.reply.all_findings > 0) {
        current.trouble[0] = current.statement[0] = 0; /* the findings speak first */
        fail_with(NULL);
    }
    if (current.reply.leaks > 0)
        suite_fail("leak: %llu allocation%s of device memory not freed\n"
                   "try: cudaFree what you cudaMalloc, before the function returns",
                   (unsigned long long)current.reply.leaks, current.reply.leaks == 1 ? "" : "s");
}

static uint64_t meter(const char *name)
{
    uint64_t value = 0;
    if (!suite_meter(&current, name, &value))
        suite_fail("the harness itself failed: the device has no meter \"%s\"", name);
    return value;
}

void suite_efficient(const struct suite_case *is, const struct suite_bound *bound)
{
    if (!make_call(is, CALL_METERS_ON, false))
        blame_wrong_result();
    uint64_t value = meter(bound->meter), most = bound->most(is->n);
    if (value > most)
        suite_fail("%s: %llu counted, at most %llu allowed\nthe bound is %s\n"
                   "try: make meters in the place of make run below: it shows which lines count",
                   bound->meter, (unsigned long long)value, (unsigned long long)most, bound->formula);
}

void suite_combines(const struct suite_case *is, uint64_t least)
{
    suite_correct(is);
    uint64_t value = meter("combines");
    if (value < least)
        suite_fail(
            "combines: %llu counted, at least %llu are needed\n"
            "try: combine() in a kernel for every addition; the host and your own operator are not counted",
            (unsigned long long)value, (unsigned long long)least);
}

void suite_all_lengths(struct suite_case is, const struct suite_lengths *lengths)
{
    for (size_t i = 0; suite_length(lengths, i, &is.n); i++) {
        suite_correct(&is);
        longest_right = suite_elements(is.n) > 0 ? is.n : 0;
    }
    longest_right = 0;
}

const void *suite_got(unsigned argument, size_t *bytes)
{
    const struct suite_argument *array = &current.argument[argument];
    *bytes = array->count * element_size(array->element);
    return array->got;
}

/* ---- tests as Check runs them -------------------------------------------------------------------------- */

static void print_sentence(const char *name)
{
    for (; *name; name++)
        putchar(*name == '_' ? ' ' : *name);
    putchar('\n');
}

/* What a person at a terminal sees: a line a test; the whole message of a part's first failure in each
 * aspect, and of the others the first line, unless it is the one just shown. */
static void print_message(const struct row *row)
{
    static const struct row *shown;
    static char last[sizeof message];
    if (strncmp(message, not_judged, strlen(not_judged)) == 0) {
        printf("      %s\n", not_judged);
        return;
    }
    bool whole = !shown || shown->part != row->part || shown->test->aspect != row->test->aspect;
    size_t first = strcspn(message, "\n");
    if (!whole && strlen(last) == first && strncmp(message, last, first) == 0)
        return;
    snprintf(last, sizeof last, "%.*s", (int)first, message);
    shown = row;
    const char *line = message;
    do {
        int length = (int)strcspn(line, "\n");
        printf("      %.*s\n", length, line);
        line += length;
        line += *line == '\n';
    } while (whole && *line);
}

static void print_result(const struct row *row)
{
    static const struct suite_part *heading;
    if (heading != row->part) {
        heading = row->part;
        printf("\n%s\n", row->part->name);
    }
    printf("  %-6s %-9s  ", message[0] ? "FAILED" : "ok", aspect_names[row->test->aspect]);
    print_sentence(row->test->name);
    if (message[0])
        print_message(row);
    fflush(stdout);
}

static void write_progress(const char *line)
{
    if (suite_options.progress >= 0) {
        ssize_t written = write(suite_options.progress, line, strlen(line));
        (void)written; /* nobody reads it: no reason to stop */
    }
}

static void before_test(void)
{
    running = NULL;
    message[0] = 0;
    longest_right = 0;
    memset(&current, 0, sizeof current);
}

/* Runs after a failed test too: a failure jumps out of the body, not past the fixtures. */
static void after_test(void)
{
    char line[512];
    snprintf(line, sizeof line, "%s\t%s %s\t%s\n", message[0] ? "failed" : "passed", running->part->name,
             aspect_names[running->test->aspect], running->test->name);
    write_progress(line);
    if (message[0])
        failed++;
    else
        passed++;
    if (!suite_options.xml)
        print_result(running);
}

static void run_row(int i)
{
    running = &rows[i];
    if (suite_part_hangs(running->part)) {
        snprintf(message, sizeof message, "timed out: not run, because a call of %s before this timed out",
                 running->part->name);
        ck_abort_msg("%s", message);
    }
    running->test->body(running->part);
}

static Suite *build_suite(void)
{
    Suite *suite = suite_create(suite_lab->name);
    for (size_t p = 0; p < suite_lab->count; p++) {
        const struct suite_part *part = &suite_lab->parts[p];
        if (suite_options.part && strcmp(suite_options.part, part->name) != 0)
            continue;
        for (enum suite_aspect aspect = CORRECT; aspect <= EFFICIENT; aspect++) {
            TCase *tcase = NULL;
            for (const struct suite_test *test = part->tests; test->name; test++) {
                if (test->aspect != aspect || (test->applies && !test->applies(part)) ||
                    (aspect != CORRECT && suite_options.on_cuda) || row_count == MAX_TESTS)
                    continue;
                struct row *row = &rows[row_count];
                *row = (struct row){part, test, {test->name, run_row, __FILE__, __LINE__}, ""};
                snprintf(row->tcase, sizeof row->tcase, "%s %s", part->name, aspect_names[aspect]);
                if (!tcase) {
                    tcase = tcase_create(row->tcase);
                    tcase_add_checked_fixture(tcase, before_test, after_test);
                    suite_add_tcase(suite, tcase);
                }
                _tcase_add_test(tcase, &row->check, 0, 0, row_count, row_count + 1);
                row_count++;
            }
        }
    }
    return suite;
}

static int run_suite(void)
{
    char line[64];
    Suite *suite = build_suite();
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK); /* the submission runs in a process of its own: see call.h */
    if (suite_options.xml)
        srunner_set_xml(runner, suite_options.xml);
    snprintf(line, sizeof line, "total\t%d\n", row_count);
    write_progress(line);
    srunner_run_all(runner, CK_SILENT);
    srunner_free(runner);
    if (!suite_options.xml)
        printf("\n%s: %d passed, %d failed\n", suite_lab->name, passed, failed);
    return failed > 0 ? 1 : 0;
}

/* ---- command line -------------------------------------------------------------------------------------- */

static const char usage_text[] =
    "usage: check_%s --submission DIRECTORY [options]\n"
    "  --submission DIR     where the libraries of the submission are: build/cpu/student\n"
    "  --runner FILE        program that runs them (build/DEVICE/runner)\n"
    "  --sandbox \"WORDS\"    command before the runner's, words separated by blanks\n"
    "  --device cpu|cuda    what the libraries were built for (cpu)\n"
    "  --part NAME          test this part only\n"
    "  --seed NUMBER        of all random inputs and schedules (1)\n"
    "  --huge               test lengths past 2^31 too: needs a GPU, and 64 GB of memory on both sides\n"
    "  --datasets DIR       folder of the data sets (datasets)\n"
    "  --lab-file FILE      the student's file, for messages\n"
    "  --xml FILE           write Check's XML there, and nothing to stdout\n"
    "  --progress FD        write a line to this descriptor after every test\n"
    "  --meters             print what the device's meters say of each part, beside the bounds of the "
    "contract;\n"
    "                       with --part --monoid --n, of one call, line by line\n"
    "  --show               make one call and print it: with --part --monoid --n --seed, and --input,\n"
    "                       --in-place, --shift, --order, --resident as in a replay line; --shape 37x53\n"
    "                       takes the place of --n in labs of images\n"
    "  --save DIR           write the arrays of that call there, as .npy files, named PART-ARRAY.npy\n";

/* Complains to stderr and returns false. */
static bool complain(const char *format, ...) __attribute__((format(printf, 1, 2)));
static bool complain(const char *format, ...)
{
    va_list arguments;
    fprintf(stderr, "check_%s: ", suite_lab->name);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fprintf(stderr, "\n");
    return false;
}

static bool parse_number(const char *option, const char *text, uint64_t most, uint64_t *number)
{
    char *end;
    unsigned long long value = strtoull(text, &end, 10);
    if (*text < '0' || *text > '9' || *end || value > most)
        return complain("%s %s: that is no number from 0 to %llu", option, text, (unsigned long long)most);
    *number = value;
    return true;
}

/* Which word of a list; `count` when it is none of them. */
static uint32_t find_word(const char *word, uint32_t count, const char *(*name)(uint32_t))
{
    uint32_t i = 0;
    while (i < count && strcmp(word, name(i)) != 0)
        i++;
    return i;
}

static const char *input_name(uint32_t i)
{
    return suite_input_name((enum suite_input)i);
}

static const char **split_words(char *text)
{
    static const char *words[MAX_SANDBOX_WORDS + 1];
    size_t count = 0;
    char *rest = NULL;
    for (char *word = strtok_r(text, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        if (count == MAX_SANDBOX_WORDS)
            return NULL;
        words[count++] = word;
    }
    words[count] = NULL;
    return count > 0 ? words : NULL;
}

static const struct suite_part *find_part(const char *name)
{
    for (size_t i = 0; i < suite_lab->count; i++)
        if (strcmp(suite_lab->parts[i].name, name) == 0)
            return &suite_lab->parts[i];
    complain("%s is no part of this lab; its parts are:", name);
    for (size_t i = 0; i < suite_lab->count; i++)
        fprintf(stderr, "    %s\n", suite_lab->parts[i].name);
    return NULL;
}

/* What the command line says that is of no interest to other files. */
struct command {
    bool show, meters;
    bool shaped; /* the case has a shape, not a length */
    const char *monoid;
    struct suite_case shown;
};

static bool parse_option(int option, char *value, struct command *command)
{
    struct suite_case *shown = &command->shown;
    uint64_t number = 0;
    bool good = true;
    switch (option) {
    case 's':
        suite_options.submission = value;
        return true;
    case 'r':
        suite_options.runner = value;
        return true;
    case 'b':
        suite_options.sandbox = split_words(value);
        return suite_options.sandbox || complain("--sandbox: no words, or too many");
    case 'd':
        suite_options.on_cuda = strcmp(value, "cuda") == 0;
        return suite_options.on_cuda || strcmp(value, "cpu") == 0 || complain("--device is cpu or cuda");
    case 'p':
        suite_options.part = value;
        return true;
    case 'e':
        return parse_number("--seed", value, UINT64_MAX, &suite_options.seed);
    case 'H':
        suite_options.huge = true;
        return true;
    case 'D':
        suite_options.datasets = value;
        return true;
    case 'l':
        suite_options.lab_file = value;
        return true;
    case 'x':
        suite_options.xml = value;
        return true;
    case 'P':
        good = parse_number("--progress", value, 1 << 20, &number);
        suite_options.progress = (int)number;
        return good;
    case 'S':
        command->show = true;
        return true;
    case 'M':
        command->meters = true;
        return true;
    case 'm':
        command->monoid = value;
        return true;
    case 'n':
        good = parse_number("--n", value, (uint64_t)1 << 32, &number);
        shown->n = (size_t)number;
        return good;
    case 'z':
        if (!suite_lab->images)
            return complain("--shape: this lab has no images; it takes --n");
        command->shaped = true;
        return suite_parse_shape(value, &shown->n) || complain("--shape %s: that is not ROWSxCOLUMNS", value);
    case 'v':
        suite_options.save = value;
        return true;
    case 'i':
        shown->input = (enum suite_input)find_word(value, INPUT_KINDS, input_name);
        return shown->input < INPUT_KINDS || complain("--input %s: there is no such kind", value);
    case 'I':
        good = parse_number("--in-place", value, 9, &number);
        shown->in_place = (unsigned)number;
        return good;
    case 'h':
        good = parse_number("--shift", value, 15, &number);
        shown->shift = (unsigned)number;
        return good;
    case 'o':
        shown->order = find_word(value, CALL_RANDOM + 1, suite_order_name);
        return shown->order <= CALL_RANDOM || complain("--order is forward, reverse or random");
    case 'R':
        good = parse_number("--resident", value, 64, &number);
        shown->resident = (uint32_t)number;
        return (good && number > 0) || complain("--resident is 1 to 64");
    default:
        return false;
    }
}

static bool parse(int count, char **words, struct command *command)
{
    static const struct option options[] = {
        {"submission", 1, NULL, 's'}, {"runner", 1, NULL, 'r'},   {"sandbox", 1, NULL, 'b'},
        {"device", 1, NULL, 'd'},     {"part", 1, NULL, 'p'},     {"seed", 1, NULL, 'e'},
        {"datasets", 1, NULL, 'D'},   {"huge", 0, NULL, 'H'},     {"lab-file", 1, NULL, 'l'},
        {"xml", 1, NULL, 'x'},        {"progress", 1, NULL, 'P'}, {"show", 0, NULL, 'S'},
        {"monoid", 1, NULL, 'm'},     {"n", 1, NULL, 'n'},        {"input", 1, NULL, 'i'},
        {"in-place", 1, NULL, 'I'},   {"shift", 1, NULL, 'h'},    {"order", 1, NULL, 'o'},
        {"resident", 1, NULL, 'R'},   {"meters", 0, NULL, 'M'},   {"shape", 1, NULL, 'z'},
        {"save", 1, NULL, 'v'},       {NULL, 0, NULL, 0},
    };
    int option;
    *command = (struct command){.monoid = "sum", .shown = {.resident = 16, .n = 16}};
    while ((option = getopt_long(count, words, "", options, NULL)) != -1)
        if (!parse_option(option, optarg, command)) {
            if (option == '?')
                fprintf(stderr, usage_text, suite_lab->name);
            return false;
        }
    if (optind < count || !suite_options.submission) {
        fprintf(stderr, usage_text, suite_lab->name);
        return false;
    }
    return true;
}

/* A library that is not there is nobody's failed test. */
static bool library_is_there(int monoid)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s.%s.so", suite_options.submission, suite_lab->name,
             monoids[monoid].name);
    return access(path, R_OK) == 0 || complain("cannot read %s: is the submission built?", path);
}

static bool all_is_there(void)
{
    for (size_t i = 0; i < suite_lab->count; i++)
        for (int monoid = 0; monoid < MONOID_COUNT; monoid++)
            if (suite_takes(&suite_lab->parts[i], monoid) && !library_is_there(monoid))
                return false;
    return access(suite_options.runner, X_OK) == 0 || complain("cannot run %s", suite_options.runner);
}

static bool complete_case(struct command *command)
{
    struct suite_case *shown = &command->shown;
    if (!suite_options.part)
        return complain("--show needs --part");
    shown->part = find_part(suite_options.part);
    if (!shown->part)
        return false;
    shown->monoid = monoid_find(command->monoid);
    if (shown->monoid == MONOID_COUNT || !suite_takes(shown->part, shown->monoid)) {
        complain("%s is not built for the monoid %s, but for:", shown->part->name, command->monoid);
        for (int i = 0; i < MONOID_COUNT; i++)
            if (suite_takes(shown->part, i))
                fprintf(stderr, "    %s\n", monoids[i].name);
        return false;
    }
    if (shown->in_place > shown->part->ways_in_place)
        return complain("%s has %u ways to be called in place", shown->part->name,
                        shown->part->ways_in_place);
    if (suite_lab->images && !command->shaped) /* one row */
        shown->n = suite_shape(1, shown->n);
    shown->seed = suite_options.seed;
    return true;
}

int suite_main(const struct suite_lab *lab, int count, char **words)
{
    static char lab_file[128];
    struct command command;
    char why[4352];

    suite_lab = lab;
    snprintf(lab_file, sizeof lab_file, "%s.cu", lab->name);
    suite_options.lab_file = lab_file;
    signal(SIGPIPE, SIG_IGN);
    if (!parse(count, words, &command))
        return 2;
    if (!suite_options.runner)
        suite_options.runner = suite_options.on_cuda ? "build/cuda/runner" : "build/cpu/runner";
    if (!all_is_there() || (suite_options.part && !find_part(suite_options.part)) ||
        ((command.show || (command.meters && suite_options.part)) && !complete_case(&command)))
        return 2;
    if (command.meters && suite_options.on_cuda) {
        complain("--meters needs --device cpu: a GPU's own counters are Nsight Compute's");
        return 2;
    }
    if (!suite_open_series(why, sizeof why)) {
        complain("%s", why);
        return 2;
    }
    if (lab->prepare)
        lab->prepare();
    int status = !command.meters      ? command.show ? suite_show(&command.shown) : run_suite()
                      : suite_options.part ? suite_meters_of(&command.shown)
                                      : suite_meters_of_all();
    suite_end();
    suite_close_series();
    return status;
}
