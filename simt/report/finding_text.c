/* finding_text.c: makes the text of findings from the templates in messages.def; no other file does. It uses
 * nothing of the device, so that programs that only show findings can include it. It accepts any numbers in a
 * finding: see check_finding in labs/support/call. */
#include "report/finding_names.h"
#include "report/thread_set.h"
#include <inttypes.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct text {
    char *at;
    size_t left; /* bytes, including the final 0 */
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

/* ---- tables ------------------------------------------------------------------------------------------------ */

static const char *const rule_texts[SIMT_RULES] = {
#define RULE(name, kind, text) text,
#include "report/messages.def"
};
static const char *const note_texts[SIMT_NOTE_KINDS] = {
    "",
#define NOTE(name, text) text,
#include "report/messages.def"
};
static const char *const missing_texts[SIMT_MISSING_KINDS] = {
    "",
#define MISSING(name, text) text,
#include "report/messages.def"
};
static const char *const hint_texts[SIMT_HINT_KINDS] = {
    "",
#define HINT(name, text) text,
#include "report/messages.def"
};
static const char *const actor_texts[SIMT_ACTORS] = {
#define ACTOR(name, text) text,
#include "report/messages.def"
};
static const char *const act_texts[2][SIMT_ACTS] = {{
#define ACT(name, one, several) one,
#include "report/messages.def"
                                                    },
                                                    {
#define ACT(name, one, several) several,
#include "report/messages.def"
                                                    }};

const char *simt_act_words(enum simt_act act, bool several)
{
    return entry(act_texts[several], SIMT_ACTS, act);
}

/* ---- variables and threads ----------------------------------------------------------------------------------- */

static void add_index(struct text *text, const struct simt_variable *variable)
{
    if (variable->is_huge)
        add(text, "%" PRIu64, (uint64_t)variable->index);
    else
        add(text, "%" PRId64, variable->index);
}

/* "[3][5]" */
static void add_indices(struct text *text, const struct simt_variable *variable)
{
    uint64_t rest = (uint64_t)variable->index, below = 1;
    if (variable->dimensions < 2 || variable->dimensions > 4) {
        add(text, "[");
        add_index(text, variable);
        add(text, "]");
        return;
    }
    for (uint32_t i = 1; i < variable->dimensions; i++)
        below *= variable->extent[i];
    for (uint32_t i = 0; i < variable->dimensions; i++) {
        add(text, "[%" PRIu64 "]", below ? rest / below : 0);
        rest = below ? rest % below : 0;
        if (i + 1 < variable->dimensions)
            below = variable->extent[i + 1] ? below / variable->extent[i + 1] : 0;
    }
}

static void add_variable(struct text *text, const struct simt_variable *variable)
{
    static const char *const words[SIMT_MEMORIES] = {
        [SIMT_IN_SHARED] = "shared ",
        [SIMT_IN_LOCAL] = "local ",
        [SIMT_IN_CONSTANT] = "__constant__ ",
        [SIMT_IN_DEVICE] = "__device__ ",
    };
    const bool is_allocation = variable->memory == SIMT_IN_ALLOCATION && variable->is_element;
    const char *word = entry(words, SIMT_MEMORIES, variable->memory);
    if (variable->memory == SIMT_IN_DYNAMIC_SHARED) {
        add(text, "dynamic shared memory, byte ");
        add_index(text, variable);
    } else if (is_allocation && variable->element == 0) {
        add(text, "byte ");
        add_index(text, variable);
        add(text, " of %s", variable->name[0] ? variable->name : "an allocation");
    } else if (variable->name[0]) {
        add(text, "%s%s", word, variable->name);
        if (variable->is_element)
            add_indices(text, variable);
    }
}

/* "7", "(7, 0)", "(7, 0, 1)" */
static void add_position(struct text *text, const uint32_t position[3], uint32_t axes)
{
    if (axes > 2)
        add(text, "(%u, %u, %u)", position[0], position[1], position[2]);
    else if (axes > 1)
        add(text, "(%u, %u)", position[0], position[1]);
    else
        add(text, "%u", position[0]);
}

static const char *text_of(const struct simt_finding *finding, enum simt_fact_name name);

static void add_thread(struct text *text, const struct simt_finding *finding)
{
    if (finding->thread.axes == 0) {
        const char *who = text_of(finding, SIMT_FACT_THREAD);
        add(text, "%s", who ? who : "host code");
        return;
    }
    add(text, "thread ");
    add_position(text, finding->thread.index, finding->thread.axes);
    add(text, " of block ");
    add_position(text, finding->thread.block, finding->thread.block_axes);
}

