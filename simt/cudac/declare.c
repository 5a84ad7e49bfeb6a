/* declare.c: see declare.h. */
#include "declare.h"
#include <string.h>

bool names_other_space(const char *source, const struct token *token)
{
    static const char *const spaces[] = {"__constant__", "__shared__", "__managed__", NULL};

    return token_is_one_of(source, token, spaces);
}

size_t next_token(const struct unit *unit, size_t i)
{
    const struct token *token = &unit->list->tokens[i];

    return token->partner != NO_TOKEN && token->partner > i ? token->partner + 1 : i + 1;
}

size_t skip_bracketed(const struct unit *unit, size_t i)
{
    static const char *const takes_parentheses[] = {
        "__align__",         "__attribute__",    "__attribute",    "alignas",     "_Alignas",
        "decltype",          "__decltype",       "typeof",         "__typeof__",  "__typeof",
        "_Pragma",           "explicit",         "__declspec",     "__maxnreg__", "noexcept",
        "__launch_bounds__", "__cluster_dims__", "__block_size__", NULL};
    const struct token *tokens = unit->list->tokens;
    size_t open = NO_TOKEN;

    if (tokens[i].mark == '<')
        open = i;
    else if (tokens[i].mark == '[' && tokens[i + 1].mark == '[')
        open = i;
    else if (tokens[i].kind == TOKEN_IDENTIFIER && tokens[i + 1].mark == '(' &&
             token_is_one_of(unit->source, &tokens[i], takes_parentheses))
        open = i + 1;
    return open == NO_TOKEN || tokens[open].partner == NO_TOKEN ? i : tokens[open].partner + 1;
}

/* Whether the token begins a type that may have a body, such as a struct. */
static bool is_record_word(const struct unit *unit, size_t i)
{
    static const char *const words[] = {"struct", "class", "union", "enum", NULL};

    return token_is_one_of(unit->source, &unit->list->tokens[i], words);
}

/* ---- extern __shared__ ----------------------------------------------------------------------------- */

/* Whether the token may come before the name in a declarator or among specifiers. */
static bool goes_before_name(const struct token *token)
{
    return token->kind == TOKEN_IDENTIFIER || token->kind == TOKEN_DIRECTIVE ||
           token->kind == TOKEN_LITERAL || token->mark == '*' || token->mark == '&' ||
           token->mark == MARK_SCOPE || token->mark == MARK_PASTE;
}

/* The part of a declaration before a declarator's array bounds. */
struct specifiers {
    size_t end;  /* the first token that cannot belong to the part: the [ of an array */
    size_t body; /* the { of a struct defined in it, whose members are read separately; or `end` */
    bool is_extern, is_shared;
};

static struct specifiers read_specifiers(const struct unit *unit, size_t i)
{
    const struct token *tokens = unit->list->tokens;
    struct specifiers found = {.body = NO_TOKEN};
    bool record = false;

    for (;;) {
        size_t skipped = skip_bracketed(unit, i);
        if (skipped != i) {
            i = skipped;
        } else if (record && tokens[i].mark == '{' && tokens[i].partner != NO_TOKEN) {
            found.body = i;
            i = tokens[i].partner + 1;
            record = false;
        } else if (goes_before_name(&tokens[i])) {
            found.is_extern = found.is_extern || token_spells(unit->source, &tokens[i], "extern");
            found.is_shared = found.is_shared || token_spells(unit->source, &tokens[i], "__shared__");
            record = record || (found.body == NO_TOKEN && is_record_word(unit, i));
            i++;
        } else {
            break;
        }
    }
    found.end = i;
    if (found.body == NO_TOKEN)
        found.body = i;
    return found;
}

/* Whether the token is one of the two words that a translation deletes. */
static bool is_storage_word(const struct unit *unit, size_t i)
{
    static const char *const words[] = {"extern", "__shared__", NULL};

    return token_is_one_of(unit->source, &unit->list->tokens[i], words);
}

/* Deletes the word `extern` from tokens [from, to), and also `__shared__` if `both` is true, each with the blanks
 * after it. */
