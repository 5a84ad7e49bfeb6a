#include "finding.h"
#include "core.h"
#include "source.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MAX_FINDINGS = 64 };

static struct simt_finding findings[MAX_FINDINGS];
static size_t findings_used;
static simt_finding_sink *sink;
static void *sink_context;

const char *simt_finding_name(enum simt_finding_kind kind)
{
    static const char *const names[SIMT_FINDING_KINDS] = {
        [SIMT_OUT_OF_BOUNDS] = "out of bounds",
        [SIMT_WILD_POINTER] = "wild pointer",
        [SIMT_USE_AFTER_FREE] = "use after free",
        [SIMT_HOST_POINTER] = "host pointer in a kernel",
        [SIMT_DEVICE_POINTER] = "device pointer on the host",
        [SIMT_READ_ONLY] = "write to constant memory",
        [SIMT_MISALIGNED] = "misaligned",
        [SIMT_OTHER_LOCAL] = "another thread's local memory",
        [SIMT_BARRIER] = "barrier divergence",
        [SIMT_WARP] = "warp misuse",
        [SIMT_DEADLOCK] = "deadlock",
        [SIMT_ENDLESS] = "endless loop",
        [SIMT_LAUNCH] = "launch refused",
        [SIMT_ASSERT] = "assertion failed",
        [SIMT_CRASH] = "crash",
        [SIMT_RACE] = "race",
        [SIMT_UNINITIALIZED] = "uninitialized read",
        [SIMT_API] = "runtime call",
    };
    return (unsigned)kind < SIMT_FINDING_KINDS ? names[kind] : "finding";
}

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

void findings_forget(void)
{
    findings_used = 0;
}

void simt_format_finding(const struct simt_finding *finding, char *out, size_t size)
{
    size_t used = 0;
    if (size == 0)
        return;
    out[0] = 0;
#define ADD(...)                                                                                             \
    do {                                                                                                     \
        if (used < size)                                                                                     \
            used += (size_t)snprintf(out + used, size - used, __VA_ARGS__);                                  \
    } while (0)
    if (finding->where.file[0])
        ADD("%s:%d  ", finding->where.file, finding->where.line);
    if (finding->where.function[0])
        ADD("%s: ", finding->where.function);
    ADD("%s%s\n", finding->warning ? "warning: " : "", finding->title);
    for (const char *line = finding->detail; *line;) {
        size_t length = strcspn(line, "\n");
        ADD("    %.*s\n", (int)length, line);
        line += length + (line[length] == '\n');
    }
    if (finding->count > 1)
        ADD("    %u times in this run\n", finding->count);
    if (finding->hint[0])
        ADD("    try: %s\n", finding->hint);
#undef ADD
}

void finding_thread_text(const struct thread *thread, char *out, size_t size)
{
    const struct index3 t = thread->index, b = thread->block->index;
    const struct index3 dim = current_launch->dim, grid = current_launch->grid;
    char in_block[48], in_grid[48];
    if (dim.z > 1)
        snprintf(in_block, sizeof in_block, "(%u, %u, %u)", t.x, t.y, t.z);
    else if (dim.y > 1)
        snprintf(in_block, sizeof in_block, "(%u, %u)", t.x, t.y);
    else
        snprintf(in_block, sizeof in_block, "%u", t.x);
    if (grid.z > 1)
        snprintf(in_grid, sizeof in_grid, "(%u, %u, %u)", b.x, b.y, b.z);
    else if (grid.y > 1)
        snprintf(in_grid, sizeof in_grid, "(%u, %u)", b.x, b.y);
    else
        snprintf(in_grid, sizeof in_grid, "%u", b.x);
    snprintf(out, size, "thread %s of block %s", in_block, in_grid);
}

static bool same(const struct simt_finding *a, const struct simt_finding *b)
{
    return a->kind == b->kind && a->warning == b->warning && a->where.line == b->where.line &&
           a->other.line == b->other.line && strcmp(a->where.file, b->where.file) == 0 &&
           strcmp(a->other.file, b->other.file) == 0 && strcmp(a->where.function, b->where.function) == 0;
}

/* The one of equal kind and place; null when there is none. */
static struct simt_finding *find_same(const struct simt_finding *finding)
{
    for (size_t i = 0; i < findings_used; i++) {
        if (same(&findings[i], finding))
            return &findings[i];
    }
    return NULL;
}

bool finding_repeats(enum simt_finding_kind kind, const void *site)
{
    struct simt_finding finding = {.kind = kind};
    source_place(site, &finding.where);
    struct simt_finding *earlier = find_same(&finding);
    if (earlier)
        earlier->count++;
    return earlier != NULL;
}

static void copy_text(char *to, size_t size, const char *from)
{
    snprintf(to, size, "%s", from ? from : "");
}

int finding_report(const struct finding_text *report)
{
    struct simt_finding finding = {.kind = report->kind, .warning = report->warning, .count = 1};
    if (report->site)
        source_place(report->site, &finding.where);
    if (report->other)
        source_place(report->other, &finding.other);
    struct simt_finding *earlier = find_same(&finding);
    if (earlier) {
        earlier->count++;
        return (int)(earlier - findings);
    }
    copy_text(finding.variable, sizeof finding.variable, report->variable);
    copy_text(finding.title, sizeof finding.title, report->title);
    copy_text(finding.detail, sizeof finding.detail, report->detail);
    copy_text(finding.hint, sizeof finding.hint, report->hint);
    const int number = findings_used < MAX_FINDINGS ? (int)findings_used : -1;
    if (number >= 0)
        findings[findings_used++] = finding;
    if (sink) {
        sink(&finding, sink_context);
    } else {
        char message[2048];
        simt_format_finding(&finding, message, sizeof message);
        fflush(stdout);
        fputs(message, stderr);
    }
    return number;
}

void finding_again(int number)
{
    if (number >= 0 && (size_t)number < findings_used)
        findings[number].count++;
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