/* ---- facts ----------------------------------------------------------------------------------------------------- */

static const struct simt_fact *fact_of(const struct simt_finding *finding, enum simt_fact_name name)
{
    for (unsigned i = 0; i < finding->facts && i < SIMT_FACTS; i++) {
        if (finding->fact[i].name == name)
            return &finding->fact[i];
    }
    return NULL;
}

static const char *words_at(const struct simt_finding *finding, const struct simt_fact *fact)
{
    return fact->text < sizeof finding->words ? finding->words + fact->text : "";
}

static const char *text_of(const struct simt_finding *finding, enum simt_fact_name name)
{
    const struct simt_fact *fact = fact_of(finding, name);
    return fact && fact->type == SIMT_TEXT ? words_at(finding, fact) : NULL;
}

static void add_count(struct text *text, uint64_t count, const char *what)
{
    add(text, "%" PRIu64 " %s%s", count, what, count == 1 ? "" : "s");
}

/* "2,000,000" */
static void add_large(struct text *text, int64_t number)
{
    int64_t unit = 1;
    while (number / unit >= 1000)
        unit *= 1000;
    add(text, "%" PRId64, number / unit);
    for (unit /= 1000; unit > 0; unit /= 1000)
        add(text, ",%03" PRId64, number / unit % 1000);
}

static void add_location(struct text *text, const struct simt_finding *finding, const struct simt_fact *fact,
                         bool beside)
{
    const char *file = words_at(finding, fact);
    if (beside && strcmp(file, finding->where.file) == 0)
        add(text, "line %" PRId64, fact->number);
    else if (fact->number)
        add(text, "%s:%" PRId64, file, fact->number);
    else
        add(text, "an unknown place");
}

static void add_fact(struct text *text, const struct simt_finding *finding, const struct simt_fact *fact,
                     const char *format)
{
    const char *item = finding->variable.element <= 1 ? "byte" : "element";
    if (fact->type == SIMT_LOCATION)
        add_location(text, finding, fact, strcmp(format, "near") == 0);
    else if (fact->type == SIMT_TEXT)
        add(text, "%s", words_at(finding, fact));
    else if (strcmp(format, "byte") == 0)
        add_count(text, (uint64_t)fact->number, format);
    else if (strcmp(format, "items") == 0)
        add_count(text, (uint64_t)fact->number, item);
    else if (strcmp(format, "item") == 0)
        add(text, "%s%s", item, fact->number == 1 ? "" : "s");
    else if (strcmp(format, "hex") == 0)
        add(text, "0x%08x", (unsigned)fact->number);
    else if (strcmp(format, "large") == 0)
        add_large(text, fact->number);
    else
        add(text, "%" PRId64, fact->number);
}

/* ---- templates ------------------------------------------------------------------------------------------------- */

/* Writes a word in braces that is not the name of a fact. Returns false if there is no such word. */
static bool add_other(struct text *text, const struct simt_finding *finding, const char *word)
{
    const struct simt_variable *variable = &finding->variable;
    const enum simt_operation operation = finding->operation;
    const bool atomic = operation == SIMT_ATOMIC || operation == SIMT_ATOMIC_READ;
    if (strcmp(word, "variable") == 0) {
        add_variable(text, variable);
    } else if (strcmp(word, "target") == 0) { /* of an access that may be to memory without a name */
        if (variable->name[0] || variable->is_element)
            add_variable(text, variable);
        else
            add(text, "memory without a name");
    } else if (strcmp(word, "address") == 0) { /* only if it is the same in each run */
        const struct simt_fact *address = fact_of(finding, SIMT_FACT_ADDRESS);
        if (address)
            add(text, "%#" PRIx64, (uint64_t)address->number); /* 0 for a null pointer */
        else
            add(text, "the address");
    } else if (strcmp(word, "element") == 0) { /* the variable without the word for its memory */
        add(text, "%s", variable->name[0] ? variable->name : "array");
        add_indices(text, variable);
    } else if (strcmp(word, "array") == 0) {
        add(text, "%s", variable->name);
    } else if (strcmp(word, "owner") == 0) {
        add(text, "%s", variable->name[0] ? variable->name : "the allocation");
    } else if (strcmp(word, "scratch") == 0) {
        add(text, "%s", variable->name[0] ? variable->name : "a scratch array");
    } else if (strcmp(word, "destination") == 0) {
        add(text, "%s", variable->name[0] ? variable->name : "memory");
    } else if (strcmp(word, "extent") == 0) {
        add_count(text, variable->length, variable->element ? "element" : "byte");
    } else if (strcmp(word, "index") == 0) {
        add_index(text, variable);
    } else if (strcmp(word, "bytes") == 0) {
        add(text, "%" PRIu64, finding->bytes);
    } else if (strcmp(word, "byte_count") == 0) {
        add_count(text, finding->bytes, "byte");
    } else if (strcmp(word, "thread") == 0) {
        add_thread(text, finding);
    } else if (strcmp(word, "block_index") == 0) {
        add_position(text, finding->thread.block, finding->thread.block_axes);
    } else if (strcmp(word, "operation") == 0) {
        add(text, "%s", atomic ? "atomic operation" : simt_operation_name(operation));
    } else if (strcmp(word, "verb") == 0) {
        add(text, "%s", operation == SIMT_WRITE || operation == SIMT_ATOMIC ? "writes" : "reads");
    } else if (strcmp(word, "use") == 0) { /* verb for the previous contents */
        add(text, "%s", atomic ? "changes" : "reads");
    } else if (strcmp(word, "preposition") == 0) { /* preposition after the operation */
        add(text, "%s", atomic ? "on" : operation == SIMT_WRITE ? "to" : "of");
    } else {
        return false;
    }
    return true;
}