static void delete_storage(const struct unit *unit, size_t from, size_t to, bool both)
{
    for (size_t i = from; i < to; i++) {
        const struct token *token = &unit->list->tokens[i];
        if (both ? !is_storage_word(unit, i) : !token_spells(unit->source, token, "extern"))
            continue;
        struct text newlines = {0};
        size_t end = token->end;
        while (end < unit->list->tokens[i + 1].start && strchr(" \t", unit->source[end]) && unit->source[end])
            end++;
        text_add_newlines(&newlines, unit->source, token->start, end, unit->in_definition);
        edit_replace(unit->edits, token->start, end, &newlines);
    }
}

/* Refuses the declaration whose name, or last word, is the token before token i. */
static bool refuse_shared(const struct unit *unit, size_t i)
{
    return error_at(unit->error, unit->source, unit->list->tokens[i - 1].start,
                    "'extern __shared__' declares arrays without a size here, and nothing else beside them",
                    "extern __shared__ type name[]; or, with a size, __shared__ without extern");
}

/* Whether every variable in the declaration at token i has a size. nvcc ignores the `extern` of such a declaration:
 * it is "treated as a static definition". */
static bool declares_sized(const struct unit *unit, size_t i)
{
    const struct token *tokens = unit->list->tokens;
    bool unsized = false, named = false;

    while (tokens[i].kind != TOKEN_END && tokens[i].mark != ';' && tokens[i].mark != '}') {
        unsized = unsized || (tokens[i].mark == '[' && tokens[i].partner == i + 1);
        named = named || (tokens[i].kind == TOKEN_IDENTIFIER && !is_storage_word(unit, i));
        i = tokens[i].partner != NO_TOKEN && tokens[i].partner > i && tokens[i].mark != '('
                ? tokens[i].partner + 1
                : i + 1;
    }
    return named && !unsized;
}

/* Translates one declarator `name[]` whose [ is token i. Sets *end to the token after it. */
static bool declare_shared_array(const struct unit *unit, size_t i, size_t *end)
{
    const struct token *tokens = unit->list->tokens;
    size_t name = i - 1;

    if (tokens[i].mark != '[' || tokens[i].partner != i + 1 || tokens[name].kind != TOKEN_IDENTIFIER ||
        is_storage_word(unit, name))
        return refuse_shared(unit, i);
    while (name >= unit->first + 2 && tokens[name - 1].mark == MARK_PASTE)
        name -= 2;
    edit_insert(unit->edits, tokens[name].start, "(&");
    edit_insert(unit->edits, tokens[i - 1].end, ")");

    for (;;) {
        size_t after = skip_bracketed(unit, i);
        if (after == i && tokens[i].mark == '[' && tokens[i].partner != NO_TOKEN)
            after = tokens[i].partner + 1;
        if (after == i)
            break;
        i = after;
    }
    edit_insert(unit->edits, tokens[i - 1].end, " = simt::__dynamic_shared");
    *end = i;
    return true;
}

/* nvcc accepts `__shared__ alignas(16) float x`, but g++ wants an alignas before all other specifiers. */
static void move_alignments(const struct unit *unit, size_t i, size_t end)
{
    static const char *const specifiers[] = {"static",     "const",  "volatile", "constexpr",
                                             "__device__", "inline", NULL};
    const struct token *tokens = unit->list->tokens;
    size_t start = i;

    while (start > unit->first && token_is_one_of(unit->source, &tokens[start - 1], specifiers))
        start--;
    for (size_t at = start + 1; at < end; at++) {
        size_t after = skip_bracketed(unit, at);
        const size_t length = tokens[after > at ? after - 1 : at].end - tokens[at].start;
        if (!token_spells(unit->source, &tokens[at], "alignas") || after == at ||
            memchr(unit->source + tokens[at].start, '\n', length))
            continue;
        struct text moved = {0}, newlines = {0};
        text_add(&moved, unit->source + tokens[at].start, tokens[after - 1].end - tokens[at].start);
        text_add_string(&moved, " ");
        edit_replace(unit->edits, tokens[start].start, tokens[start].start, &moved);
        text_add_newlines(&newlines, unit->source, tokens[at].start, tokens[after - 1].end,
                          unit->in_definition);
        edit_replace(unit->edits, tokens[at].start, tokens[after - 1].end, &newlines);
    }
}

