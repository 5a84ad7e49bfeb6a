/* local.c: see local.h.
 *
 * `return;` in a kernel becomes `return simt_thread_returns();`. `int item[4];` becomes `int item[4]; simt::__local_array
 * simt_local_120(item, "item");`. A kernel's body begins with a check of its __launch_bounds__. Only plain
 * declarations are understood, which consist of a type and names. All others stay as they are, and their arrays are
 * not watched. */
#include "local.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_NAMES = 8 }; /* arrays in one declaration */

static bool is_word(const struct unit *unit, size_t i, const char *const *words)
{
    return token_is_one_of(unit->source, &unit->list->tokens[i], words);
}

/* ---- declarations -------------------------------------------------------------------------------------------- */

/* Returns the token after the [bounds] that begin at token i, or i if there are none. */
static size_t skip_bounds(const struct unit *unit, size_t i)
{
    const struct token *tokens = unit->list->tokens;
    while (tokens[i].mark == '[' && tokens[i].partner != NO_TOKEN && tokens[i + 1].mark != '[')
        i = tokens[i].partner + 1;
    return i;
}

/* Returns the comma or semicolon after the initializer, `= 3` or `{3}`, that begins at token i, or i if there is
 * none. */
static size_t skip_initializer(const struct unit *unit, size_t i)
{
    const struct token *tokens = unit->list->tokens;
    if (tokens[i].mark != '=' && tokens[i].mark != '{')
        return i;
    while (tokens[i].mark != ',' && tokens[i].mark != ';') {
        if (tokens[i].kind == TOKEN_END || tokens[i].kind == TOKEN_DIRECTIVE)
            return i;
        i = next_token(unit, i);
    }
    return i;
}

/* Whether the initializer in tokens [from, to) may write to one of the arrays declared before it in the same
 * declaration. A call or an index may do so, and so may an initializer that names one of the arrays. */
static bool may_write(const struct unit *unit, size_t from, size_t to, const size_t names[], unsigned count)
{
    const struct token *tokens = unit->list->tokens;
    for (size_t i = from; i < to; i++) {
        if (has_mark_among(&tokens[i], "([{"))
            return true;
        for (unsigned k = 0; k < count; k++) {
            const struct token *name = &tokens[names[k]];
            size_t length = name->end - name->start;
            if (tokens[i].end - tokens[i].start == length &&
                memcmp(unit->source + tokens[i].start, unit->source + name->start, length) == 0)
                return true;
        }
    }
    return false;
}

/* Reads `name[4], *other = p, last[2];` from token i on. Returns its semicolon and fills in the arrays' names, or
 * returns NO_TOKEN when the tokens are anything else. */
static size_t read_names(const struct unit *unit, size_t i, size_t names[MAX_NAMES], unsigned *count)
{
    const struct token *tokens = unit->list->tokens;
    for (;;) {
        while (tokens[i].mark == '*')
            i++;
        if (tokens[i].kind != TOKEN_IDENTIFIER)
            return NO_TOKEN;
        size_t bounds = skip_bounds(unit, i + 1), after = skip_initializer(unit, bounds);
        if (may_write(unit, bounds, after, names, *count))
            *count = 0;
        if (bounds != i + 1 && after == bounds && *count < MAX_NAMES)
            names[(*count)++] = i;
        if (tokens[after].mark == ';')
            return after;
        if (tokens[after].mark != ',')
            return NO_TOKEN;
        i = after + 1;
    }
}

/* Returns the first declarator of the declaration that may begin at token i; NO_TOKEN when none begins there. */
static size_t skip_type(const struct unit *unit, size_t i)
{
    static const char *const others[] = {
        "return",     "delete",       "goto",        "throw",        "case",      "default",  "typedef",
        "using",      "static",       "extern",      "constexpr",    "const",     "friend",   "template",
        "else",       "do",           "new",         "sizeof",       "if",        "for",      "while",
        "switch",     "thread_local", "__shared__",  "__constant__", "operator",  "break",    "continue",
        "asm",        "this",         "__managed__", "co_return",    "co_yield",  "co_await", "not",
        "__device__", "__global__",   "__host__",    "public",       "protected", "private",  NULL};
    const struct token *tokens = unit->list->tokens;
    bool type = false; /* whether the previous token ends a type */
    for (;; i++) {
        const struct token *token = &tokens[i];
        if (token->kind == TOKEN_IDENTIFIER) {
            if (is_word(unit, i, others))
                return NO_TOKEN;
            if (type && has_mark_among(&tokens[i + 1], "[,={"))
                return i;
            type = true;
        } else if (token->mark == '*' && type) {
            return i;
        } else if (token->mark == MARK_SCOPE) {
            type = false;
        } else if (token->mark == '<' && token->partner != NO_TOKEN && type) {
            i = token->partner;
        } else {
            return NO_TOKEN;
        }
    }
}

