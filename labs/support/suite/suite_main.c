/* suite_main.c: the command line of a suite. */
#include "suite_internal.h"
#include <getopt.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

enum { MAX_SANDBOX_WORDS = 1000 };

static const char usage_text[] =
    "usage: check_%s --submission DIRECTORY [options]\n"
    "  --submission DIR     where the libraries of the submission are: build/cpu/student\n"
    "  --runner FILE        program that runs them (build/DEVICE/runner)\n"
    "  --sandbox \"WORDS\"    command before the runner's, words separated by blanks\n"
    "  --device cpu|cuda    what the libraries were built for (cpu)\n"
    "  --delays NUMBER      their threads wait at random, as this number draws: for replay lines\n"
    "  --no-guards          on a GPU, nothing is around arrays, and outputs start as they are: for a tool "
    "that checks them\n"
    "  --look-again DIR     the same libraries for the CPU device, which repeats what fails on a GPU\n"
    "  --again-runner FILE  program that runs those (build/cpu/runner)\n"
    "  --part NAME          test this part only\n"
    "  --leave-out NAMES    do not test these parts, with commas between\n"
    "  --enough NUMBER      when so many tests of an aspect of a part have failed, run no more of them;\n"
    "                       and none of its meters when one of `correct` has\n"
    "  --lost NAMES         run no tests of these, PART:ASPECT with commas between: their points are lost\n"
    "  --tile NUMBER        test the build with this TILE only: 64, 512 or 1024 (all of them)\n"
    "  --seed NUMBER        of all random inputs and schedules (1)\n"
    "  --huge               test lengths past 2^31 too: needs a GPU, and 64 GB of memory on both\n"
    "                       sides, twice that on the host for pairs and images\n"
    "  --prove              prove what can be proved, at every length of a tile in each build, and test\n"
    "                       nothing else: takes minutes where n elements take n^2 accesses\n"
    "  --right-first        do not judge the meters of a part whose results are wrong\n"
    "  --datasets DIR       folder of the data sets (datasets)\n"
    "  --lab-file FILE      the student's file, for messages\n"
    "  --records FD         write the results of tests there, as lines of JSON: see suite_record.c (1)\n"
    "  --events FILE        memory.events of the control group in which the runners are\n"
    "  --seconds NUMBER     make no call after so many seconds; a test that has not run by then is the "
    "harness's fault\n"
    "  --budget-share N     a call may execute 1/N of its budget (1): right solutions pass with 10\n"
    "  --list               print the tests and the bounds of each part, with tabs between; this needs no\n"
    "                       submission\n"
    "  --meters             print what the device's meters say of each part, beside the bounds of the "
    "contract;\n"
    "                       with --part --monoid --n, of one call, line by line; on a GPU, its times\n"
    "  --show               make one call and print it: with --part --monoid --n --seed, and --input,\n"
    "                       --in-place, --shift, --order, --resident, --late, --choices as in a replay\n"
    "                       line; --shape 37x53 takes the place of --n in labs of images\n"
    "  --trace FILE         record that call in FILE, for simt/trace/show.py; then --tile may be any number\n"
    "  --debug              wait for that call as long as it takes: a debugger holds it\n"
    "  --judge work         judge a right result of that call by who made it, too: see suite_sharing.h\n"
    "  --save DIR           write the arrays of that call there, as .npy files, named PART-ARRAY.npy\n";

/* Prints a message to stderr and returns false. */
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

/* `setting` is the name that make uses, which people see. */
static bool parse_number(const char *setting, const char *text, uint64_t most, uint64_t *number)
{
    char *end;
    unsigned long long value = strtoull(text, &end, 10);
    if (*text < '0' || *text > '9' || *end || value > most)
        return complain("%s=%s: that is no number from 0 to %llu", setting, text, (unsigned long long)most);
    *number = value;
    return true;
}

/* The index of a word in a list; `count` if it is not in the list. */
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

static bool complain_of_input(const char *value)
{
    complain("INPUT=%s: there is no such kind of input; there are:", *value ? value : "(nothing)");
    for (uint32_t i = 0; i < INPUT_KINDS; i++)
        fprintf(stderr, "    %s\n", input_name(i));
    return false;
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
        if (strcmp(suite_lab->parts[i]->name, name) == 0)
            return suite_lab->parts[i];
    complain("%s is no part of this lab; its parts are:", name);
    for (size_t i = 0; i < suite_lab->count; i++)
        fprintf(stderr, "    %s\n", suite_lab->parts[i]->name);
    return NULL;
}

