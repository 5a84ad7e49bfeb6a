/* split.c: see split.h.
 *
 * `static __device__ int a[4], *b = a;` becomes `static __device__ int a[4]; static __device__ int *b = a;`. Only
 * plain declarations are understood, which consist of the words of a type and names. All others stay as they are. */
#include "split.h"
#include <stddef.h>

enum { MAX_NAMES = 64 }; /* in one declaration */

static bool is_space(const struct unit *unit, size_t i)
{
    return token_spells(unit->source, &unit->list->tokens[i], "__device__") ||
           names_other_space(unit->source, &unit->list->tokens[i]);
}

/* Returns the first token of the declaration whose words include token i; NO_TOKEN when something other than words
 * comes before it, or another word for a memory space. */
static size_t first_word(const struct unit *unit, size_t i)
{
    const struct token *tokens = unit->list->tokens;
    for (; i > unit->first && tokens[i - 1].kind == TOKEN_IDENTIFIER; i--) {
        if (is_space(unit, i - 1))
            return NO_TOKEN;
    }
    if (i == unit->first || tokens[i - 1].kind == TOKEN_DIRECTIVE || has_mark_among(&tokens[i - 1], ";{}"))
        return i;
    return NO_TOKEN;
}

/* Returns the first token of the first declarator, after the words of the type that begins at token i. */
static size_t first_declarator(const struct unit *unit, size_t i)
{
    static const char *const others[] = {"extern",   "typedef",  "struct", "class", "union",  "enum",
                                         "template", "operator", "using",  "auto",  "friend", NULL};
    const struct token *tokens = unit->list->tokens;
    bool type = false; /* whether the previous token ends a type */
    for (;; i++) {
        const size_t behind = skip_bracketed(unit, i);
        if (behind != i) {
            i = behind - 1;
        } else if (tokens[i].kind == TOKEN_IDENTIFIER) {
            if (token_is_one_of(unit->source, &tokens[i], others))
                return NO_TOKEN;
            if (has_mark_among(&tokens[i + 1], ",;=[{"))
                return type ? i : NO_TOKEN;
            type = type || !is_space(unit, i);
        } else if (tokens[i].mark == '*' && type) {
            return i;
        } else if (tokens[i].mark != MARK_SCOPE) {
            return NO_TOKEN;
        }
    }
}

/* Returns the comma or semicolon that ends the declarator at token i; NO_TOKEN when it is not a plain one. */
static size_t end_of_declarator(const struct unit *unit, size_t i)
{
    static const char *const qualifiers[] = {"const", "volatile", "__restrict__", "__restrict", NULL};
    const struct token *tokens = unit->list->tokens;
    while (tokens[i].mark == '*' || token_is_one_of(unit->source, &tokens[i], qualifiers))
        i++;
    if (tokens[i++].kind != TOKEN_IDENTIFIER)
        return NO_TOKEN;
    while (tokens[i].mark == '[' && tokens[i].partner != NO_TOKEN)
        i = tokens[i].partner + 1;
    if (tokens[i].mark == '=' || tokens[i].mark == '{') {
        while (!has_mark_among(&tokens[i], ",;")) {
            if (tokens[i].kind == TOKEN_END || tokens[i].kind == TOKEN_DIRECTIVE || tokens[i].mark == '<')
                return NO_TOKEN; /* a comma after < may separate a template's arguments */
            i = next_token(unit, i);
        }
    }
    return has_mark_among(&tokens[i], ",;") ? i : NO_TOKEN;
}

/* Replaces the comma by a semicolon and a copy of the type's words, on one line. */
static void repeat_words(const struct unit *unit, size_t comma, size_t first, size_t end, bool marked)
{
    struct text text = {0};
    text_add_string(&text, ";");
    for (size_t i = first; i < end; i++) {
        const struct token *token = &unit->list->tokens[i];
        text_add_string(&text, " ");
        text_add(&text, unit->source + token->start, token->end - token->start);
        if (marked && token_spells(unit->source, token, "__device__"))
            text_add_string(&text, " __simt_variable");
    }
    const struct token *at = &unit->list->tokens[comma];
    edit_replace(unit->edits, at->start, at->end, &text);
}

void split_declaration(const struct unit *unit, size_t i)
{
    const struct token *tokens = unit->list->tokens;
    size_t commas[MAX_NAMES], count = 0;
    const size_t first = unit->in_definition ? NO_TOKEN : first_word(unit, i);
    const size_t declarator = first == NO_TOKEN ? NO_TOKEN : first_declarator(unit, first);
    size_t end = declarator == NO_TOKEN ? NO_TOKEN : end_of_declarator(unit, declarator);
    while (end != NO_TOKEN && tokens[end].mark == ',' && count < MAX_NAMES) {
        commas[count++] = end;
        end = end_of_declarator(unit, end + 1);
    }
    if (end == NO_TOKEN || tokens[end].mark != ';')
        return;
    bool marked = true;
    for (size_t k = first; k < declarator; k++) {
        if (token_spells(unit->source, &tokens[k], "__shared__"))
            return;
        marked = marked && !names_other_space(unit->source, &tokens[k]);
    }
    for (size_t k = 0; k < count; k++)
        repeat_words(unit, commas[k], first, declarator, marked);
}
