/* scan.h: reads the characters of a source, and skips comments and literals as a whole. Internal to the lexer.
 *
 * A place in the source is a byte offset. All code reads characters through scan_peek, which steps over a backslash
 * and newline, so a token may be broken across lines anywhere, as in C++. */
#ifndef CUDAC_SCAN_H
#define CUDAC_SCAN_H

#include "token.h"
#include <ctype.h>

enum { NOTHING = -1 };

/* One open #if ... #endif. */
struct group {
    bool outer_dead; /* whether it is inside a group that is skipped */
    bool dead;       /* whether the current branch is skipped: #if 0, or the #else of #if 1 */
    bool taken;      /* whether an earlier branch with condition 1 makes the later ones dead */
};

struct lexer {
    const char *source;
    size_t end;           /* the end of the part that is read */
    size_t at;            /* the next byte */
    bool in_directive;    /* in a #define's replacement, where a newline ends every literal */
    struct group *groups; /* the open conditionals, with the innermost last */
    size_t group_count, group_capacity;
    struct token_list *list;
    struct cudac_error *error;
};

/* Moves *at past continuations and returns the character there; NOTHING at the end. */
int scan_peek(const struct lexer *lexer, size_t *at);

/* Moves *at past `wanted` and returns true if that character comes next. */
bool scan_take(const struct lexer *lexer, size_t *at, int wanted);

/* Moves *at past `text` and returns true if that text comes next. */
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

/* Moves past the rest of a literal whose opening quote has been read. A lone quote that is accepted reaches to the
 * end of its line, as in g++. */
bool scan_literal(struct lexer *lexer, size_t start, int quote);

/* Moves past the rest of a raw string whose opening quote has been read. It has no line continuations. */
bool scan_raw_string(struct lexer *lexer, size_t start);

/* Whether the word at source[start .. end) may be the prefix of a string or character, and whether that is a raw
 * string. */
bool is_literal_prefix(const char *source, size_t start, size_t end, bool *raw);

#endif
