/* section.c: see section.h.
 *
 * `__device__ int x;` becomes `__device__ __simt_variable int x;`. __constant__ and __managed__ are macros for their
 * sections, so they need no mark. In a template, g++ 12 forgets a section unless its name depends on the template's
 * parameters. So `template <class T> __constant__ T x;` becomes
 * `template <class T> __simt_constant_of(sizeof(simt::__dependent<T> *)) T x;`.
 *
 * A static variable in a function of the device is in global memory, as if it were declared __device__. If host code
 * may call the function, too, both use one variable, in managed memory. */
#include "section.h"
#include <stdlib.h>

static bool is_word(const struct unit *unit, size_t i, const char *word)
{
    return token_spells(unit->source, &unit->list->tokens[i], word);
}

/* Adds an expression that depends on the template parameter in tokens [from, to). Returns false when the parameter has no
 * name, or is a template itself. */
static bool add_dependent(const struct unit *unit, size_t from, size_t to, struct text *text)
{
    static const char *const types[] = {"class", "typename", NULL};
    const struct token *tokens = unit->list->tokens;
    const bool is_type = token_is_one_of(unit->source, &tokens[from], types);
    bool is_pack = false;
    size_t name = NO_TOKEN;

    if (is_word(unit, from, "template"))
        return false;
    for (size_t i = from; i < to && tokens[i].mark != '='; i = next_token(unit, i)) {
        is_pack = is_pack || (tokens[i].mark == MARK_OPERATOR && unit->source[tokens[i].start] == '.');
        if (tokens[i].kind == TOKEN_IDENTIFIER && i > from)
            name = i;
    }
    if (name == NO_TOKEN)
        return false;
    text_add_string(text, is_pack   ? "sizeof...("
                          : is_type ? "sizeof(simt::__dependent<"
                                    : "sizeof(simt::__dependent_value<");
    text_add(text, unit->source + tokens[name].start, tokens[name].end - tokens[name].start);
    text_add_string(text, is_pack ? ")" : "> *)");
    return true;
}

/* The same for the first parameter that has a name, of the template whose parameters begin at the < at token `open`. */
static bool add_dependent_of(const struct unit *unit, size_t open, struct text *text)
{
    const struct token *tokens = unit->list->tokens;
    const size_t close = tokens[open].partner;

    for (size_t i = open + 1, from = i; i <= close; i = next_token(unit, i)) {
        if (i != close && tokens[i].mark != ',')
            continue;
        if (from < i && add_dependent(unit, from, i, text))
            return true;
        from = i + 1;
    }
    return false;
}

/* Adds the mark of a variable in the memory space "variable", "constant" or "managed" if it is declared in a template. */
static bool add_mark_in_template(const struct unit *unit, const struct local_walk *walk, const char *space,
                                 struct text *text)
{
    const size_t open = walk->parameters ? walk->parameters : local_block(walk).parameters;

    text_add_string(text, "__simt_");
    text_add_string(text, space);
    text_add_string(text, "_of(");
    const bool found = open && add_dependent_of(unit, open, text);
    text_add_string(text, ")");
    return found;
}

/* Inserts the mark, or the macro that `otherwise` is, after token i. */
static void insert_mark(const struct unit *unit, const struct local_walk *walk, size_t i, const char *space,
                        const char *otherwise)
{
    struct text mark = {0}, inserted = {0};
    const bool in_template = add_mark_in_template(unit, walk, space, &mark);

    text_add_string(&inserted, " ");
    if (in_template)
        text_add(&inserted, mark.bytes, mark.length);
    else
        text_add_string(&inserted, otherwise);
    free(mark.bytes);
    edit_replace(unit->edits, unit->list->tokens[i].end, unit->list->tokens[i].end, &inserted);
}

void mark_variable(const struct unit *unit, const struct local_walk *walk, size_t i)
{
    const struct token *token = &unit->list->tokens[i];
    struct text mark = {0};

    if (is_word(unit, i, "__device__"))
        insert_mark(unit, walk, i, "variable", "__simt_variable");
    else if (add_mark_in_template(unit, walk, is_word(unit, i, "__constant__") ? "constant" : "managed",
                                  &mark))
        edit_replace(unit->edits, token->start, token->end, &mark);
    free(mark.bytes);
}

void mark_static(const struct unit *unit, const struct local_walk *walk, size_t i)
{
    static const char *const others[] = {"__device__", "__constant__", "__managed__",  "__shared__",  "const",
                                         "constexpr",  "extern",       "thread_local", "__constexpr", NULL};
    const struct token *tokens = unit->list->tokens;
    const struct local_block block = local_block(walk);

    if (unit->in_definition || block.kind == BLOCK_OTHER || !block.device || walk->parentheses > 0)
        return;
    for (size_t k = i; k > unit->first && tokens[k - 1].kind == TOKEN_IDENTIFIER; k--)
        if (token_is_one_of(unit->source, &tokens[k - 1], others))
            return;
    for (size_t k = i + 1; tokens[k].kind != TOKEN_END && !has_mark_among(&tokens[k], ";=[{,)}"); k++)
        if (token_is_one_of(unit->source, &tokens[k], others) || tokens[k].kind == TOKEN_DIRECTIVE)
            return;
    if (block.host)
        insert_mark(unit, walk, i, "managed", "__managed__");
    else
        insert_mark(unit, walk, i, "variable", "__simt_variable");
}