bool declare_shared(const struct unit *unit, size_t i, size_t *next)
{
    struct specifiers found = read_specifiers(unit, i);

    *next = found.body;
    const bool sized = !found.is_extern || !found.is_shared || declares_sized(unit, i);
    if (sized)
        move_alignments(unit, i, found.body);
    if (!found.is_extern || !found.is_shared)
        return true;
    if (sized) {
        delete_storage(unit, i, found.body, false);
        return true;
    }
    delete_storage(unit, i, found.body, true);
    for (;;) {
        if (!declare_shared_array(unit, found.end, next))
            return false;
        if (unit->list->tokens[*next].mark != ',')
            return true;
        found = read_specifiers(unit, *next + 1);
    }
}

/* ---- __device__ ------------------------------------------------------------------------------------ */

/* Whether the ( at token i, the first one of a declaration, follows a variable's name or encloses it: an
 * initializer `x(3)`, a pointer to a function `(*f)(int)`, a reference `(&r)[4]`. */
static bool parenthesis_of_variable(const struct unit *unit, size_t i)
{
    static const char *const values[] = {"true", "false", "nullptr", "NULL", NULL};
    static const char *const qualifiers[] = {"const", "volatile", "__restrict__", "__restrict", NULL};
    const struct token *tokens = unit->list->tokens, *inside = &tokens[i + 1];

    if (inside->kind == TOKEN_NUMBER || inside->kind == TOKEN_LITERAL || has_mark_among(inside, "-+!~") ||
        token_is_one_of(unit->source, inside, values))
        return true;
    while (inside->kind == TOKEN_IDENTIFIER && inside[1].mark == MARK_SCOPE)
        inside += 2; /* pointer to a member */
    if (inside->mark != '*' && inside->mark != '&')
        return false;
    while (inside->mark == '*' || inside->mark == '&' || token_is_one_of(unit->source, inside, qualifiers))
        inside++;
    return inside->kind == TOKEN_IDENTIFIER && (inside[1].mark == ')' || inside[1].mark == '[');
}

bool follows_captures(const struct unit *unit, size_t i)
{
    static const char *const words[] = {"__host__", "__device__", NULL};
    const struct token *tokens = unit->list->tokens;

    while (i > unit->first && token_is_one_of(unit->source, &tokens[i - 1], words))
        i--;
    return i > unit->first && tokens[i - 1].mark == ']' &&
           !(i - 1 > unit->first && tokens[i - 2].mark == ']'); /* [[attribute]] */
}

bool declares_variable(const struct unit *unit, size_t i, bool other_space, size_t *next)
{
    const struct token *tokens = unit->list->tokens;
    size_t names = 0, since_record = 0; /* names since struct or a similar word; 0 if there is no such word */
    bool variable = false;

    for (*next = i + 1;; ++*next) {
        size_t skipped = skip_bracketed(unit, *next);
        const struct token *token = &tokens[*next];
        if (skipped != *next) {
            *next = skipped - 1;
        } else if (token->kind == TOKEN_IDENTIFIER) {
            if (token_spells(unit->source, token, "operator"))
                return false;
            other_space = other_space || names_other_space(unit->source, token);
            since_record += since_record > 0 || is_record_word(unit, *next);
            names++;
        } else if (token->mark == '(') {
            variable = parenthesis_of_variable(unit, *next);
            break;
        } else if (token->kind == TOKEN_END || has_mark_among(token, ";=[{,)]}")) {
            bool type_only = since_record == 1 || since_record == 2; /* `struct S {`, `struct S;` */
            variable = token->mark == ';' || token->mark == '{'
                           ? !type_only
                           : has_mark_among(token, "=[") || (token->mark == ',' && names > 1);
            break;
        }
    }
    /* A variable that is defined elsewhere is already in its section, and gcc warns of a second section name for it. */
    if (i > unit->first && token_spells(unit->source, &tokens[i - 1], "extern"))
        return false;
    return variable && !other_space && names > 0 && !follows_captures(unit, i);
}
