/* race.cpp: times a function of several folders, each in a process of its own, by the clock of this process.
 *
 *     race --part scan_inclusive [--length 26] [--rounds 8] [--calls 5] [--seed N] --runner build/cuda/runner
 *          --empty build/cuda/parts/empty.so [--sandbox "WORDS"] reference=build/cuda/reference hand-in=FOLDER
 *
 * The code that is timed can do anything in its process, so nothing that is timed, kept or compared is there:
 *
 *   - This process makes the inputs. They are new in each call, in new memory that nobody has seen, and the caches are
 *     flushed. The other process gets that memory after the clock has started.
 *   - The clock is this process's. It stops when the answer has come and the outputs have been copied to memory that
 *     only this process has. All elements of this copy are compared, in each call. The copy has to wait for kernels that
 *     still run, so an answer that comes before the end of the work is seen by a copy that takes longer than it should.
 *   - In each round each contender has a new process, which ends before the next one starts. Its first calls with each
 *     kind of input are not timed, because CUDA loads code and makes pools then.
 *
 * The first contender is an empty call: the time of the exchange, with the copy, which all calls contain. Its median is
 * subtracted from the times. Prints JSON, one row in a line, for each folder and kind of input. Exit status: 0 if all is
 * right, 1 if something is wrong, 2 for a wrong command line, 3 for a fault that is no contender's. */
#include "race_arrays.h"

#include <algorithm>
#include <random>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

enum { ALL_RIGHT, SOME_WRONG, WRONG_USAGE, BROKEN };
enum {
    WARM_UP = 2,       /* calls of a process for each kind of input */
    CALL_SECONDS = 20, /* time limit of a call */
    ALL_SECONDS = 60,  /* time limit of all calls of a contender together */
    ENOUGH_COPIES = 11 /* for a judgement about how long they take */
};
/* Minimum of a time, relative to that of a copy, for at least so many bytes: see bench.cu. */
static const double LIGHT = 0.93, LIGHT_OF_READING = 0.85, MANY_BYTES = 128 << 20;
/* The part of an exchange's time by which it differs from process to process: up to 0.09 on an H100. */
static const double UNSURE = 0.15;
/* A copy that takes longer than this multiple of an empty call's, and this many milliseconds, has waited for work. */
static const double SLOW_COPY = 1.1, SLOW_BY = 0.03;

struct contender {
    std::string who, part, library;
    std::vector<std::string> sandbox;
    std::vector<std::vector<double>> whole,
        copy;   /* milliseconds of exchanges, and of their ends: for each kind */
    bool right; /* in all calls */
    double seconds;
    std::string ended; /* why it was not timed to the end; empty if it was */
};

static struct {
    const char *part, *runner, *empty;
    int length = 26, rounds = 8, calls = 5;
    uint64_t seed;
    std::vector<struct contender> contenders;
} options;

static const struct row *row;
static size_t n;
static std::vector<int> kinds;
static std::mt19937_64 chance;

static double now()
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec * 1e-6;
}

static double median(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    return values.empty() ? 0 : values[values.size() / 2];
}

/* ---- one call ---------------------------------------------------------------------------------------------------- */

static void add_array(struct call_request *request, enum call_argument_kind kind, size_t bytes,
                      const char *name)
{
    struct call_argument *argument = &request->argument[request->arguments++];
    const struct call_argument *before = request->arguments > 1 ? argument - 1 : nullptr;
    argument->kind = kind;
    argument->element_size = (kind == CALL_OUT && row->task == TABLE) || row->task == SORT_LONG ? 8 : 4;
    argument->offset =
        before ? (before->offset + before->bytes + CALL_ALIGNMENT - 1) & -(uint64_t)CALL_ALIGNMENT : 0;
    argument->bytes = bytes;
    strcpy(argument->name, name);
}

static void add_scalar(struct call_request *request, uint64_t value)
{
    struct call_argument *argument = &request->argument[request->arguments++];
    argument->kind = CALL_SCALAR;
    argument->scalar = value;
}

static struct call_request request_for(const std::string &part)
{
    struct call_request request = {};
    const size_t arrays = arrays_of(row->task);
    for (size_t i = 0; i < arrays; i++)
        add_array(&request, CALL_IN, n * in_bytes(row->task) / arrays, "in");
    for (size_t i = 0; i < arrays; i++)
        add_array(&request, CALL_OUT, output_bytes(row->task, n) / arrays, "out");
    if (is_image(row->task))
        add_scalar(&request, rows_of(n));
    add_scalar(&request, is_image(row->task) ? n / rows_of(n) : n);
    if (row->third >= 0)
        add_scalar(&request, (uint64_t)row->third);
    request.schedule.resident = CALL_RESIDENT;
    request.shared = arrays_memory(request) < request.argument[0].bytes;
    const std::string name = part.empty() ? "empty" + std::to_string(request.arguments) : part;
    snprintf(request.part, sizeof request.part, "%s", name.c_str());
    return request;
}

