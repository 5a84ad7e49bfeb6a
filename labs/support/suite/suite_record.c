/* suite_record.c: what a suite reports, as lines of JSON for programs, in the descriptor of --records.
 *
 *     {"record": "planned", "part": "scan_in_place", "aspect": "clean", "test": "is_clean_in_thread_order"}
 *     {"record": "started", "part": ..., "aspect": ..., "test": ...}
 *     {"record": "passed", "part": ..., "aspect": ..., "test": ..., "seconds": 0.25}
 *     {"record": "failed", "part": ..., "aspect": ..., "test": ..., "seconds": 0.25, "failure": {...}}
 *     {"record": "not run", "part": ..., "aspect": ..., "test": ..., "reason": "the points ... are lost"}
 *     {"record": "meter", "part": ..., "name": "combines", "counted": 32, "most": 32, "size": "33" or "3x8",
 *      "formula": "n - 1"}
 *     {"record": "proof", "part": ..., "words": "checked at every n from 1 to 512", "lengths": ...}
 *     {"record": "end", "passed": 9, "failed": 3, "not run": 1}
 *
 * All tests are planned before the first one starts. A stream without its end is of no use: see
 * grader/judge/records.py. A failure is
 *
 *     {"kind": "race",          a suite_failure_kind, or the kind of the first finding if findings describe it
 *      "meter": "",             name of the meter that exceeded its bound
 *      "said": [...],           lines that describe the mistake; empty if findings do
 *      "call": null, or {"words": "scan_in_place on interval, 33 elements", "monoid": "interval", "n": 33 or null,
 *               "shape": "" or "3x8", "seed": 7, "input": "random", "in_place": 0, "shift": 0, "order": "forward",
 *               "resident": 16, "tile": 512, "history": false}
 *               history: the same call is right as the first call of a process
 *      "context": [...],        lines with what other calls show about this one
 *      "findings": [{"kind": "race", "rule": "race", "warning": false, "file": "naive_scan.cu", "line": 31,
 *                    "function": ..., "variable": "shared buffer[17]",
 *                    "element": {"name": "buffer", "memory": "shared", "index": 17 or null,
 *                                "length": 512 or null, "bytes": 4 or null}, or null,
 *                    "operation": "read", "write", "atomic", "atomic read" or "", "bytes": 4 or null,
 *                    "thread": {"index": [18, 0, 0], "block": [0, 0, 0]}, or null,
 *                    "facts": {"reached": 20, "threads": 32},    names as in simt/report/messages/
 *                    "title": ..., "count": 4, "consequence": false,
 *                    "sides": [{"who": "thread 18", "does": "reads it", "file": ..., "line": 29,
 *                               "actor": "thread", "act": "reads",    names as in simt/report/messages/
 *                               "thread": {"index": [18, 0, 0], "block": [0, 0, 0]}, or null,
 *                               "threads": [],     for several threads: [[0, 15], [20, 20]]; for "lanes" these are lanes
 *                               "block": null,     for several threads: number of their block in the grid
 *                               "kernel": "",      for a thread of another launch
 *                               "stream": null,    for an operation in a stream: its number, 0 for the default stream
 *                               "operation": ""}, ...],    the operation in which lanes wait
 *                    "missing": ..., "detail": [...], "hint": ...}, ...]    see simt/simt.h
 *      "more": 0,               number of findings that are not included
 *      "printed": [...],        the first lines of the submission's output
 *      "replay": "make run LAB=2 PART=..."}
 *
 * Only the suite writes records: its runner does not have the descriptor. Text from a submission is inside escaped
 * strings, which it cannot end. */
#include "suite_internal.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void give_up(void)
{
    fflush(stdout);
    fprintf(stderr, "the suite cannot write what it found: %s; no fault of the code under test\n",
            strerror(errno));
    exit(2);
}

static FILE *records; /* null: none are wanted */