/* The options that only this file uses. */
struct command {
    bool show, meters, list;
    bool shaped; /* the case has a shape instead of a length */
    const char *monoid;
    struct suite_case shown;
};

static bool is_tile(size_t number)
{
    for (size_t i = 0; i < SUITE_TILES; i++)
        if (suite_tiles[i] == number)
            return true;
    return false;
}

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
    case 'U':
        suite_options.no_guards = true;
        return true;
    case 'Y':
        return parse_number("DELAYS", value, UINT64_MAX, &suite_options.delays);
    case 'K':
        suite_options.look_again = value;
        return true;
    case 'A':
        suite_options.again_runner = value;
        return true;
    case 'p':
        suite_options.part = value;
        return true;
    case 'L':
        suite_options.left_out = value;
        return true;
    case 'O':
        suite_options.lost = value;
        return true;
    case 'G':
        suite_options.events = value;
        return true;
    case 'u':
        good = parse_number("--enough", value, 1 << 20, &number);
        suite_options.enough = (unsigned)number;
        return good;
    case 't':
        good = parse_number("TILE", value, SIZE_MAX, &number);
        suite_options.tile = (size_t)number;
        return good && (suite_options.trace || suite_options.debug || is_tile((size_t)number) ||
                        complain("TILE=%s: it is 64, 512 or 1024", value));
    case 'e':
        return parse_number("SEED", value, UINT64_MAX, &suite_options.seed);
    case 'H':
        suite_options.huge = true;
        return true;
    case 'f':
        suite_options.right_first = true;
        return true;
    case 'E':
        suite_options.prove = true;
        return true;
    case 'D':
        suite_options.datasets = value;
        return true;
    case 'l':
        suite_options.lab_file = value;
        return true;
    case 'N':
        good = parse_number("--seconds", value, 1 << 30, &number);
        suite_options.seconds = (double)number;
        return good;
    case 'B':
        return parse_number("--budget-share", value, 1 << 20, &suite_options.budget_share) &&
               (suite_options.budget_share > 0 || complain("--budget-share 0: it is at least 1"));
    case 'J':
        return parse_number("--records", value, 1 << 20, &number) &&
               (suite_open_records((int)number) || complain("--records %s: no open descriptor", value));
    case 'S':
        command->show = true;
        return true;
    case 'M':
        command->meters = true;
        return true;
    case 'k':
        command->list = true;
        return true;
    case 'm':
        command->monoid = value;
        return true;
    case 'n':
        good = parse_number("N", value, (uint64_t)1 << 33, &number);
        shown->n = (size_t)number;
        return good;
    case 'z':
        if (!suite_lab->images)
            return complain("SHAPE=%s: this lab has no images; it takes N", value);
        command->shaped = true;
        return suite_parse_shape(value, &shown->n) || complain("SHAPE=%s: that is not ROWSxCOLUMNS", value);
    case 'T':
        suite_options.trace = value;
        return true;
    case 'W':
        suite_options.judge_work = strcmp(value, "work") == 0;
        return suite_options.judge_work || complain("JUDGE=%s: it is work, or left out", value);
    case 'g':
        suite_options.debug = true;
        return true;
    case 'v':
        suite_options.save = value;
        return true;
    case 'i':
        shown->input = (enum suite_input)find_word(value, INPUT_KINDS, input_name);
        return shown->input < INPUT_KINDS || complain_of_input(value);
    case 'I':
        good = parse_number("IN_PLACE", value, 9, &number);
        shown->in_place = (unsigned)number;
        return good;
    case 'h':
        good = parse_number("SHIFT", value, 15, &number);
        shown->shift = (unsigned)number;
        return good;
    case 'o':
        shown->order = find_word(value, CALL_LOCKSTEP + 1, suite_order_name);
        return shown->order <= CALL_LOCKSTEP ||
               complain("ORDER=%s: it is forward, reverse, random or lockstep", value);
    case 'a':
        return suite_parse_late(value, &shown->late) ||
               complain("LATE=%s: it is LINE, LINE:THREAD or LINE:THREAD:BLOCK, such as 31:4", value);
    case 'c':
        return suite_parse_choices(value, &shown->explore) ||
               complain("CHOICES=%s: it is copied from a replay line", value);
    case 'R':
        good = parse_number("RESIDENT", value, CALL_RESIDENT, &number);
        shown->resident = (uint32_t)number;
        return good && (number > 0 || complain("RESIDENT=%s: it is 1 to 256", value));
    default:
        return false;
    }
}

