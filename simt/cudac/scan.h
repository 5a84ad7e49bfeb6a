/* scan.h: the characters of a source, and what is skipped as one: comments and literals. Internal to the lexer.
 *
 * A place in the source is a byte offset. Every look at a character goes through scan_peek, which steps over
 * backslash-newline, so a token may be broken across lines anywhere, as in C++. */
#ifndef CUDAC_SCAN_H
#define CUDAC_SCAN_H

#include "token.h"
#include <ctype.h>

enum { NOTHING = -1 };

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

/* The character at *at, after moving *at past continuations; NOTHING at the end. */
int scan_peek(const struct lexer *lexer, size_t *at);

/* Moves *at past `wanted` when that comes next. */
bool scan_take(const struct lexer *lexer, size_t *at, int wanted);

/* Moves *at past `text` when that comes next. */
bool scan_take_text(const struct lexer *lexer, size_t *at, const char *text);

static inline bool is_name_start(int c)
{
    return c != NOTHING && (isalpha(c) || c == '_' || c == '$' || c >= 0x80);
}

static inline bool is_name(int c)
{
    return is_name_start(c) || (c != NOTHING && isdigit(c));
}

static inline bool is_blank(int c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f' || c == 0;
}

/* Skips a comment that begins at lexer->at. *was says whether there was one. */
bool scan_comment(struct lexer *lexer, bool *was);

/* Moves past the rest of a literal whose opening quote has been read. A lone quote, where it passes,
 * reaches to the end of its line, as g++ has it. */
bool scan_literal(struct lexer *lexer, size_t start, int quote);

/* Moves past the rest of a raw string whose opening quote has been read. Continuations mean nothing in it. */
bool scan_raw_string(struct lexer *lexer, size_t start);

/* Whether a string or character may follow the word at source[start .. end), and whether it is a raw one then. */
bool is_literal_prefix(const char *source, size_t start, size_t end, bool *raw);

#endif