static void declare_local(const struct unit *unit, size_t i)
{
    const struct token *tokens = unit->list->tokens;
    size_t names[MAX_NAMES], first = skip_type(unit, i);
    unsigned count = 0;
    size_t end = first == NO_TOKEN ? NO_TOKEN : read_names(unit, first, names, &count);
    for (unsigned k = 0; end != NO_TOKEN && k < count; k++) {
        char text[512];
        const struct token *name = &tokens[names[k]];
        const int length = (int)(name->end - name->start);
        const char *spelled = unit->source + name->start;
        if (length > 100 || memchr(spelled, '\\', (size_t)length))
            continue;
        snprintf(text, sizeof text, " simt::__local_array simt_local_%zu(%.*s, \"%.*s\");", name->start,
                 length, spelled, length, spelled);
        edit_insert(unit->edits, tokens[end].end, text);
    }
}

/* ---- blocks --------------------------------------------------------------------------------------------------- */

static bool holds_goto(const struct unit *unit, size_t open)
{
    static const char *const words[] = {"goto", NULL};
    for (size_t i = open; i < unit->list->tokens[open].partner; i++) {
        if (is_word(unit, i, words))
            return true;
    }
    return false;
}

struct local_block local_block(const struct local_walk *walk)
{
    return walk->depth > 0 && walk->depth <= LOCAL_DEPTH ? walk->blocks[walk->depth - 1]
                                                         : (struct local_block){.kind = BLOCK_OTHER};
}

/* Describes the block that the { at token i opens. A block of statements follows a ) or is inside another one. */
static struct local_block open_block(const struct unit *unit, const struct local_walk *walk, size_t i)
{
    static const char *const not_heads[] = {
        "__align__",  "alignas",    "__attribute__", "__attribute", "decltype", "__launch_bounds__",
        "__declspec", "__typeof__", "typeof",        "__maxnreg__", NULL};
    static const char *const alone[] = {"else", "do", "try", NULL};
    static const char *const behind_parameters[] = {"const", "noexcept", "override",
                                                    "final", "mutable",  NULL};
    static const char *const switches[] = {"switch", NULL};
    const struct token *tokens = unit->list->tokens;
    const struct local_block outer = local_block(walk);
    const bool within = outer.kind != BLOCK_OTHER;
    struct local_block block = {.kind = BLOCK_OTHER,
                                .device = within ? outer.device : walk->device,
                                .host = within ? outer.host : walk->host,
                                .kernel = within ? outer.kernel : walk->kernel,
                                .parentheses = walk->parentheses,
                                .parameters = walk->parameters ? walk->parameters : outer.parameters};

    if (i == unit->first || tokens[i].partner == NO_TOKEN)
        return block;
    const struct token *before = &tokens[i - 1];
    while (before > &tokens[unit->first] && token_is_one_of(unit->source, before, behind_parameters))
        before--;
    if (before->mark == ')' && before->partner != NO_TOKEN && before->partner > unit->first) {
        size_t head = before->partner - 1;
        if (is_word(unit, head, switches))
            block.kind = BLOCK_SWITCH;
        else if (!is_word(unit, head, not_heads))
            block.kind = BLOCK_STATEMENTS;
        if (unit->list->tokens[head].mark == ']')
            block.kernel = false; /* the body of a lambda */
    } else if (within && (before->mark == ';' || before->mark == '{' || before->mark == '}' ||
                          before->mark == ':' || is_word(unit, i - 1, alone))) {
        block.kind = BLOCK_STATEMENTS;
    }
    block.body = within ? outer.body : i;
    if (block.kind == BLOCK_STATEMENTS && !within && holds_goto(unit, i)) {
        block.device = false;
        block.body = 0; /* a label cannot be defined twice */
    }
    return block;
}

