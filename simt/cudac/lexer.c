/* lexer.c: see lexer.h.
 *
 * A place in the source is a byte offset. Every look at a character goes through peek, which steps over
 * backslash-newline, so a token may be broken across lines anywhere, as in C++. */
#include "lexer.h"
#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { NOTHING = -1, RAW_DELIMITER_MAX = 16 };

/* One #if ... #endif that is open. */
struct group {
    bool outer_dead; /* it stands inside a group that is skipped */
    bool dead;       /* the present branch is skipped: #if 0, or #else of #if 1 */
    bool taken;      /* an earlier branch of `1` makes the later ones dead */
};

struct lexer {
    const char *source;
    size_t end;           /* of the part that is read */
    size_t at;            /* the next byte */
    bool in_directive;    /* reads a #define's replacement: a newline ends a literal, always in leniency */
    struct group *groups; /* open conditionals, the innermost last */
    size_t group_count, group_capacity;
    struct token_list *list;
    struct cudac_error *error;
};

/* ---- characters ------------------------------------------------------------------------------------ */

size_t skip_continuations(const char *source, size_t from, size_t end)
{
    while (from < end && source[from] == '\\') {
        size_t newline = from + 1;
        while (newline < end && source[newline] != '\n' && isspace((unsigned char)source[newline]))
            newline++;
        if (newline >= end || source[newline] != '\n')
            break;
        from = newline + 1;
    }
    return from;
}

/* The character at *at, after moving *at past continuations; NOTHING at the end. */
static int peek(const struct lexer *lexer, size_t *at)
{
    *at = skip_continuations(lexer->source, *at, lexer->end);
    return *at < lexer->end ? (unsigned char)lexer->source[*at] : NOTHING;
}

/* Moves *at past `wanted` when that comes next. */
static bool take(const struct lexer *lexer, size_t *at, int wanted)
{
    size_t here = *at;
    if (peek(lexer, &here) != wanted)
        return false;
    *at = here + 1;
    return true;
}

/* Moves *at past `text` when that comes next. */
static bool take_text(const struct lexer *lexer, size_t *at, const char *text)
{
    size_t here = *at;
    for (; *text; text++)
        if (!take(lexer, &here, (unsigned char)*text))
            return false;
    *at = here;
    return true;
}

static bool is_name_start(int c)
{
    return c != NOTHING && (isalpha(c) || c == '_' || c == '$' || c >= 0x80);
}

static bool is_name(int c)
{
    return is_name_start(c) || (c != NOTHING && isdigit(c));
}

static bool is_blank(int c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f' || c == 0;
}

/* ---- what others use of it ------------------------------------------------------------------------- */

static bool spells(const char *source, size_t start, size_t end, const char *word)
{
    for (start = skip_continuations(source, start, end); start < end;
         start = skip_continuations(source, start + 1, end))
        if (*word == '\0' || source[start] != *word++)
            return false;
    return *word == '\0';
}

bool token_spells(const char *source, const struct token *token, const char *word)
{
    return (token->kind == TOKEN_IDENTIFIER || token->kind == TOKEN_NUMBER) &&
           spells(source, token->start, token->end, word);
}

bool token_is_one_of(const char *source, const struct token *token, const char *const *words)
{
    if (token->kind != TOKEN_IDENTIFIER)
        return false;
    for (; *words; words++)
        if (source[token->start] == **words && spells(source, token->start, token->end, *words))
            return true;
    return false;
}

bool error_at(struct cudac_error *error, const char *source, size_t at, const char *message, const char *hint)
{
    size_t line_start = 0;

    error->line = 1;
    for (size_t i = 0; i < at; i++)
        if (source[i] == '\n') {
            error->line++;
            line_start = i + 1;
        }
    error->column = at - line_start + 1;
    error->message = message;
    error->hint = hint;
    return false;
}

bool error_no_memory(struct cudac_error *error)
{
    *error = (struct cudac_error){.message = "out of memory"};
    return false;
}

void token_list_free(struct token_list *list)
{
    free(list->tokens);
    *list = (struct token_list){0};
}

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

/* ---- comments and literals ------------------------------------------------------------------------- */

/* Moves to the end of the line. */
static void skip_line(struct lexer *lexer)
{
    for (int c; (c = peek(lexer, &lexer->at)) != NOTHING && c != '\n';)
        lexer->at++;
}

