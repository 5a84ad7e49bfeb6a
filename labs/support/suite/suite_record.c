/* suite_record.c: what a suite reports, as lines of JSON, in the descriptor of --records or else in stdout. Programs
 * make all texts for people of them, such as grader/judge/shown.py.
 *
 *     {"record": "planned", "part": "scan_in_place", "aspect": "clean", "test": "is_clean_in_thread_order"}
 *     {"record": "started", "part": ..., "aspect": ..., "test": ...}
 *     {"record": "passed", "part": ..., "aspect": ..., "test": ..., "seconds": 0.25}
 *     {"record": "failed", "part": ..., "aspect": ..., "test": ..., "seconds": 0.25, "failure": {"kind": "race", ...}}
 *     {"record": "not run", "part": ..., "aspect": ..., "test": ..., "reason": "the points ... are lost"}
 *     {"record": "meter", "part": ..., "name": "combines", "counted": 32, "most": 32, "size": "33" or "3x8",
 *      "formula": "n - 1"}
 *     {"record": "again", "words": "the same call on the CPU device: ...", "failure": {...} or null}
 *     {"record": "proof", "part": ..., "outcome": "holds", "fails" or "none",
 *      "words": "checked at every n from 1 to 512", "lengths": ...}
 *     {"record": "end", "passed": 9, "failed": 3, "not run": 1}
 *
 * All tests are planned before the first one starts. Each part ends with its proof. A stream without its end is of no use: see
 * grader/judge/records.py. grader/model/types.py declares the fields of a failure (Failure), of its call, and of its
 * findings. A field that is missing here, or more than declared, makes a record malformed.
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

#define LARGEST ((uint64_t)INT64_MAX) /* readers do not accept larger whole numbers */

static FILE *records; /* null: stdout */

bool suite_open_records(int descriptor)
{
    if (fcntl(descriptor, F_SETFD, FD_CLOEXEC) != 0)
        return false;
    records = fdopen(descriptor, "w");
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

static void put_flag(FILE *file, const char *name, bool flag)
{
    fprintf(file, ", \"%s\": %s", name, flag ? "true" : "false");
}

static void put_side(FILE *file, const struct simt_side *side)
{
    struct simt_side_words words;
    simt_side_words(side, &words);
    fputs("{\"who\": ", file);
    suite_put_string(file, words.who, strlen(words.who));
    put(file, "does", words.does);
    put(file, "file", side->file);
    fprintf(file, ", \"line\": %d}", side->line);
}

static void put_finding(FILE *file, const struct simt_finding *finding)
{
    struct simt_finding_words words;
    const char *kind = simt_finding_name(finding->kind);
    simt_finding_words(finding, &words);
    fputs("{\"kind\": ", file);
    suite_put_string(file, kind, strlen(kind));
    put_flag(file, "warning", finding->warning);
    put_flag(file, "consequence", finding->consequence);
    fprintf(file, ", \"line\": %d, \"count\": %u", finding->where.line, finding->count);
    put(file, "file", finding->where.file);
    put(file, "function", finding->where.function);
    put(file, "variable", words.variable);
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
    fprintf(file, ", \"seed\": %" PRIu64, is->seed);
    put(file, "input", suite_input_name(is->input));
    fprintf(file, ", \"in_place\": %u, \"shift\": %u", is->in_place, is->shift);
    put(file, "order", suite_order_name(is->order));
    fprintf(file, ", \"resident\": %u, \"tile\": %zu", (unsigned)is->resident, is->tile);
    put_flag(file, "sampled", call->sampled);
    put_flag(file, "unwritten", call->unwritten);
    put_flag(file, "history", call->history);
    fputc('}', file);
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
    records = records ? records : stdout;
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
    begin_test("planned", part, test);
    end();
}

void suite_record_started(const struct suite_part *part, const struct suite_test *test)
{
    begin_test("started", part, test);
    end();
}

void suite_record_passed(const struct suite_part *part, const struct suite_test *test, double seconds)
{
    begin_test("passed", part, test);
    fprintf(records, ", \"seconds\": %.6f", seconds);
    end();
}

void suite_record_failed(const struct suite_part *part, const struct suite_test *test, double seconds,
                         const struct suite_failure *failure)
{
    begin_test("failed", part, test);
    fprintf(records, ", \"seconds\": %.6f", seconds);
    put_failure(records, failure);
    end();
}

void suite_record_not_run(const struct suite_part *part, const struct suite_test *test, const char *reason)
{
    begin_test("not run", part, test);
    put(records, "reason", reason);
    end();
}

void suite_record_meter(const struct suite_part *part, const struct suite_bound *bound, uint64_t value,
                        uint64_t most, size_t n)
{
    char size[48];
    struct suite_text text = suite_text(size, sizeof size);
    suite_add_size(&text, n);
    begin("meter", part);
    put(records, "name", bound->meter);
    fprintf(records, ", \"counted\": %" PRIu64 ", \"most\": %" PRIu64, value < LARGEST ? value : LARGEST,
            most < LARGEST ? most : LARGEST);
    put(records, "size", size);
    put(records, "formula", bound->formula);
    end();
}

void suite_record_again(const char *words, const struct suite_failure *failure)
{
    begin("again", NULL);
    put(records, "words", words);
    if (failure)
        put_failure(records, failure);
    else
        fputs(", \"failure\": null", records);
    end();
}

void suite_record_proof(const struct suite_part *part, enum suite_proof outcome, const char *words,
                        const char *lengths)
{
    static const char *const outcomes[] = {
        [SUITE_PROOF_NONE] = "none", [SUITE_PROOF_FAILS] = "fails", [SUITE_PROOF_HOLDS] = "holds"};
    begin("proof", part);
    put(records, "outcome", outcomes[outcome]);
    put(records, "words", words);
    put(records, "lengths", lengths);
    end();
}

void suite_record_end(int passed, int failed, int not_run)
{
    begin("end", NULL);
    fprintf(records, ", \"passed\": %d, \"failed\": %d, \"not run\": %d", passed, failed, not_run);
    end();
}