/* "name:format". */
static void add_word(struct text *text, const struct simt_finding *finding, char *word)
{
    char *format = strchr(word, ':');
    if (format)
        *format++ = 0;
    if (add_other(text, finding, word))
        return;
    for (int name = 1; name < SIMT_FACT_KINDS; name++) {
        const struct simt_fact *fact = strcmp(word, simt_fact_name((enum simt_fact_name)name)) == 0
                                           ? fact_of(finding, (enum simt_fact_name)name)
                                           : NULL;
        if (fact)
            add_fact(text, finding, fact, format ? format : "");
    }
}

/* Writes the side's threads or lanes, such as "thread 5" or "lanes 0-15". */
static void add_set(struct text *text, const struct simt_side *side, const char *what)
{
    static bool member[SIMT_BLOCK_THREADS]; /* threads of a kernel have small stacks */
    char set[96];
    for (unsigned t = 0; t < SIMT_BLOCK_THREADS; t++)
        member[t] = side->threads[t / 32] >> t % 32 & 1;
    thread_set_text(what, member, SIMT_BLOCK_THREADS, set, sizeof set);
    add(text, "%s", set);
}

/* Writes a word in the template of a side. */
static void add_of_side(struct text *text, const struct simt_side *side, const char *word)
{
    if (strcmp(word, "index") == 0)
        add_position(text, side->thread.index, side->thread.axes);
    else if (strcmp(word, "block") == 0 && side->thread.axes > 0)
        add_position(text, side->thread.block, side->thread.block_axes);
    else if (strcmp(word, "block") == 0)
        add(text, "%" PRIu64, side->block);
    else if (strcmp(word, "threads") == 0)
        add_set(text, side, "thread");
    else if (strcmp(word, "lanes") == 0)
        add_set(text, side, "lane");
    else if (strcmp(word, "kernel") == 0)
        add(text, "%s", side->kernel);
    else if (strcmp(word, "launch") == 0)
        add(text, "%d", side->launch);
    else if (strcmp(word, "operation") == 0)
        add(text, "%s", side->operation);
    else if (strcmp(word, "mask") == 0)
        add(text, "0x%08x", side->mask);
    else if (strcmp(word, "stream") == 0 && side->stream > 0)
        add(text, "stream %u", side->stream);
    else if (strcmp(word, "stream") == 0)
        add(text, "the default stream");
}

/* Writes a template. Its words refer to the side if there is one, else to the finding. */
static void add_template(struct text *text, const struct simt_finding *finding, const struct simt_side *side,
                         const char *template)
{
    while (*template) {
        const size_t plain = strcspn(template, "{");
        char word[48];
        add(text, "%.*s", (int)plain, template);
        template += plain;
        if (!*template)
            break;
        const size_t length = strcspn(template + 1, "}");
        snprintf(word, sizeof word, "%.*s", (int)length, template + 1);
        template += length + 2;
        if (length == 0) /* a literal {} */
            add(text, "{}");
        else if (side)
            add_of_side(text, side, word);
        else
            add_word(text, finding, word);
    }
}