static bool parse(int count, char **words, struct command *command)
{
    static const struct option options[] = {
        {"submission", 1, NULL, 's'}, {"runner", 1, NULL, 'r'},       {"sandbox", 1, NULL, 'b'},
        {"device", 1, NULL, 'd'},     {"part", 1, NULL, 'p'},         {"seed", 1, NULL, 'e'},
        {"datasets", 1, NULL, 'D'},   {"huge", 0, NULL, 'H'},         {"lab-file", 1, NULL, 'l'},
        {"records", 1, NULL, 'J'},    {"show", 0, NULL, 'S'},         {"monoid", 1, NULL, 'm'},
        {"n", 1, NULL, 'n'},          {"input", 1, NULL, 'i'},        {"in-place", 1, NULL, 'I'},
        {"shift", 1, NULL, 'h'},      {"order", 1, NULL, 'o'},        {"resident", 1, NULL, 'R'},
        {"meters", 0, NULL, 'M'},     {"shape", 1, NULL, 'z'},        {"save", 1, NULL, 'v'},
        {"tile", 1, NULL, 't'},       {"prove", 0, NULL, 'E'},        {"leave-out", 1, NULL, 'L'},
        {"trace", 1, NULL, 'T'},      {"right-first", 0, NULL, 'f'},  {"debug", 0, NULL, 'g'},
        {"seconds", 1, NULL, 'N'},    {"lost", 1, NULL, 'O'},         {"enough", 1, NULL, 'u'},
        {"events", 1, NULL, 'G'},     {"budget-share", 1, NULL, 'B'}, {"list", 0, NULL, 'k'},
        {"judge", 1, NULL, 'W'},      {"late", 1, NULL, 'a'},         {"help", 0, NULL, '?'},
        {"look-again", 1, NULL, 'K'}, {"again-runner", 1, NULL, 'A'}, {"delays", 1, NULL, 'Y'},
        {"no-guards", 0, NULL, 'U'},  {"choices", 1, NULL, 'c'},      {NULL, 0, NULL, 0},
    };
    int option;
    *command = (struct command){.monoid = "sum", .shown = {.resident = 16, .n = 16}};
    while ((option = getopt_long(count, words, "", options, NULL)) != -1)
        if (!parse_option(option, optarg, command)) {
            if (option == '?')
                fprintf(stderr, usage_text, suite_lab->name);
            return false;
        }
    if (optind < count || !(suite_options.submission || command->list)) {
        fprintf(stderr, usage_text, suite_lab->name);
        return false;
    }
    return true;
}

/* A missing library is a fault of the build and does not fail a test. */
static bool library_is_there(int monoid, size_t tile)
{
    char path[4096];
    suite_library(path, sizeof path, monoid, tile, false);
    return access(path, R_OK) == 0 || complain("cannot read %s: is the submission built?", path);
}

/* Will tests of the part call the build of suite_tile()? */
static bool asks_for(const struct suite_part *part, int monoid)
{
    return suite_has_tile(suite_tile()) &&
           (suite_options.prove ? monoid == suite_proving_monoid(part) : suite_takes(part, monoid)) &&
           (!suite_options.part || strcmp(suite_options.part, part->name) == 0);
}

/* For a single call, complete_case checks the library that it needs. */
static bool all_is_there(bool one_call)
{
    for (size_t t = 0; t < SUITE_TILES && !one_call; t++) {
        suite_use_tile(suite_tiles[t]);
        for (size_t i = 0; i < suite_lab->count; i++)
            for (int monoid = 0; monoid < MONOID_COUNT; monoid++)
                if (asks_for(suite_lab->parts[i], monoid) && !library_is_there(monoid, suite_tile()))
                    return false;
    }
    suite_begin_test();
    return access(suite_options.runner, X_OK) == 0 || complain("cannot run %s", suite_options.runner);
}

/* A monoid that make builds and no part takes is a mistake in make's table or in the suite's, and so is a part that is
 * not proved and does not say why. */
