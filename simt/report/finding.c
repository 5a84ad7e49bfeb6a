#include "report/finding.h"
#include "core/caller.h"
#include "core/observer.h"
#include "core/thread.h"
#include "report/progress.h"
#include "report/source.h"
#include "simt.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MAX_FINDINGS = 64 };

static struct simt_finding findings[MAX_FINDINGS];
static size_t findings_used;
static simt_finding_sink *sink;
static void *sink_context;

bool (*finding_is_dropped)(enum simt_finding_kind kind, const void *site);
void (*finding_seen)(int number, const struct simt_finding *finding);

void simt_set_finding_sink(simt_finding_sink *new_sink, void *context)
{
    sink = new_sink;
    sink_context = context;
}

size_t simt_finding_count(void)
{
    return findings_used;
}

const struct simt_finding *simt_finding_at(size_t i)
{
    return i < findings_used ? &findings[i] : NULL;
}

int simt_finding_rank(const struct simt_finding *finding)
{
    static const enum simt_finding_kind order[] = {
        SIMT_OUT_OF_BOUNDS,  SIMT_NULL_POINTER,  SIMT_WILD_POINTER, SIMT_USE_AFTER_FREE, SIMT_HOST_POINTER,
        SIMT_DEVICE_POINTER, SIMT_READ_ONLY,     SIMT_MISALIGNED,   SIMT_OTHER_LOCAL,    SIMT_NARROW_INDEX,
        SIMT_LAUNCH,         SIMT_API,           SIMT_NOT_ALLOWED,  SIMT_INPUT,          SIMT_BARRIER,
        SIMT_WARP,           SIMT_ASSERT,        SIMT_CRASH,        SIMT_DEADLOCK,       SIMT_ENDLESS,
        SIMT_RACE,           SIMT_UNINITIALIZED, SIMT_LEAK,
    };
    const int kinds = sizeof order / sizeof *order;
    int rank = 0;
    while (rank < kinds && order[rank] != finding->kind)
        rank++;
    return rank + (finding->consequence ? 2 * kinds : 0) + (finding->warning ? 4 * kinds : 0);
}

/* Do both report the same kind of mistake with the same variable? */
static bool same_matter(const struct simt_finding *a, const struct simt_finding *b)
{
    return a->kind == b->kind && a->warning == b->warning && a->variable.name[0] &&
           a->variable.memory == b->variable.memory && strcmp(a->variable.name, b->variable.name) == 0;
}

size_t simt_findings_by_rank(const struct simt_finding *sorted[], size_t most)
{
    int rank[MAX_FINDINGS];
    bool taken[MAX_FINDINGS] = {false};
    for (size_t i = 0; i < findings_used; i++) {
        rank[i] = simt_finding_rank(&findings[i]);
        for (size_t k = 0; k < i; k++) {
            if (same_matter(&findings[i], &findings[k])) {
                rank[i] += SIMT_FINDING_KINDS;
                break;
            }
        }
    }
    for (size_t filled = 0; filled < most && filled < findings_used; filled++) {
        size_t best = MAX_FINDINGS;
        for (size_t i = 0; i < findings_used; i++) {
            if (!taken[i] && (best == MAX_FINDINGS || rank[i] < rank[best]))
                best = i;
        }
        taken[best] = true;
        sorted[filled] = &findings[best];
    }
    return findings_used;
}

/* The thread that last had a race or read junk. Its later faults may follow from that. */
static struct {
    uint64_t launch; /* number of the launch; 0: no such thread in this run */
    const struct thread *thread;
} misled;

void findings_forget(void)
{
    findings_used = 0;
    misled.launch = 0;
}

static void tell_recorder(const struct simt_finding *finding)
{
    if (finding_seen)
        finding_seen((int)(finding - findings), finding);
}

static void note_misled(enum simt_finding_kind kind, bool warning)
{
    if (current_thread && !warning && (kind == SIMT_RACE || kind == SIMT_UNINITIALIZED)) {
        misled.launch = current_launch->number;
        misled.thread = current_thread;
    }
}

void finding_misleads(enum simt_finding_kind kind)
{
    note_misled(kind, false);
}