static void add_notes(struct text *text, const struct simt_finding *finding)
{
    const char *begin = text->at;
    for (unsigned i = 0; i < SIMT_NOTES && finding->note[i] != SIMT_NOTE_NONE; i++) {
        const char *note = entry(note_texts, SIMT_NOTE_KINDS, finding->note[i]);
        if (*note && text->at > begin && text->at[-1] != ' ')
            add(text, "\n");
        add_template(text, finding, NULL, note);
    }
}

/* ---- findings -------------------------------------------------------------------------------------------------- */

#define WRITE(field, add_to)                                                                                 \
    do {                                                                                                     \
        struct text text = {words->field, sizeof words->field};                                              \
        words->field[0] = 0;                                                                                 \
        add_to;                                                                                              \
    } while (0)

static void make_one_line(char *text)
{
    while ((text = strchr(text, '\n')) != NULL)
        *text = '?';
}

static bool is_several(const struct simt_side *side)
{
    unsigned count = 0;
    for (unsigned i = 0; i < SIMT_BLOCK_THREADS / 32; i++)
        count += (unsigned)__builtin_popcount(side->threads[i]);
    return count > 1;
}

void simt_side_words(const struct simt_side *side, struct simt_side_words *words)
{
    const bool is_lost = side->line == 0 && side->act <= SIMT_ACT_FREES;
    WRITE(who, add_template(&text, NULL, side, entry(actor_texts, SIMT_ACTORS, side->actor)));
    WRITE(does, add_template(&text, NULL, side, simt_act_words(side->act, is_several(side)));
          add(&text, "%s", is_lost ? " at an unknown place" : ""));
    make_one_line(words->who);
    make_one_line(words->does);
}

/* Two sides with nothing missing between them make one sentence; groups of threads have one line each. */
static void add_sides(struct text *text, const struct simt_finding *finding, const char *missing)
{
    static struct simt_side_words words; /* threads of a kernel have small stacks */
    for (unsigned i = 0; i < finding->sides; i++) {
        const struct simt_side *side = &finding->side[i];
        simt_side_words(side, &words);
        add(text, "%s%s %s", i == 0 ? "" : missing[0] ? ", " : "\n", words.who, words.does);
        if (side->line > 0 && strcmp(side->file, finding->where.file) == 0)
            add(text, " at line %d", side->line);
        else if (side->line > 0)
            add(text, " at %s:%d", side->file, side->line);
    }
    if (missing[0])
        add(text, ", %s", missing);
}

static void add_detail(struct text *text, const struct simt_finding *finding,
                       const struct simt_finding_words *words)
{
    const char *begin = text->at;
    add_sides(text, finding, words->missing);
    if (words->notes[0])
        add(text, "%s%s", text->at > begin ? "\n" : "", words->notes);
    if (finding->consequence)
        add(text, "%san earlier finding may be the reason", text->at > begin ? "\n" : "");
}

void simt_finding_words(const struct simt_finding *finding, struct simt_finding_words *words)
{
    WRITE(variable, add_variable(&text, &finding->variable));
    WRITE(title, add_template(&text, finding, NULL, entry(rule_texts, SIMT_RULES, finding->rule)));
    WRITE(missing,
          add_template(&text, finding, NULL, entry(missing_texts, SIMT_MISSING_KINDS, finding->missing)));
    WRITE(hint, add_template(&text, finding, NULL, entry(hint_texts, SIMT_HINT_KINDS, finding->hint)));
    make_one_line(words->variable);
    make_one_line(words->title);
    make_one_line(words->missing);
    make_one_line(words->hint);
    WRITE(notes, add_notes(&text, finding));
    WRITE(detail, add_detail(&text, finding, words));
}

void simt_format_finding(const struct simt_finding *finding, char *out, size_t size)
{
    static struct simt_finding_words words; /* threads of a kernel have small stacks */
    struct text text = {out, size};
    simt_finding_words(finding, &words);
    if (size > 0)
        out[0] = 0;
    if (finding->where.file[0])
        add(&text, "%s:%d  ", finding->where.file, finding->where.line);
    if (finding->where.function[0])
        add(&text, "%s: ", finding->where.function);
    add(&text, "%s%s", finding->warning ? "warning: " : "", words.title);
    if (finding->count > 1)
        add(&text, " (%u times)", finding->count);
    add(&text, "\n");
    for (const char *line = words.detail; *line;) {
        const size_t length = strcspn(line, "\n");
        add(&text, "    %.*s\n", (int)length, line);
        line += length + (line[length] == '\n');
    }
    if (words.hint[0])
        add(&text, "    try: %s\n", words.hint);
}
