/* arch.c: see arch.h.
 *
 * nvcc compiles a __host__ __device__ function twice, and __CUDA_ARCH__ is defined in the device's copy only. Here, one
 * function serves both, so
 *
 *     #ifdef __CUDA_ARCH__            becomes     SIMT_IF_DEVICE {
 *         return threadIdx.x;                         return threadIdx.x;
 *     #else                                       } else {
 *         return 0;                                   return 0;
 *     #endif                                      }
 *
 * That is done where the branches are whole statements and no declaration in them is used behind them. In other functions
 * that ask for __CUDA_ARCH__, the body is written twice, the second time for the host and without __CUDA_ARCH__. Outside of
 * functions, __CUDA_ARCH__ is defined for the host, too. */
#include "arch.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CONDITION_MAX = 128, ARCHITECTURE = 900 };

/* Copies the directive after its #, without blanks, parentheses and comments. */
static void copy_condition(const char *source, const struct token *directive, char text[CONDITION_MAX])
{
    size_t length = 0;
    for (size_t at = directive->start + 1; at < directive->end && length < CONDITION_MAX - 1; at++) {
        if (source[at] == '/' && (source[at + 1] == '/' || source[at + 1] == '*'))
            break;
        if (!strchr(" \t()\\\r\n", source[at]))
            text[length++] = source[at];
    }
    text[length] = 0;
}

enum question { ASKS_NOTHING, ASKS_DEVICE, ASKS_HOST };

static enum question read_question(const char *source, const struct token *directive)
{
    static const char *const device[] = {"ifdef__CUDA_ARCH__", "ifdefined__CUDA_ARCH__", "if__CUDA_ARCH__",
                                         NULL};
    static const char *const host[] = {"ifndef__CUDA_ARCH__", "if!defined__CUDA_ARCH__", "if!__CUDA_ARCH__",
                                       NULL};
    static const char *const at_least[] = {"if__CUDA_ARCH__>", "ifdefined__CUDA_ARCH__&&__CUDA_ARCH__>",
                                           NULL};
    char text[CONDITION_MAX], *end;

    copy_condition(source, directive, text);
    for (size_t k = 0; device[k]; k++)
        if (strcmp(text, device[k]) == 0)
            return ASKS_DEVICE;
    for (size_t k = 0; host[k]; k++)
        if (strcmp(text, host[k]) == 0)
            return ASKS_HOST;
    for (size_t k = 0; at_least[k]; k++) {
        const size_t length = strlen(at_least[k]);
        if (strncmp(text, at_least[k], length) != 0)
            continue;
        const char *number = text + length + (text[length] == '=');
        const long least = strtol(number, &end, 10) + (text[length] != '=');
        return end != number && *end == 0 && least <= ARCHITECTURE ? ASKS_DEVICE : ASKS_NOTHING;
    }
    return ASKS_NOTHING;
}

/* Finds the #else (NO_TOKEN when there is none) and the #endif of the directive. Returns false for an #elif. */
static bool find_branches(const struct unit *unit, size_t i, size_t *otherwise, size_t *end)
{
    const struct token *tokens = unit->list->tokens;
    char text[CONDITION_MAX];
    unsigned depth = 0;

    *otherwise = NO_TOKEN;
    for (size_t k = i + 1; tokens[k].kind != TOKEN_END; k++) {
        depth += tokens[k].mark == MARK_IF;
        if (tokens[k].mark == MARK_ENDIF && depth-- == 0) {
            *end = k;
            return true;
        }
        if (tokens[k].mark == MARK_ELSE && depth == 0) {
            copy_condition(unit->source, &tokens[k], text);
            if (strcmp(text, "else") != 0 || *otherwise != NO_TOKEN)
                return false;
            *otherwise = k;
        }
    }
    return false;
}

/* Whether token i, which is not in brackets, shows that its statement is a declaration: `int x`, `int *x`, `vec<int> x`. */
static bool is_of_declaration(const struct unit *unit, size_t i, bool first)
{
    static const char *const words[] = {"return", "throw", "else", "delete", "goto", "new", "sizeof", NULL};
    static const char *const declaring[] = {"using",  "typedef", "auto",    "const",
                                            "static", "case",    "default", NULL};
    const struct token *tokens = unit->list->tokens;
    const bool word = tokens[i].kind == TOKEN_IDENTIFIER && !token_is_one_of(unit->source, &tokens[i], words);
    const size_t behind =
        tokens[i + 1].mark == '<' && tokens[i + 1].partner != NO_TOKEN ? tokens[i + 1].partner + 1 : i + 1;
    if (token_is_one_of(unit->source, &tokens[i], declaring))
        return true;
    if (first && word && (tokens[behind].mark == '*' || tokens[behind].mark == '&'))
        return true;
    return word && tokens[behind].kind == TOKEN_IDENTIFIER;
}