/* Token i is `return`. */
static void mark_return(const struct unit *unit, const struct local_walk *walk, size_t i)
{
    const struct token *tokens = unit->list->tokens;
    const bool kernel = local_block(walk).kernel;
    const bool ends_macro = unit->in_definition && tokens[i + 1].kind == TOKEN_END && i > unit->first;
    if (ends_macro || (tokens[i + 1].mark == ';' && (kernel || unit->in_definition)))
        edit_insert(unit->edits, tokens[i].end, " simt_thread_returns()");
}

/* The body at token i belongs to a kernel with __launch_bounds__. The check is inserted into the body because the
 * bounds may name the parameters of a template. It is put on one line, so that no line number changes. */
static void check_bounds(const struct unit *unit, const struct local_walk *walk, size_t i)
{
    const struct token *tokens = unit->list->tokens;
    struct text call = {0};
    text_add_string(&call, " simt_launch_bounds");
    for (size_t k = walk->bounds; k <= tokens[walk->bounds].partner; k++) {
        text_add_string(&call, " ");
        text_add(&call, unit->source + tokens[k].start, tokens[k].end - tokens[k].start);
    }
    text_add(&call, " ;", sizeof " ;");
    if (call.failed)
        unit->edits->failed = true;
    else
        edit_insert(unit->edits, tokens[i].end, call.bytes);
    free(call.bytes);
}

void local_step(const struct unit *unit, struct local_walk *walk, size_t i)
{
    static const char *const bounds_words[] = {"__launch_bounds__", NULL};
    static const char *const device_words[] = {"__global__", "__device__", NULL};
    static const char *const kernel_words[] = {"__global__", NULL}, *const return_words[] = {"return", NULL};
    static const char *const host_words[] = {"__host__", NULL}, *const template_words[] = {"template", NULL};
    const int mark = unit->list->tokens[i].mark;

    if (mark == '(') {
        walk->parentheses++;
    } else if (mark == ')') {
        walk->parentheses -= walk->parentheses > 0;
    } else if (mark == '{') {
        struct local_block block = open_block(unit, walk, i);
        if (walk->bounds && walk->kernel && block.kind == BLOCK_STATEMENTS)
            check_bounds(unit, walk, i);
        if (walk->depth++ < LOCAL_DEPTH)
            walk->blocks[walk->depth - 1] = block;
        walk->parentheses = 0;
    } else if (mark == '}' && walk->depth > 0) {
        if (--walk->depth < LOCAL_DEPTH)
            walk->parentheses = walk->blocks[walk->depth].parentheses;
    } else if (is_word(unit, i, device_words)) {
        walk->device = true;
        walk->kernel = walk->kernel || is_word(unit, i, kernel_words);
        return;
    } else if (is_word(unit, i, host_words)) {
        walk->host = true;
        return;
    } else if (is_word(unit, i, template_words) && unit->list->tokens[i + 1].mark == '<' &&
               unit->list->tokens[i + 1].partner > i + 2 && unit->list->tokens[i + 1].partner != NO_TOKEN &&
               (!walk->parameters || i > unit->list->tokens[walk->parameters].partner)) {
        walk->parameters = i + 1;
        return;
    } else if (is_word(unit, i, return_words)) {
        mark_return(unit, walk, i);
        return;
    } else if (is_word(unit, i, bounds_words) && !unit->in_definition &&
               unit->list->tokens[i + 1].mark == '(' && unit->list->tokens[i + 1].partner > i + 2 &&
               unit->list->tokens[i + 1].partner != NO_TOKEN) {
        walk->bounds = i + 1;
    }
    if (mark != '{' && mark != '}' && mark != ';')
        return;
    walk->device = walk->host = walk->kernel = false;
    walk->bounds = walk->parameters = 0;
    const struct local_block block = local_block(walk);
    if (!unit->in_definition && walk->parentheses == 0 && block.kind == BLOCK_STATEMENTS && block.device)
        declare_local(unit, i + 1);
}