bool suite_open_records(int descriptor)
{
    if (fcntl(descriptor, F_SETFD, FD_CLOEXEC) != 0)
        return false;
    records = fdopen(descriptor, "w");
    return records != NULL;
}

bool suite_has_records(void)
{
    return records != NULL;
}

void suite_put_string(FILE *file, const char *text, size_t length)
{
    fputc('"', file);
    for (size_t i = 0; i < length; i++) {
        const unsigned char c = (unsigned char)text[i];
        if (c == '"' || c == '\\')
            fprintf(file, "\\%c", c);
        else if (c < ' ')
            fprintf(file, "\\u%04x", c);
        else
            fputc(c, file);
    }
    fputc('"', file);
}

static void put(FILE *file, const char *name, const char *text)
{
    fprintf(file, ", \"%s\": ", name);
    suite_put_string(file, text, strlen(text));
}

static void put_lines(FILE *file, const char *name, const char *lines)
{
    fprintf(file, ", \"%s\": [", name);
    for (const char *line = lines; *line;) {
        const size_t length = strcspn(line, "\n");
        fputs(line == lines ? "" : ", ", file);
        suite_put_string(file, line, length);
        line += length + (line[length] == '\n');
    }
    fputc(']', file);
}

/* Readers do not accept whole numbers of magnitude 2^63 or more. */
static int64_t readable(int64_t number)
{
    return number == INT64_MIN ? -INT64_MAX : number;
}

static void put_number(FILE *file, const char *name, bool known, int64_t number)
{
    if (known)
        fprintf(file, ", \"%s\": %" PRId64, name, readable(number));
    else
        fprintf(file, ", \"%s\": null", name);
}

static void put_element(FILE *file, const struct simt_variable *variable)
{
    if (!variable->is_element) {
        fputs(", \"element\": null", file);
        return;
    }
    fputs(", \"element\": {\"name\": ", file);
    suite_put_string(file, variable->name, strlen(variable->name));
    put(file, "memory", simt_memory_name(variable->memory));
    put_number(file, "index", !variable->is_huge, variable->index);
    put_number(file, "length", variable->length > 0, (int64_t)variable->length);
    put_number(file, "bytes", variable->element > 0, variable->element);
    fputc('}', file);
}

static void put_thread(FILE *file, const struct simt_thread *thread)
{
    const uint32_t *t = thread->index, *b = thread->block;
    if (thread->axes == 0)
        fputs(", \"thread\": null", file);
    else
        fprintf(file, ", \"thread\": {\"index\": [%u, %u, %u], \"block\": [%u, %u, %u]}", t[0], t[1], t[2],
                b[0], b[1], b[2]);
}

/* The runs of numbers: [[0, 15], [20, 20]]. */
static void put_threads(FILE *file, const struct simt_side *side)
{
    bool before = false;
    const char *separator = "";
    fputs(", \"threads\": [", file);
    for (unsigned t = 0; t <= SIMT_BLOCK_THREADS; t++) {
        const bool is = t < SIMT_BLOCK_THREADS && side->threads[t / 32] >> t % 32 & 1;
        if (is && !before)
            fprintf(file, "%s[%u, ", separator, t);
        if (!is && before)
            fprintf(file, "%u]", t - 1);
        separator = is ? ", " : separator;
        before = is;
    }
    fputc(']', file);
}

static bool is_of_stream(enum simt_actor actor)
{
    return actor == SIMT_ACTOR_THREAD_OF_LAUNCH || actor == SIMT_ACTOR_COPY || actor == SIMT_ACTOR_FILL ||
           actor == SIMT_ACTOR_FREE;
}

