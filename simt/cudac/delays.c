/* delays.c: see cudac_delay in cudac.h. One walk over the tokens keeps a stack of the open brackets.
 *
 * `tree[right] = tree[left];` in a function becomes
 *   tree[delays::at(1, (right))] = tree[delays::at(2, (left))]; delays::here(3);
 * so a thread may wait before each access and after each statement, a barrier among them. C++17 evaluates the right side
 * of an assignment first, so there may be a delay between its reads and the write, too. */
#include "edit.h"
#include "lexer.h"
#include "pairs.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_DEPTH = 256 }; /* open brackets; nothing is inserted in deeper ones */

/* What the brackets around a token are. */
enum around { AROUND_OTHER, AROUND_STATEMENTS };

struct walk {
    const char *source;
    const struct token *tokens;
    struct edit_list edits;
    unsigned char around[MOST_DEPTH]; /* enum around, of each open bracket */
    size_t depth;
    size_t functions; /* open brackets that hold statements */
    unsigned long place, seed;
};

/* A number for each place, which differs from seed to seed. */
static void add_place(struct walk *walk, size_t at, const char *function, const char *after)
{
    char text[64];
    const unsigned long number = (++walk->place * 2654435761UL + walk->seed * 40503UL) & 0xFFFFFFFFUL;
    snprintf(text, sizeof text, "delays::%s(%luu%s", function, number, after);
    edit_insert(&walk->edits, at, text);
}

static bool is_word(const struct walk *walk, size_t i, const char *const *words)
{
    return token_is_one_of(walk->source, &walk->tokens[i], words);
}

/* Whether the innermost open bracket holds statements. Of brackets deeper than MOST_DEPTH nothing is known. */
static bool in_statements(const struct walk *walk)
{
    return walk->depth > 0 && walk->depth <= MOST_DEPTH && walk->around[walk->depth - 1] == AROUND_STATEMENTS;
}

/* Whether the { at token i begins statements, and not a type, a namespace or a list of values. */
static bool opens_statements(const struct walk *walk, size_t i)
{
    static const char *const before[] = {"else", "do", "try", "const", "noexcept", "mutable", NULL};
    if (i == 0)
        return false;
    return walk->tokens[i - 1].mark == ')' || is_word(walk, i - 1, before) ||
           (in_statements(walk) && has_mark_among(&walk->tokens[i - 1], ";{}:"));
}

/* Whether the [ at token i is an index, or the bound of an array, which stays a constant. */
static bool is_index(const struct walk *walk, size_t i)
{
    static const char *const words[] = {"auto", "return", "delete", "operator", "case",
                                        "else", "throw",  "do",     "co_yield", NULL};
    const struct token *tokens = walk->tokens;
    if (i == 0 || walk->functions == 0 || tokens[i].partner == NO_TOKEN || tokens[i].partner == i + 1 ||
        has_mark_among(&tokens[i + 1], "[{"))
        return false;
    return has_mark_among(&tokens[i - 1], ")]") ||
           (tokens[i - 1].kind == TOKEN_IDENTIFIER && !is_word(walk, i - 1, words));
}

/* Whether a statement may follow the token i, which is `;` or the `{` of statements. */
static bool may_go_on(const struct walk *walk, size_t i)
{
    static const char *const words[] = {"else", "while", NULL};
    return !is_word(walk, i + 1, words);
}

static void open_bracket(struct walk *walk, size_t i)
{
    const bool statements = walk->tokens[i].mark == '{' && opens_statements(walk, i);
    if (walk->depth < MOST_DEPTH)
        walk->around[walk->depth] = statements ? AROUND_STATEMENTS : AROUND_OTHER;
    if (walk->depth++ < MOST_DEPTH && statements) {
        walk->functions++;
        if (may_go_on(walk, i))
            add_place(walk, walk->tokens[i].end, "here", ");");
    }
}

static void close_bracket(struct walk *walk)
{
    if (walk->depth == 0)
        return;
    if (--walk->depth < MOST_DEPTH && walk->around[walk->depth] == AROUND_STATEMENTS)
        walk->functions--;
}

static void step(struct walk *walk, size_t i)
{
    const struct token *token = &walk->tokens[i];
    if (token->mark == '[' && is_index(walk, i)) {
        add_place(walk, token->end, "at", ", (");
        edit_insert(&walk->edits, walk->tokens[token->partner].start, "))");
    }
    if (has_mark_among(token, "([{"))
        open_bracket(walk, i);
    else if (has_mark_among(token, ")]}"))
        close_bracket(walk);
    else if (token->mark == ';' && in_statements(walk) && may_go_on(walk, i))
        add_place(walk, token->end, "here", ");");
}

char *cudac_delay(const char *source, size_t size, const char *name, unsigned long seed, size_t *output_size,
                  struct cudac_error *error)
{
    struct token_list list = {0};
    struct walk walk = {.seed = seed};
    struct text output = {0};

    *error = (struct cudac_error){0};
    skip_byte_order_mark(&source, &size);
    walk.source = source;
    bool good = lex_file(source, size, &list, error) && pair_tokens(source, &list, error);
    walk.tokens = list.tokens;
    for (size_t i = 0; good && list.tokens[i].kind != TOKEN_END; i++)
        step(&walk, i);
    text_add_string(&output, "#include \"delays.cuh\"\n");
    text_add_line_directive(&output, name);
    good = good && edit_apply(&walk.edits, source, size, &output, error);
    edit_list_free(&walk.edits);
    token_list_free(&list);
    if (!good) {
        free(output.bytes);
        return NULL;
    }
    *output_size = output.length;
    return output.bytes;
}
