#include "lexer.h"
#include "scan.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ---- the list -------------------------------------------------------------------------------------- */

static bool push(struct lexer *lexer, struct token token)
{
    struct token_list *list = lexer->list;

    if (list->count == list->capacity) {
        size_t capacity = list->capacity ? list->capacity * 2 : 256;
        struct token *grown = realloc(list->tokens, capacity * sizeof *grown);
        if (!grown)
            return error_no_memory(lexer->error);
        list->tokens = grown;
        list->capacity = capacity;
    }
    token.partner = NO_TOKEN;
    list->tokens[list->count++] = token;
    return true;
}

static const struct token *last_token(const struct lexer *lexer)
{
    return lexer->list->count ? &lexer->list->tokens[lexer->list->count - 1] : NULL;
}

/* ---- tokens ---------------------------------------------------------------------------------------- */

/* Reads an identifier, or a literal with a prefix. */
static bool read_name(struct lexer *lexer, struct token *token)
{
    size_t here = lexer->at;
    bool raw;

    token->kind = TOKEN_IDENTIFIER;
    while (is_name(scan_peek(lexer, &here)))
        lexer->at = ++here;
    int quote = scan_peek(lexer, &here);
    if ((quote != '"' && quote != '\'') || !is_literal_prefix(lexer->source, token->start, lexer->at, &raw) ||
        (raw && quote != '"'))
        return true;
    token->kind = TOKEN_LITERAL;
    lexer->at = here + 1;
    return raw ? scan_raw_string(lexer, token->start) : scan_literal(lexer, token->start, quote);
}

/* Reads a preprocessing number, such as 0x1p-3f, 1'000 or 1.5e+10. */
static void read_number(struct lexer *lexer, struct token *token)
{
    size_t here = lexer->at;
    int previous = 0;

    token->kind = TOKEN_NUMBER;
    for (;;) {
        int c = scan_peek(lexer, &here);
        if (c == '\'') {
            size_t next = here + 1;
            if (!is_name(scan_peek(lexer, &next)))
                break;
        } else if (c == '+' || c == '-') {
            if (!strchr("eEpP", previous))
                break;
        } else if (!is_name(c) && c != '.') {
            break;
        }
        previous = c;
        lexer->at = ++here;
    }
}

static void read_punctuator(struct lexer *lexer, struct token *token)
{
    static const char *const operators[] = {"<=>", "==", "!=", "<=", "+=", "-=", "*=", "/=", "%=",
                                            "&=",  "|=", "^=", "&&", "||", "++", "--", "..."};
    const struct token *previous = last_token(lexer);

    token->kind = TOKEN_PUNCTUATOR;
    if (previous && token_spells(lexer->source, previous, "operator") &&
        scan_take_text(lexer, &lexer->at, "<<")) {
        token->mark = MARK_SHIFT; /* operator<<<int>() */
        return;
    }
    if (scan_take_text(lexer, &lexer->at, "<<=")) {
        token->mark = MARK_OPERATOR;
        return;
    }
    static const struct {
        const char *text;
        int mark;
    } marks[] = {
        {"<<<", MARK_LAUNCH}, {"<<", MARK_SHIFT}, {"::", MARK_SCOPE}, {"->", MARK_ARROW}, {"##", MARK_PASTE}};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (scan_take_text(lexer, &lexer->at, marks[i].text)) {
            token->mark = marks[i].mark;
            return;
        }
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
        if (scan_take_text(lexer, &lexer->at, operators[i])) {
            token->mark = MARK_OPERATOR;
            return;
        }
    token->mark = (unsigned char)lexer->source[lexer->at++];
}

/* Reads the token that begins at lexer->at with character c. */
static bool read_token(struct lexer *lexer, int c, struct token *token)
{
    size_t next = lexer->at + 1;

    token->start = lexer->at;
    if (is_name_start(c)) {
        if (!read_name(lexer, token))
            return false;
    } else if (isdigit(c) || (c == '.' && isdigit(scan_peek(lexer, &next)))) {
        read_number(lexer, token);
    } else if (c == '"' || c == '\'') {
        token->kind = TOKEN_LITERAL;
        lexer->at++;
        if (!scan_literal(lexer, token->start, c))
            return false;
    } else {
        read_punctuator(lexer, token);
    }
    token->end = lexer->at;
    return true;
}

/* ---- preprocessor lines ---------------------------------------------------------------------------- */

static bool skipping(const struct lexer *lexer)
{
    if (lexer->group_count == 0)
        return false;
    const struct group *group = &lexer->groups[lexer->group_count - 1];
    return group->outer_dead || group->dead;
}

/* Moves past blanks and comments within a line. */
static bool skip_blanks(struct lexer *lexer)
{
    for (bool was = true; was;) {
        int c = scan_peek(lexer, &lexer->at);
        was = is_blank(c);
        if (was)
            lexer->at++;
        else if (c == '/' && !scan_comment(lexer, &was))
            return false;
    }
    return true;
}

/* Moves past a run of identifier characters and returns its place. */
static void read_word(struct lexer *lexer, size_t *start, size_t *end)
{
    size_t here = lexer->at;

    scan_peek(lexer, &here);
    *start = *end = here;
    while (is_name(scan_peek(lexer, &here)))
        *end = ++here;
    lexer->at = *end;
}

/* Moves to the newline that ends the line. */
static bool skip_directive_rest(struct lexer *lexer)
{
    for (;;) {
        struct token ignored = {0};
        if (!skip_blanks(lexer))
            return false;
        int c = scan_peek(lexer, &lexer->at);
        if (c == NOTHING || c == '\n')
            return true;
        if (!read_token(lexer, c, &ignored))
            return false;
    }
}