static void put_side(FILE *file, const struct simt_side *side)
{
    struct simt_side_words words;
    simt_side_words(side, &words);
    fputs("{\"who\": ", file);
    suite_put_string(file, words.who, strlen(words.who));
    put(file, "does", words.does);
    put(file, "file", side->file);
    fprintf(file, ", \"line\": %d", side->line);
    put(file, "actor", simt_actor_name(side->actor));
    put(file, "act", simt_act_name(side->act));
    put_thread(file, &side->thread);
    put_threads(file, side);
    put_number(file, "block", side->actor == SIMT_ACTOR_THREADS, (int64_t)side->block);
    put(file, "kernel", side->kernel);
    put_number(file, "stream", is_of_stream(side->actor), side->stream);
    put(file, "operation", side->operation);
    fputc('}', file);
}

static void put_facts(FILE *file, const struct simt_finding *finding)
{
    const char *separator = "";
    fputs(", \"facts\": {", file);
    for (unsigned i = 0; i < finding->facts; i++) {
        const struct simt_fact *fact = &finding->fact[i];
        const char *text = finding->words + fact->text;
        char location[SIMT_WORDS + 16];
        if (fact->name == SIMT_FACT_NONE)
            continue;
        fprintf(file, "%s\"%s\": ", separator, simt_fact_name(fact->name));
        separator = ", ";
        if (fact->type == SIMT_NUMBER) {
            fprintf(file, "%" PRId64, readable(fact->number));
        } else if (fact->type == SIMT_TEXT) {
            suite_put_string(file, text, strlen(text));
        } else {
            snprintf(location, sizeof location, "%s:%" PRId64, text, fact->number);
            suite_put_string(file, location, strlen(location));
        }
    }
    fputc('}', file);
}

static void put_finding(FILE *file, const struct simt_finding *finding)
{
    struct simt_finding_words words;
    const char *kind = simt_finding_name(finding->kind);
    simt_finding_words(finding, &words);
    fputs("{\"kind\": ", file);
    suite_put_string(file, kind, strlen(kind));
    put(file, "rule", simt_rule_name(finding->rule));
    fprintf(file, ", \"warning\": %s, \"consequence\": %s, \"line\": %d, \"count\": %u",
            finding->warning ? "true" : "false", finding->consequence ? "true" : "false", finding->where.line,
            finding->count);
    put(file, "file", finding->where.file);
    put(file, "function", finding->where.function);
    put(file, "variable", words.variable);
    put_element(file, &finding->variable);
    put(file, "operation", simt_operation_name(finding->operation));
    put_number(file, "bytes", finding->bytes > 0, (int64_t)finding->bytes);
    put_thread(file, &finding->thread);
    put_facts(file, finding);
    put(file, "title", words.title);
    fputs(", \"sides\": [", file);
    for (unsigned i = 0; i < finding->sides; i++) {
        fputs(i > 0 ? ", " : "", file);
        put_side(file, &finding->side[i]);
    }
    fputc(']', file);
    put(file, "missing", words.missing);
    put_lines(file, "detail", words.notes);
    put(file, "hint", words.hint);
    fputc('}', file);
}

static void put_call(FILE *file, const struct suite_call *call, const char *words)
{
    const struct suite_case *is = &call->is;
    char size[48];
    struct suite_text text = suite_text(size, sizeof size);
    suite_add_size(&text, is->n);
    fputs(", \"call\": {\"words\": ", file);
    suite_put_string(file, words, strlen(words));
    put(file, "monoid", monoids[is->monoid].name);
    fprintf(file, ", \"n\": %s", suite_lab->images ? "null" : size);
    put(file, "shape", suite_lab->images ? size : "");
    fprintf(file, ", \"seed\": %llu", (unsigned long long)is->seed);
    put(file, "input", suite_input_name(is->input));
    fprintf(file, ", \"in_place\": %u, \"shift\": %u", is->in_place, is->shift);
    put(file, "order", suite_order_name(is->order));
    fprintf(file, ", \"resident\": %u, \"tile\": %zu, \"history\": %s}", (unsigned)is->resident, is->tile,
            call->history ? "true" : "false");
}