static bool follows_from_earlier(enum simt_finding_kind kind)
{
    switch (kind) {
    case SIMT_DEADLOCK:
    case SIMT_ENDLESS:
        return current_launch && misled.launch == current_launch->number;
    case SIMT_OUT_OF_BOUNDS:
    case SIMT_NULL_POINTER:
    case SIMT_WILD_POINTER:
    case SIMT_MISALIGNED:
    case SIMT_CRASH:
    case SIMT_ASSERT:
        return current_launch && misled.launch == current_launch->number && misled.thread == current_thread;
    default:
        return false;
    }
}

static uint32_t axes_of(struct index3 extent)
{
    return extent.z > 1 ? 3 : extent.y > 1 ? 2 : 1;
}

struct simt_thread finding_position(struct index3 dim, struct index3 thread, struct index3 grid,
                                    struct index3 block)
{
    return (struct simt_thread){.axes = axes_of(dim),
                                .block_axes = axes_of(grid),
                                .index = {thread.x, thread.y, thread.z},
                                .block = {block.x, block.y, block.z}};
}

struct simt_thread finding_thread(const struct thread *thread)
{
    if (current_launch->harness)
        return (struct simt_thread){0};
    return finding_position(current_launch->dim, thread->index, current_launch->grid, thread->block->index);
}

static bool same_title(const struct simt_finding *a, const struct simt_finding *b)
{
    static struct simt_finding_words one, two; /* threads of a kernel have small stacks */
    simt_finding_words(a, &one);
    simt_finding_words(b, &two);
    return strcmp(one.title, two.title) == 0;
}

/* If the line is unknown, the titles distinguish two findings. */
static bool same(const struct simt_finding *a, const struct simt_finding *b)
{
    return a->kind == b->kind && a->warning == b->warning && a->where.line == b->where.line &&
           a->other.line == b->other.line && strcmp(a->where.file, b->where.file) == 0 &&
           strcmp(a->other.file, b->other.file) == 0 && strcmp(a->where.function, b->where.function) == 0 &&
           (a->where.file[0] || same_title(a, b));
}

void finding_locate(const void *site, const void *launch, const char *kernel, struct simt_location *location)
{
    source_location(site, location);
    if (!caller_may_be_thrust() || source_is_students(site))
        return;
    source_location(launch, location);
    snprintf(location->function, sizeof location->function, "%s", kernel);
}

static void locate(const void *site, struct simt_location *location)
{
    if (current_thread)
        finding_locate(site, current_launch->site, current_launch->kernel, location);
    else
        source_location(site, location);
}

/* An earlier finding of this kind on this line; null when there is none. */
static struct simt_finding *find_same(const struct simt_finding *finding)
{
    for (size_t i = 0; i < findings_used; i++) {
        if (same(&findings[i], finding))
            return &findings[i];
    }
    return NULL;
}

bool finding_repeats(enum simt_finding_kind kind, bool warning, const void *site)
{
    struct simt_finding finding = {.kind = kind, .warning = warning};
    locate(site, &finding.where);
    struct simt_finding *earlier = find_same(&finding);
    if (!earlier)
        return false;
    earlier->count++;
    tell_recorder(earlier);
    note_misled(earlier->kind, earlier->warning);
    return true;
}

enum simt_operation finding_operation(unsigned kind)
{
    if (kind & ACCESS_ATOMIC)
        return kind & ACCESS_WRITE ? SIMT_ATOMIC : SIMT_ATOMIC_READ;
    return kind & ACCESS_WRITE ? SIMT_WRITE : SIMT_READ;
}

void finding_stands_at(struct simt_side *side, const struct simt_location *location)
{
    snprintf(side->file, sizeof side->file, "%.63s", location->file);
    side->line = location->line;
}

struct finding_fact finding_address(const void *address)
{
    const int64_t at = (int64_t)(uintptr_t)address, far = (int64_t)1 << 32;
    return (struct finding_fact){-far < at && at < far ? SIMT_FACT_ADDRESS : SIMT_FACT_NONE, SIMT_NUMBER, at,
                                 NULL};
}

struct simt_variable finding_named(const char *name)
{
    struct simt_variable variable = {.memory = SIMT_IN_OTHER};
    snprintf(variable.name, sizeof variable.name, "%s", name ? name : "");
    return variable;
}