static bool skip_block_comment(struct lexer *lexer, size_t start)
{
    while (peek(lexer, &lexer->at) != NOTHING) {
        lexer->at++;
        if (lexer->source[lexer->at - 1] == '*' && take(lexer, &lexer->at, '/'))
            return true;
    }
    return error_at(lexer->error, lexer->source, start, "this comment is never closed", "add */ at its end");
}

/* Skips a comment that begins at lexer->at. *was says whether there was one. */
static bool skip_comment(struct lexer *lexer, bool *was)
{
    size_t start = lexer->at;

    *was = true;
    if (take_text(lexer, &lexer->at, "//")) {
        skip_line(lexer);
        return true;
    }
    if (take_text(lexer, &lexer->at, "/*"))
        return skip_block_comment(lexer, start);
    *was = false;
    return true;
}

/* Where a lone quote is no error of ours: g++ skips that text, or judges it itself. */
static bool lone_quotes_pass(const struct lexer *lexer)
{
    return lexer->in_directive || lexer->group_count > 0;
}

/* Moves past the rest of a literal whose opening quote has been read. A lone quote, where it passes,
 * reaches to the end of its line, as g++ has it. */
static bool skip_literal(struct lexer *lexer, size_t start, int quote)
{
    for (int c; (c = peek(lexer, &lexer->at)) != NOTHING && c != '\n';) {
        lexer->at++;
        if (c == quote)
            return true;
        if (c == '\\' && (c = peek(lexer, &lexer->at)) != NOTHING && c != '\n')
            lexer->at++;
    }
    if (lone_quotes_pass(lexer))
        return true;
    if (quote == '"')
        return error_at(lexer->error, lexer->source, start, "this string has no closing \" on its line",
                        NULL);
    return error_at(lexer->error, lexer->source, start,
                    "this character constant has no closing ' on its line", NULL);
}

/* Moves past the rest of a raw string whose opening quote has been read. Continuations mean nothing in it. */
static bool skip_raw_string(struct lexer *lexer, size_t start)
{
    const char *source = lexer->source;
    size_t delimiter = lexer->at, length = 0;

    while (delimiter + length < lexer->end && length <= RAW_DELIMITER_MAX &&
           !strchr("()\\ \t\v\f\r\n\"", source[delimiter + length]))
        length++;
    if (delimiter + length >= lexer->end || source[delimiter + length] != '(' || length > RAW_DELIMITER_MAX) {
        if (lexer->in_directive) {
            skip_line(lexer);
            return true;
        }
        return error_at(lexer->error, source, start, "this raw string does not begin with R\"delimiter(",
                        "R\"(text)\"");
    }
    size_t i = delimiter + length + 1;
    for (; i < lexer->end && !(source[i] == '\n' && lexer->in_directive); i++)
        if (source[i] == ')' && lexer->end - i > length + 1 &&
            memcmp(source + i + 1, source + delimiter, length) == 0 && source[i + 1 + length] == '"') {
            lexer->at = i + length + 2;
            return true;
        }
    if (lexer->in_directive) { /* g++ refuses it, and ends the line here */
        skip_line(lexer);
        return true;
    }
    return error_at(lexer->error, source, start, "this raw string is never closed",
                    "end it with ), its delimiter, and \"");
}

static bool is_literal_prefix(const char *source, size_t start, size_t end, bool *raw)
{
    static const char *const plain[] = {"L", "u8", "u", "U"};
    static const char *const raws[] = {"R", "LR", "u8R", "uR", "UR"};

    *raw = true;
    for (size_t i = 0; i < sizeof raws / sizeof *raws; i++)
        if (spells(source, start, end, raws[i]))
            return true;
    *raw = false;
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        if (spells(source, start, end, plain[i]))
            return true;
    return false;
}

/* ---- tokens ---------------------------------------------------------------------------------------- */

/* An identifier, or a literal with a prefix. */
static bool read_name(struct lexer *lexer, struct token *token)
{
    size_t here = lexer->at;
    bool raw;

    token->kind = TOKEN_IDENTIFIER;
    while (is_name(peek(lexer, &here)))
        lexer->at = ++here;
    int quote = peek(lexer, &here);
    if ((quote != '"' && quote != '\'') || !is_literal_prefix(lexer->source, token->start, lexer->at, &raw) ||
        (raw && quote != '"'))
        return true;
    token->kind = TOKEN_LITERAL;
    lexer->at = here + 1;
    return raw ? skip_raw_string(lexer, token->start) : skip_literal(lexer, token->start, quote);
}