static void put_failure(FILE *file, const struct suite_failure *failure)
{
    static const char *const names[] = {
#define KIND(kind, name) [SUITE_##kind] = name,
        SUITE_FAILURE_KIND_TABLE(KIND)
#undef KIND
    };
    static struct suite_words words;
    memset(&words, 0, sizeof words);
    if (failure->call)
        suite_words(failure->call, &words);
    const char *kind = failure->kind == SUITE_FINDING && words.shown > 0
                           ? simt_finding_name(words.finding[0]->kind)
                           : names[failure->kind];
    fputs(", \"failure\": {\"kind\": ", file);
    suite_put_string(file, kind, strlen(kind));
    put(file, "meter", failure->meter ? failure->meter : "");
    put_lines(file, "said", failure->said);
    if (failure->call)
        put_call(file, failure->call, words.in);
    else
        fputs(", \"call\": null", file);
    put_lines(file, "context", words.context);
    fputs(", \"findings\": [", file);
    for (uint32_t i = 0; i < words.shown; i++) {
        fputs(i > 0 ? ", " : "", file);
        put_finding(file, words.finding[i]);
    }
    fprintf(file, "], \"more\": %u", (unsigned)words.more);
    put_lines(file, "printed", words.printed);
    put(file, "replay", words.replay);
    fputc('}', file);
}

static void begin(const char *record, const struct suite_part *part)
{
    fprintf(records, "{\"record\": \"%s\"", record);
    if (part)
        put(records, "part", part->name);
}

static void begin_test(const char *record, const struct suite_part *part, const struct suite_test *test)
{
    begin(record, part);
    put(records, "aspect", suite_aspect_name(test->aspect));
    put(records, "test", test->name);
}

/* Each record is written at once, because its reader shows how far the tests are. */
static void end(void)
{
    fputs("}\n", records);
    if (fflush(records) != 0)
        give_up();
}

void suite_record_planned(const struct suite_part *part, const struct suite_test *test)
{
    if (!records)
        return;
    begin_test("planned", part, test);
    end();
}

void suite_record_started(const struct suite_part *part, const struct suite_test *test)
{
    if (!records)
        return;
    begin_test("started", part, test);
    end();
}

void suite_record_passed(const struct suite_part *part, const struct suite_test *test, double seconds)
{
    if (!records)
        return;
    begin_test("passed", part, test);
    fprintf(records, ", \"seconds\": %.6f", seconds);
    end();
}

void suite_record_failed(const struct suite_part *part, const struct suite_test *test, double seconds,
                         const struct suite_failure *failure)
{
    if (!records)
        return;
    begin_test("failed", part, test);
    fprintf(records, ", \"seconds\": %.6f", seconds);
    put_failure(records, failure);
    end();
}

void suite_record_not_run(const struct suite_part *part, const struct suite_test *test, const char *reason)
{
    if (!records)
        return;
    begin_test("not run", part, test);
    put(records, "reason", reason);
    end();
}

void suite_record_meter(const struct suite_part *part, const struct suite_bound *bound, uint64_t value,
                        uint64_t most, size_t n)
{
    char size[48];
    struct suite_text text = suite_text(size, sizeof size);
    if (!records)
        return;
    suite_add_size(&text, n);
    begin("meter", part);
    put(records, "name", bound->meter);
    put_number(records, "counted", true, value > INT64_MAX ? INT64_MAX : (int64_t)value);
    put_number(records, "most", true, most > INT64_MAX ? INT64_MAX : (int64_t)most);
    put(records, "size", size);
    put(records, "formula", bound->formula);
    end();
}

void suite_record_proof(const struct suite_part *part, const char *words, const char *lengths)
{
    if (!records)
        return;
    begin("proof", part);
    put(records, "words", words);
    put(records, "lengths", lengths);
    end();
}

void suite_record_end(int passed, int failed, int not_run)
{
    if (!records)
        return;
    begin("end", NULL);
    fprintf(records, ", \"passed\": %d, \"failed\": %d, \"not run\": %d", passed, failed, not_run);
    end();
}