static bool monoids_are_taken(void)
{
    unsigned taken = 0;
    for (size_t i = 0; i < suite_lab->count; i++) {
        const struct suite_part *part = suite_lab->parts[i];
        if (!part->tested == !(part->monoids & (1u << MONOID_INTERVAL | 1u << MONOID_FINGERPRINT)))
            return complain("%s: .tested says why no monoid proves a part, and only then", part->name);
        taken |= part->monoids;
    }
    for (int monoid = 0; monoid < MONOID_COUNT; monoid++)
        if ((taken ^ suite_lab->monoids) >> monoid & 1)
            return complain("%s: %s", monoids[monoid].name,
                            taken >> monoid & 1 ? "a part takes it, and make does not build the lab for it"
                                                : "make builds the lab for it, and no part takes it");
    return true;
}

static bool is_power_of_two(size_t n)
{
    return n > 0 && (n & (n - 1)) == 0;
}

/* Rejects a length that the contract does not allow, because the code may do anything there. The minimum that is
 * tested is the minimum that is allowed. */
static bool allowed(const struct suite_part *part, size_t n)
{
    const struct suite_lengths *lengths = &part->lengths;
    const size_t most = lengths->tiles * suite_tile();
    size_t least = 0;
    if (lengths->tiles == 0 || !suite_length(lengths, 0, &least))
        return true;
    if (n >= least && n <= most && (!part->powers_of_two || is_power_of_two(n)))
        return true;
    return complain("the contract of %s does not allow n = %zu: n is %s, %zu to %zu with TILE=%zu",
                    part->name, n, part->powers_of_two ? "a power of two" : "any length", least, most,
                    suite_tile());
}

/* interval, which is the most informative, or else the first monoid for which the part is built. */
static int any_monoid(const struct suite_part *part)
{
    int telling = monoid_find("interval");
    for (int i = 0; !suite_takes(part, telling) && i < MONOID_COUNT; i++)
        if (suite_takes(part, i))
            return i;
    return telling;
}

static bool complete_case(struct command *command)
{
    struct suite_case *shown = &command->shown;
    if (!suite_options.part)
        return complain("--show needs --part");
    shown->part = find_part(suite_options.part);
    if (!shown->part)
        return false;
    shown->tile = suite_tile();
    shown->monoid =
        strcmp(command->monoid, "any") == 0 ? any_monoid(shown->part) : monoid_find(command->monoid);
    if (shown->monoid == MONOID_COUNT || !suite_takes(shown->part, shown->monoid)) {
        char with[32] = "";
        if (shown->tile != SUITE_TILE)
            snprintf(with, sizeof with, " with TILE=%zu", shown->tile);
        complain("%s is not built for the monoid %s%s, but for:", shown->part->name, command->monoid, with);
        for (int i = 0; i < MONOID_COUNT; i++)
            if (suite_takes(shown->part, i))
                fprintf(stderr, "    %s\n", monoids[i].name);
        return false;
    }
    if (!suite_lab->images && !allowed(shown->part, shown->n))
        return false;
    if (shown->in_place > shown->part->ways_in_place)
        return complain("IN_PLACE=%u: %s", shown->in_place,
                        shown->part->ways_in_place == 0 ? "the contract has no call in place"
                        : shown->part->ways_in_place == 1
                            ? "the contract has one way to call in place, IN_PLACE=1"
                            : "the contract has fewer ways to call in place");
    if (suite_lab->images && !command->shaped) /* one row */
        shown->n = suite_shape(1, shown->n);
    shown->seed = suite_options.seed;
    return library_is_there(shown->monoid, shown->tile);
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
    if (command.list) {
        if (lab->prepare)
            lab->prepare();
        suite_list_tests();
        return 0;
    }
    /* When the reader of the records ends, this program ends, and the runner with it. */
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (!suite_options.runner)
        suite_options.runner = suite_options.on_cuda ? "build/cuda/runner" : "build/cpu/runner";
    if (!suite_options.again_runner)
        suite_options.again_runner = "build/cpu/runner";
    const bool one_call = command.show || (command.meters && suite_options.part);
    if (!monoids_are_taken() || !all_is_there(one_call) ||
        (suite_options.part && !find_part(suite_options.part)) || (one_call && !complete_case(&command)))
        return 2;
    if (command.meters && suite_options.on_cuda && !one_call) {
        complain("--meters of all parts needs --device cpu: a GPU's own counters are Nsight Compute's");
        return 2;
    }
    if (!suite_open_series(why, sizeof why)) {
        complain("%s", why);
        return 2;
    }
    if (lab->prepare)
        lab->prepare();
    int status = !command.meters      ? command.show ? suite_show(&command.shown) : suite_run_tests()
                      : suite_options.part ? suite_meters_of(&command.shown)
                                      : suite_meters_of_all();
    suite_end();
    suite_close_series();
    return status;
}