/* Ends the program without destructors: the GPU's driver may be in any state. */
[[noreturn]] static void end(int status)
{
    fflush(stdout);
    fflush(stderr);
    _exit(status);
}

/* Ends the program: no contender is to blame. */
[[noreturn]] static void give_up(const std::string &why)
{
    fprintf(stderr, "race: %s\n", why.c_str());
    end(BROKEN);
}

/* The times of a call in milliseconds. */
struct took {
    double whole, copy; /* `copy` begins with the answer */
};

/* Makes a call with new inputs. If it was not made to its end, sets `ended`. */
static struct took call_once(struct contender &contender, struct call_runner *runner, int kind)
{
    static struct call_reply reply;
    char why[256] = "";
    struct call_request request = request_for(contender.part);
    const std::string missing = arrays_fresh(kind, chance());
    if (!missing.empty()) {
        contender.ended = "there is no memory for new arrays while it runs: " + missing;
        return {0, 0};
    }
    const double begin = now();
    arrays_show(runner, request);
    const enum call_outcome outcome = call_perform(runner, &request, CALL_SECONDS, &reply, why, sizeof why);
    const double answered = now();
    if (outcome == CALL_ANSWERED)
        arrays_take(runner, request);
    const double end = now();
    contender.seconds += (end - begin) / 1e3;
    if (outcome == CALL_BROKEN || outcome == CALL_ENDED)
        give_up(contender.who + ": " + why);
    if (outcome == CALL_TIMED_OUT || contender.seconds > ALL_SECONDS)
        contender.ended = "its calls take too long to be timed";
    else if (outcome != CALL_ANSWERED)
        contender.ended = why;
    else if (reply.status == CALL_MISSING)
        contender.ended = "missing";
    else if (reply.status != CALL_DONE || reply.error != 0)
        contender.ended = std::string(reply.error_name) + " " + reply.text;
    else if (!contender.part.empty() && !arrays_are_right(reply.result, row->exclusive))
        contender.right = false;
    return {end - begin, end - answered};
}

/* Makes a request without arrays, so that the runner gives up those of the last call. */
static void take_back(struct contender &contender, struct call_runner *runner)
{
    static struct call_reply reply;
    static struct call_request nothing;
    char why[256];
    if (contender.ended.empty() &&
        call_perform(runner, &nothing, CALL_SECONDS, &reply, why, sizeof why) != CALL_ANSWERED)
        contender.ended = why;
}

/* ---- the turns --------------------------------------------------------------------------------------------------- */

/* Starts a process for this contender, makes its calls of one round, and ends it. */
static void take_turn(struct contender &contender)
{
    char why[256] = "";
    std::vector<const char *> words;
    for (const std::string &word : contender.sandbox)
        words.push_back(word.c_str());
    words.push_back(nullptr);
    const struct call_options start = {options.runner, words.data(), contender.library.c_str(),
                                       arrays_memory(request_for(contender.part))};
    struct call_runner *runner = call_start(&start, why, sizeof why);
    if (!runner)
        give_up(why);
    std::vector<size_t> order(kinds.size());
    for (size_t i = 0; i < order.size(); i++)
        order[i] = i;
    std::shuffle(order.begin(), order.end(), chance);
    for (size_t kind : order)
        for (int i = 0; i < WARM_UP + options.calls && contender.ended.empty(); i++) {
            const struct took took = call_once(contender, runner, kinds[kind]);
            take_back(contender, runner);
            if (i >= WARM_UP && contender.ended.empty()) {
                contender.whole[kind].push_back(took.whole);
                contender.copy[kind].push_back(took.copy);
            }
        }
    call_stop(runner);
    arrays_settle();
}

/* A time without the exchange. */
static std::vector<double> without(double exchange, std::vector<double> whole)
{
    for (double &time : whole)
        time = std::max(time - exchange, 1e-5);
    return whole;
}

/* Did the answers come before the work had ended? Then most copies had to wait for it. */
static bool is_early(const struct contender &contender, size_t kind)
{
    const double usual = median(options.contenders[0].copy[kind]);
    return contender.copy[kind].size() >= ENOUGH_COPIES &&
           median(contender.copy[kind]) > SLOW_COPY * usual + SLOW_BY;
}

/* Text from a contender's process, as a string of JSON. */
static std::string quoted(std::string text)
{
    std::replace(text.begin(), text.end(), '"', '\'');
    std::replace(text.begin(), text.end(), '\\', '/');
    std::replace(text.begin(), text.end(), '\n', ' ');
    return '"' + text + '"';
}