/* Copies a text into the finding's words, cut off if it does not fit. Returns where it begins. */
static uint32_t add_words(struct simt_finding *finding, size_t *used, const char *words)
{
    const size_t begin = *used, left = sizeof finding->words - begin;
    const size_t length = strlen(words) < left ? strlen(words) : left - 1;
    memcpy(finding->words + begin, words, length);
    *used = begin + length + 1 < sizeof finding->words ? begin + length + 1 : begin + length;
    return (uint32_t)begin;
}

static void add_facts(struct simt_finding *finding, const struct finding_facts *report)
{
    size_t used = 0;
    for (unsigned i = 0; i < SIMT_FACTS && report->fact[i].name != SIMT_FACT_NONE; i++) {
        const struct finding_fact *from = &report->fact[i];
        struct simt_fact fact = {.name = from->name, .type = from->type, .number = from->number};
        if (from->type == SIMT_LOCATION) {
            struct simt_location location = {.line = 0};
            if (from->of)
                source_location(from->of, &location);
            fact.number = location.line;
            fact.text = add_words(finding, &used, location.file);
        } else if (from->type == SIMT_TEXT && from->of) {
            fact.text = add_words(finding, &used, from->of);
        } else if (from->type == SIMT_TEXT) {
            continue;
        }
        finding->fact[finding->facts++] = fact;
    }
    if (current_thread && current_launch->harness && finding->facts < SIMT_FACTS)
        finding->fact[finding->facts++] =
            (struct simt_fact){.name = SIMT_FACT_THREAD,
                               .type = SIMT_TEXT,
                               .text = add_words(finding, &used, current_launch->kernel)};
}

__attribute__((noinline)) void finding_made(const struct simt_finding *finding)
{
    __asm__ volatile("" : : "r"(finding)); /* keeps the call from being optimised away */
}

int finding_report(const struct finding_facts *report)
{
    struct simt_finding finding = {.kind = simt_rule_kind(report->rule),
                                   .rule = report->rule,
                                   .warning = report->warning,
                                   .count = 1,
                                   .operation = report->operation,
                                   .bytes = report->bytes,
                                   .variable = report->variable,
                                   .thread = report->thread};
    if (finding_is_dropped && finding_is_dropped(finding.kind, report->site))
        return -1;
    if (report->site)
        locate(report->site, &finding.where);
    if (report->other)
        source_location(report->other, &finding.other);
    finding.consequence = follows_from_earlier(finding.kind);
    note_misled(finding.kind, finding.warning);
    const bool has_location = finding.where.file[0] != 0;
    if (!has_location) /* then find_same compares titles, which need the facts */
        add_facts(&finding, report);
    struct simt_finding *earlier = find_same(&finding);
    if (earlier) {
        earlier->count++;
        tell_recorder(earlier);
        return (int)(earlier - findings);
    }
    if (has_location)
        add_facts(&finding, report);
    if (current_thread && finding.thread.axes == 0)
        finding.thread = finding_thread(current_thread);
    finding.missing = report->missing;
    finding.hint = report->hint;
    memcpy(finding.note, report->note, sizeof finding.note);
    finding.sides = report->sides < SIMT_SIDES ? report->sides : SIMT_SIDES;
    if (finding.sides > 0)
        memcpy(finding.side, report->side, finding.sides * sizeof *finding.side);
    const int number = findings_used < MAX_FINDINGS ? (int)findings_used : -1;
    if (number >= 0)
        findings[findings_used++] = finding;
    if (number >= 0)
        tell_recorder(&findings[number]);
    finding_made(&finding);
    if (sink) {
        sink(&finding, sink_context);
    } else {
        static char message[2048]; /* threads of a kernel have small stacks */
        simt_format_finding(&finding, message, sizeof message);
        fflush(stdout);
        progress_clear();
        fputs(message, stderr);
    }
    return number;
}

void finding_again(int number)
{
    if (number >= 0 && (size_t)number < findings_used) {
        findings[number].count++;
        tell_recorder(&findings[number]);
    }
}

const char *text(const char *format, ...)
{
    static char buffers[8][1024];
    static unsigned turn;
    char *buffer = buffers[turn++ % 8];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(buffer, sizeof buffers[0], format, arguments);
    va_end(arguments);
    return buffer;
}
