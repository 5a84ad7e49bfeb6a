#include "scan.h"
#include <string.h>

enum { RAW_DELIMITER_MAX = 16 };

/* ---- characters ------------------------------------------------------------------------------------ */

int scan_peek(const struct lexer *lexer, size_t *at)
{
    *at = skip_continuations(lexer->source, *at, lexer->end);
    return *at < lexer->end ? (unsigned char)lexer->source[*at] : NOTHING;
}

bool scan_take(const struct lexer *lexer, size_t *at, int wanted)
{
    size_t here = *at;
    if (scan_peek(lexer, &here) != wanted)
        return false;
    *at = here + 1;
    return true;
}

bool scan_take_text(const struct lexer *lexer, size_t *at, const char *text)
{
    size_t here = *at;
    for (; *text; text++)
        if (!scan_take(lexer, &here, (unsigned char)*text))
            return false;
    *at = here;
    return true;
}

/* ---- comments and literals ------------------------------------------------------------------------- */

/* Moves to the end of the line. */
static void skip_line(struct lexer *lexer)
{
    for (int c; (c = scan_peek(lexer, &lexer->at)) != NOTHING && c != '\n';)
        lexer->at++;
}

static bool skip_block_comment(struct lexer *lexer, size_t start)
{
    while (scan_peek(lexer, &lexer->at) != NOTHING) {
        lexer->at++;
        if (lexer->source[lexer->at - 1] == '*' && scan_take(lexer, &lexer->at, '/'))
            return true;
    }
    return error_at(lexer->error, lexer->source, start, "this comment is never closed", "add */ at its end");
}

bool scan_comment(struct lexer *lexer, bool *was)
{
    size_t start = lexer->at;

    *was = true;
    if (scan_take_text(lexer, &lexer->at, "//")) {
        skip_line(lexer);
        return true;
    }
    if (scan_take_text(lexer, &lexer->at, "/*"))
        return skip_block_comment(lexer, start);
    *was = false;
    return true;
}

/* Whether a lone quote is accepted: either g++ skips that text, or g++ reports the error itself. */
static bool lone_quotes_pass(const struct lexer *lexer)
{
    return lexer->in_directive || lexer->group_count > 0;
}

bool scan_literal(struct lexer *lexer, size_t start, int quote)
{
    for (int c; (c = scan_peek(lexer, &lexer->at)) != NOTHING && c != '\n';) {
        lexer->at++;
        if (c == quote)
            return true;
        if (c == '\\' && (c = scan_peek(lexer, &lexer->at)) != NOTHING && c != '\n')
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

bool scan_raw_string(struct lexer *lexer, size_t start)
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
    if (lexer->in_directive) { /* g++ refuses the string and ends the line here */
        skip_line(lexer);
        return true;
    }
    return error_at(lexer->error, source, start, "this raw string is never closed",
                    "end it with ), its delimiter, and \"");
}

bool is_literal_prefix(const char *source, size_t start, size_t end, bool *raw)
{
    static const char *const plain[] = {"L", "u8", "u", "U"};
    static const char *const raws[] = {"R", "LR", "u8R", "uR", "UR"};

    *raw = true;
    for (size_t i = 0; i < sizeof raws / sizeof *raws; i++)
        if (text_spells(source, start, end, raws[i]))
            return true;
    *raw = false;
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        if (text_spells(source, start, end, plain[i]))
            return true;
    return false;
}