/* Whether tokens [from, to) are whole statements, and, unless `may_declare`, none of them a declaration. */
static bool holds_statements(const struct unit *unit, size_t from, size_t to, bool may_declare)
{
    const struct token *tokens = unit->list->tokens;
    bool first = true;

    if (from < to && !has_mark_among(&tokens[to - 1], ";}"))
        return false;
    for (size_t i = from; i < to; i = next_token(unit, i)) {
        if (tokens[i].partner != NO_TOKEN && (tokens[i].partner < from || tokens[i].partner >= to))
            return false;
        if (tokens[i].kind == TOKEN_DIRECTIVE ||
            (tokens[i].partner == NO_TOKEN && has_mark_among(&tokens[i], "({[]})")))
            return false;
        if (!may_declare && is_of_declaration(unit, i, first))
            return false;
        first = has_mark_among(&tokens[i], ";{}");
    }
    return true;
}

static void replace_directive(const struct unit *unit, size_t i, const char *with)
{
    struct text text = {0};
    const struct token *token = &unit->list->tokens[i];

    text_add_string(&text, with);
    text_add_newlines(&text, unit->source, token->start, token->end, false);
    edit_replace(unit->edits, token->start, token->end, &text);
}

/* Rewrites the directive and its #else and #endif. Returns false where that is not possible. */
static bool choose_statements(const struct unit *unit, const struct local_walk *walk, size_t i)
{
    const struct token *tokens = unit->list->tokens;
    const struct local_block block = local_block(walk);
    size_t otherwise, end;

    if (block.kind != BLOCK_STATEMENTS || !block.device || !block.host || walk->parentheses > 0 ||
        i == unit->first || !has_mark_among(&tokens[i - 1], ";{}"))
        return false;
    const enum question question = read_question(unit->source, &tokens[i]);
    if (question == ASKS_NOTHING || !find_branches(unit, i, &otherwise, &end))
        return false;
    const bool may_declare = tokens[end + 1].mark == '}';
    if (!holds_statements(unit, i + 1, otherwise == NO_TOKEN ? end : otherwise, may_declare) ||
        (otherwise != NO_TOKEN && !holds_statements(unit, otherwise + 1, end, may_declare)))
        return false;
    replace_directive(unit, i, question == ASKS_DEVICE ? "SIMT_IF_DEVICE {" : "SIMT_IF_HOST {");
    if (otherwise != NO_TOKEN)
        replace_directive(unit, otherwise, "} else {");
    replace_directive(unit, end, "}");
    return true;
}

static size_t line_of(const char *source, size_t at)
{
    size_t line = 1;
    for (size_t i = 0; i < at; i++)
        line += source[i] == '\n';
    return line;
}

/* Writes the body that begins with the { at token `body` twice. */
static void write_twice(const struct unit *unit, size_t body)
{
    const struct token *open = &unit->list->tokens[body], *close = &unit->list->tokens[open->partner];
    char between[128], behind[128];

    snprintf(between, sizeof between, "} else {\n#undef __CUDA_ARCH__\n#line %zu\n",
             line_of(unit->source, open->end));
    snprintf(behind, sizeof behind, "\n#define __CUDA_ARCH__ %d\n#line %zu\n}", ARCHITECTURE,
             line_of(unit->source, close->start));
    edit_twice(unit->edits, open->end, close->start, " SIMT_IF_DEVICE {", between, behind);
}

void choose_by_device(const struct unit *unit, struct local_walk *walk, size_t i)
{
    const struct token *tokens = unit->list->tokens;
    const struct local_block block = local_block(walk);
    char text[CONDITION_MAX];

    copy_condition(unit->source, &tokens[i], text);
    if (unit->in_definition || !block.body || !strstr(text, "__CUDA_ARCH__") || walk->twice == block.body ||
        choose_statements(unit, walk, i))
        return;
    /* Macros may stand for __host__ __device__. */
    if (block.kernel || (block.device && !block.host) || tokens[block.body].partner == NO_TOKEN)
        return;
    walk->twice = block.body;
    write_twice(unit, block.body);
}
