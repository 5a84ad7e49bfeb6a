/* finding_text.c: the words of findings, in English: the one place that makes text of one. It uses nothing of the
 * device, so that programs which only show findings are built with it, too. */
#include "../simt.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct text {
    char *at;
    size_t left; /* bytes, the final 0 included */
};

static void add(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void add(struct text *text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(text->at, text->left, format, arguments);
    va_end(arguments);
    if (length < 0 || text->left == 0)
        return;
    const size_t step = (size_t)length < text->left ? (size_t)length : text->left - 1;
    text->at += step;
    text->left -= step;
}

const char *simt_finding_name(enum simt_finding_kind kind)
{
    static const char *const names[SIMT_FINDING_KINDS] = {
#define KIND(kind, name) [SIMT_##kind] = name,
        SIMT_FINDING_KIND_TABLE(KIND)
#undef KIND
    };
    return (unsigned)kind < SIMT_FINDING_KINDS ? names[kind] : "finding";
}

/* Two sides with nothing between them make one sentence; groups of threads have a line each. */
static void add_sides(struct text *text, const struct simt_finding *finding)
{
    for (unsigned i = 0; i < finding->sides; i++) {
        const struct simt_side *side = &finding->side[i];
        add(text, "%s%s %s", i == 0 ? "" : finding->missing[0] ? ", " : "\n", side->who, side->does);
        if (side->line > 0 && strcmp(side->file, finding->where.file) == 0)
            add(text, " at line %d", side->line);
        else if (side->line > 0)
            add(text, " at %s:%d", side->file, side->line);
    }
    if (finding->missing[0])
        add(text, ", %s", finding->missing);
}

void simt_finding_detail(const struct simt_finding *finding, char *out, size_t size)
{
    struct text text = {out, size};
    if (size > 0)
        out[0] = 0;
    add_sides(&text, finding);
    if (finding->detail[0])
        add(&text, "%s%s", text.at > out ? "\n" : "", finding->detail);
    if (finding->consequence)
        add(&text, "%san earlier finding may be the reason", text.at > out ? "\n" : "");
}

void simt_format_finding(const struct simt_finding *finding, char *out, size_t size)
{
    char detail[2048];
    struct text text = {out, size};
    if (size > 0)
        out[0] = 0;
    if (finding->where.file[0])
        add(&text, "%s:%d  ", finding->where.file, finding->where.line);
    if (finding->where.function[0])
        add(&text, "%s: ", finding->where.function);
    add(&text, "%s%s", finding->warning ? "warning: " : "", finding->title);
    if (finding->count > 1)
        add(&text, " (%u times)", finding->count);
    add(&text, "\n");
    simt_finding_detail(finding, detail, sizeof detail);
    for (const char *line = detail; *line;) {
        const size_t length = strcspn(line, "\n");
        add(&text, "    %.*s\n", (int)length, line);
        line += length + (line[length] == '\n');
    }
    if (finding->hint[0])
        add(&text, "    try: %s\n", finding->hint);
}