/* Prints a row for each folder. Returns how many are not right. */
static int report(size_t kind, double copy)
{
    static bool more;
    int failed = 0;
    const double exchange = median(options.contenders[0].whole[kind]);
    const double kept = (double)n * (row->task == COMPACT ? kinds[kind] : 0) / 100;
    const double bytes = least_bytes(row->task, (double)n, kept);
    const double light = (row->task == REDUCE ? LIGHT_OF_READING : LIGHT) * bytes * copy;
    for (size_t c = 1; c < options.contenders.size(); c++) {
        struct contender &contender = options.contenders[c];
        if (contender.ended.empty() && is_early(contender, kind))
            contender.ended = "it answered before its work had ended";
        const std::vector<double> times = without(exchange, contender.whole[kind]);
        const bool possible =
            times.empty() || bytes < MANY_BYTES || median(times) + UNSURE * exchange >= light;
        failed += !contender.right || !possible || !contender.ended.empty();
        printf("%s\n{\"task\": \"%s\", \"input\": \"%s\", \"n\": %zu, \"who\": \"%s\", \"part\": \"%s\", "
               "\"milliseconds\": %.5f, \"exchange_milliseconds\": %.5f, \"copy_milliseconds\": %.5f, "
               "\"right\": %s, \"possible\": %s, "
               "\"ended\": %s, \"times\": [",
               more ? "," : "", task_names[row->task], kind_name(row->task, kinds[kind]).c_str(), n,
               contender.who.c_str(), contender.part.c_str(), median(times), exchange,
               median(contender.copy[kind]), contender.right ? "true" : "false", possible ? "true" : "false",
               quoted(contender.ended).c_str());
        for (size_t i = 0; i < times.size(); i++)
            printf("%s%.5f", i > 0 ? ", " : "", times[i]);
        fputs("]}", stdout);
        more = true;
    }
    return failed;
}

/* ---- the command line -------------------------------------------------------------------------------------------- */

static std::vector<std::string> words_of(const char *text)
{
    std::vector<std::string> words;
    for (const char *end; *text; text = end + (*end == ' '))
        if ((end = text + strcspn(text, " ")) > text)
            words.emplace_back(text, end);
    return words;
}

static bool read_options(int count, char **words)
{
    std::vector<std::string> sandbox;
    for (int i = 1; i < count; i++) {
        const std::string word = words[i];
        const size_t equals = word.find('=');
        if (word.compare(0, 2, "--") != 0) {
            if (equals == std::string::npos)
                return false;
            options.contenders.push_back(
                {word.substr(0, equals), "", word.substr(equals + 1), sandbox, {}, {}, true, 0, ""});
            continue;
        }
        const char *value = ++i < count ? words[i] : nullptr;
        if (!value)
            return false;
        if (word == "--part")
            options.part = value;
        else if (word == "--runner")
            options.runner = value;
        else if (word == "--empty")
            options.empty = value;
        else if (word == "--sandbox")
            sandbox = words_of(value);
        else if (word == "--length")
            options.length = atoi(value);
        else if (word == "--rounds")
            options.rounds = atoi(value);
        else if (word == "--calls")
            options.calls = atoi(value);
        else if (word == "--seed")
            options.seed = strtoull(value, nullptr, 0);
        else
            return false;
    }
    return options.part && options.runner && options.empty && options.length >= 1 && options.length <= 31 &&
           options.rounds >= 1 && options.calls >= 1 && !options.contenders.empty();
}

int main(int count, char **words)
{
    int failed = 0;
    if (getrandom(&options.seed, sizeof options.seed, 0) != sizeof options.seed ||
        !read_options(count, words)) {
        fputs("usage: race --part NAME [--length LOG2] [--rounds N] [--calls N] [--seed N] --runner PROGRAM "
              "--empty LIBRARY [--sandbox WORDS] WHO=FOLDER ...\n",
              stderr);
        return WRONG_USAGE;
    }
    for (row = rows; row->lab && strcmp(row->part, options.part) != 0; row++)
        ;
    if (!row->lab)
        give_up(std::string(options.part) + " is not timed");
    chance.seed(options.seed);
    n = length_of(row->task, options.length, 0);
    kinds = kinds_of(row->task, false);
    if (!arrays_open(row->task, n))
        give_up(std::string(options.part) + " is not timed on this device");
    for (struct contender &contender : options.contenders) {
        contender.part = row->part;
        contender.library += std::string("/") + row->lab + ".sum.so";
    }
    options.contenders.insert(options.contenders.begin(),
                              {"empty", "", options.empty, {}, {}, {}, true, 0, ""});
    for (struct contender &contender : options.contenders) {
        contender.whole.resize(kinds.size());
        contender.copy.resize(kinds.size());
    }
    for (int kind : kinds) { /* allocates what stays allocated */
        const std::string missing = arrays_fresh(kind, chance());
        if (!missing.empty())
            give_up(missing);
    }
    const double copy = arrays_copy_time();
    arrays_settle();
    for (int round = 0; round < options.rounds; round++) {
        for (struct contender &contender : options.contenders)
            if (contender.ended.empty())
                take_turn(contender);
        if (!options.contenders[0].ended.empty())
            give_up("an empty call failed: " + options.contenders[0].ended);
        std::reverse(options.contenders.begin() + 1, options.contenders.end());
    }
    if (options.rounds % 2)
        std::reverse(options.contenders.begin() + 1, options.contenders.end());
    putchar('[');
    for (size_t kind = 0; kind < kinds.size(); kind++)
        failed += report(kind, copy);
    fputs("\n]\n", stdout);
    end(failed ? SOME_WRONG : ALL_RIGHT);
}