/* A preprocessing number: 0x1p-3f, 1'000, 1.5e+10. */
static void read_number(struct lexer *lexer, struct token *token)
{
    size_t here = lexer->at;
    int previous = 0;

    token->kind = TOKEN_NUMBER;
    for (;;) {
        int c = peek(lexer, &here);
        if (c == '\'') {
            size_t next = here + 1;
            if (!is_name(peek(lexer, &next)))
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
    if (previous && token_spells(lexer->source, previous, "operator") && take_text(lexer, &lexer->at, "<<")) {
        token->mark = MARK_SHIFT; /* operator<<<int>() */
        return;
    }
    if (take_text(lexer, &lexer->at, "<<=")) {
        token->mark = MARK_OPERATOR;
        return;
    }
    static const struct {
        const char *text;
        int mark;
    } marks[] = {
        {"<<<", MARK_LAUNCH}, {"<<", MARK_SHIFT}, {"::", MARK_SCOPE}, {"->", MARK_ARROW}, {"##", MARK_PASTE}};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (take_text(lexer, &lexer->at, marks[i].text)) {
            token->mark = marks[i].mark;
            return;
        }
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
        if (take_text(lexer, &lexer->at, operators[i])) {
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
    } else if (isdigit(c) || (c == '.' && isdigit(peek(lexer, &next)))) {
        read_number(lexer, token);
    } else if (c == '"' || c == '\'') {
        token->kind = TOKEN_LITERAL;
        lexer->at++;
        if (!skip_literal(lexer, token->start, c))
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
        int c = peek(lexer, &lexer->at);
        was = is_blank(c);
        if (was)
            lexer->at++;
        else if (c == '/' && !skip_comment(lexer, &was))
            return false;
    }
    return true;
}

/* Moves past a run of identifier characters and tells where it was. */
static void read_word(struct lexer *lexer, size_t *start, size_t *end)
{
    size_t here = lexer->at;

    peek(lexer, &here);
    *start = *end = here;
    while (is_name(peek(lexer, &here)))
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
        int c = peek(lexer, &lexer->at);
        if (c == NOTHING || c == '\n')
            return true;
        if (!read_token(lexer, c, &ignored))
            return false;
    }
}

/* The condition at lexer->at: '0' or '1' when it is just that, else '?'. */
static bool read_condition(struct lexer *lexer, char *condition)
{
    size_t start, end;

    *condition = '?';
    if (!skip_blanks(lexer))
        return false;
    read_word(lexer, &start, &end);
    if (!skip_blanks(lexer))
        return false;
    int c = peek(lexer, &lexer->at);
    if (c != NOTHING && c != '\n')
        return true;
    if (spells(lexer->source, start, end, "0"))
        *condition = '0';
    else if (spells(lexer->source, start, end, "1"))
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
        return; /* g++ says so */
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

    if (spells(source, start, end, "if") || spells(source, start, end, "ifdef") ||
        spells(source, start, end, "ifndef")) {
        token->mark = MARK_IF;
        if ((spells(source, start, end, "if") && !read_condition(lexer, &condition)) ||
            !open_group(lexer, condition))
            return false;
    } else if (spells(source, start, end, "else") || spells(source, start, end, "elif") ||
               spells(source, start, end, "elifdef") || spells(source, start, end, "elifndef")) {
        token->mark = MARK_ELSE;
        if (spells(source, start, end, "elif") && !read_condition(lexer, &condition))
            return false;
        next_branch(lexer, condition);
    } else if (spells(source, start, end, "endif")) {
        token->mark = MARK_ENDIF;
        if (lexer->group_count > 0)
            lexer->group_count--;
    } else if (spells(source, start, end, "define")) {
        token->mark = MARK_DEFINE;
    }
    for (size_t i = 0; i < sizeof includes / sizeof *includes; i++)
        if (spells(source, start, end, includes[i])) { /* <a//b> is a name and no comment */
            if (!skip_blanks(lexer))
                return false;
            if (take(lexer, &lexer->at, '<'))
                for (int c; (c = peek(lexer, &lexer->at)) != NOTHING && c != '>' && c != '\n';)
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
        int c = peek(lexer, &lexer->at);

        if (c == NOTHING)
            break;
        if (is_blank(c) || c == '\n') {
            line_start = line_start || (c == '\n' && !lexer->in_directive);
            space = true;
            lexer->at++;
            continue;
        }
        if (c == '/') {
            if (!skip_comment(lexer, &was_comment))
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
    read_word(&lexer, &start, &end); /* define */
    return read_all(&lexer);
}