/* Reads the condition at lexer->at: '0' or '1' if it is only that digit, else '?'. */
static bool read_condition(struct lexer *lexer, char *condition)
{
    size_t start, end;

    *condition = '?';
    if (!skip_blanks(lexer))
        return false;
    read_word(lexer, &start, &end);
    if (!skip_blanks(lexer))
        return false;
    int c = scan_peek(lexer, &lexer->at);
    if (c != NOTHING && c != '\n')
        return true;
    if (text_spells(lexer->source, start, end, "0"))
        *condition = '0';
    else if (text_spells(lexer->source, start, end, "1"))
        *condition = '1';
    return true;
}

static bool open_group(struct lexer *lexer, char condition)
{
    if (lexer->group_count == lexer->group_capacity) {
        size_t capacity = lexer->group_capacity ? lexer->group_capacity * 2 : 16;
        struct group *grown = realloc(lexer->groups, capacity * sizeof *grown);
        if (!grown)
            return error_no_memory(lexer->error);
        lexer->groups = grown;
        lexer->group_capacity = capacity;
    }
    bool outer_dead = skipping(lexer);
    lexer->groups[lexer->group_count++] =
        (struct group){.outer_dead = outer_dead, .dead = condition == '0', .taken = condition == '1'};
    return true;
}

static void next_branch(struct lexer *lexer, char condition)
{
    if (lexer->group_count == 0)
        return; /* g++ reports this */
    struct group *group = &lexer->groups[lexer->group_count - 1];
    group->dead = group->taken || condition == '0';
    group->taken = group->taken || condition == '1';
}

/* Reads the line that begins with the # at lexer->at, up to its newline. */
static bool read_directive(struct lexer *lexer, struct token *token)
{
    static const char *const includes[] = {"include", "include_next", "import"};
    const char *source = lexer->source;
    size_t start, end;
    char condition = '?';
    bool was_skipping = skipping(lexer), was_in_directive = lexer->in_directive;

    token->kind = TOKEN_DIRECTIVE;
    token->mark = MARK_OTHER_DIRECTIVE;
    token->start = lexer->at++;
    lexer->in_directive = true;
    if (!skip_blanks(lexer))
        return false;
    read_word(lexer, &start, &end);

    if (text_spells(source, start, end, "if") || text_spells(source, start, end, "ifdef") ||
        text_spells(source, start, end, "ifndef")) {
        token->mark = MARK_IF;
        if ((text_spells(source, start, end, "if") && !read_condition(lexer, &condition)) ||
            !open_group(lexer, condition))
            return false;
    } else if (text_spells(source, start, end, "else") || text_spells(source, start, end, "elif") ||
               text_spells(source, start, end, "elifdef") || text_spells(source, start, end, "elifndef")) {
        token->mark = MARK_ELSE;
        if (text_spells(source, start, end, "elif") && !read_condition(lexer, &condition))
            return false;
        next_branch(lexer, condition);
    } else if (text_spells(source, start, end, "endif")) {
        token->mark = MARK_ENDIF;
        if (lexer->group_count > 0)
            lexer->group_count--;
    } else if (text_spells(source, start, end, "define")) {
        token->mark = MARK_DEFINE;
    }
    for (size_t i = 0; i < sizeof includes / sizeof *includes; i++)
        if (text_spells(source, start, end, includes[i])) { /* in <a//b>, the // is part of a name */
            if (!skip_blanks(lexer))
                return false;
            if (scan_take(lexer, &lexer->at, '<'))
                for (int c; (c = scan_peek(lexer, &lexer->at)) != NOTHING && c != '>' && c != '\n';)
                    lexer->at++;
        }
    if (!skip_directive_rest(lexer))
        return false;
    token->end = lexer->at;
    lexer->in_directive = was_in_directive;
    return (was_skipping && skipping(lexer)) || push(lexer, *token);
}

/* ---- the loop -------------------------------------------------------------------------------------- */

static bool read_all(struct lexer *lexer)
{
    bool line_start = !lexer->in_directive, space = false;

    for (;;) {
        struct token token = {0};
        bool was_comment = false;
        int c = scan_peek(lexer, &lexer->at);

        if (c == NOTHING)
            break;
        if (is_blank(c) || c == '\n') {
            line_start = line_start || (c == '\n' && !lexer->in_directive);
            space = true;
            lexer->at++;
            continue;
        }
        if (c == '/') {
            if (!scan_comment(lexer, &was_comment))
                return false;
            if (was_comment) {
                space = true;
                continue;
            }
        }
        token.space_before = space;
        if (c == '#' && line_start) {
            if (!read_directive(lexer, &token))
                return false;
        } else {
            if (!read_token(lexer, c, &token) || (!skipping(lexer) && !push(lexer, token)))
                return false;
        }
        line_start = space = false;
    }
    return push(lexer, (struct token){.kind = TOKEN_END, .start = lexer->end, .end = lexer->end});
}

bool lex_file(const char *source, size_t size, struct token_list *list, struct cudac_error *error)
{
    struct lexer lexer = {.source = source, .end = size, .list = list, .error = error};
    bool read = read_all(&lexer);

    free(lexer.groups);
    return read;
}

bool lex_definition(const char *source, const struct token *directive, struct token_list *list,
                    struct cudac_error *error)
{
    struct lexer lexer = {.source = source,
                          .end = directive->end,
                          .at = directive->start + 1,
                          .in_directive = true,
                          .list = list,
                          .error = error};
    size_t start, end;

    if (!skip_blanks(&lexer))
        return false;
    read_word(&lexer, &start, &end); /* the word `define` */
    return read_all(&lexer);
}
