/* token.h: tokens of CUDA C, and what is asked of one. Internal to cudac. */
#ifndef CUDAC_TOKEN_H
#define CUDAC_TOKEN_H

#include "cudac.h"
#include <stdbool.h>
#include <stddef.h>

#define NO_TOKEN ((size_t)-1)

enum token_kind {
    TOKEN_IDENTIFIER, /* keywords too */
    TOKEN_NUMBER,
    TOKEN_LITERAL, /* string or character, with its prefix and without its suffix */
    TOKEN_PUNCTUATOR,
    TOKEN_DIRECTIVE, /* a whole preprocessor line without its newline */
    TOKEN_END        /* stands once, last */
};

/* token.mark: of a punctuator its character, or one of these. '>' always stands alone: whether `>>>` ends
 * a launch or three template argument lists shows only in context. */
enum {
    MARK_NONE = 0,
    MARK_LAUNCH = 256, /* <<<, and << < once pair_tokens has seen it */
    MARK_SHIFT,        /* << */
    MARK_SCOPE,        /* :: */
    MARK_ARROW,        /* -> */
    MARK_PASTE,        /* ## */
    MARK_OPERATOR,     /* == += <= && ... : anything longer that holds no bracket */
    MARK_IF,           /* directives: #if #ifdef #ifndef */
    MARK_ELSE,         /* #elif #else ... */
    MARK_ENDIF,
    MARK_DEFINE,
    MARK_OTHER_DIRECTIVE
};

struct token {
    size_t start, end; /* bytes of the source, end exclusive */
    size_t partner;    /* index of the bracket that closes or opens this one; NO_TOKEN */
    enum token_kind kind;
    int mark;          /* MARK_NONE unless a punctuator or a directive */
    bool space_before; /* white space or a comment stands before it; a continuation alone is none */
};

struct token_list {
    struct token *tokens; /* count of them, the last a TOKEN_END */
    size_t count, capacity;
};

void token_list_free(struct token_list *list);

/* Whether the token is an identifier or a number that spells `word`, continuations left out. */
bool token_spells(const char *source, const struct token *token, const char *word);

/* Whether the token is an identifier that spells one of `words`, a list that ends with a null pointer. */
bool token_is_one_of(const char *source, const struct token *token, const char *const *words);

/* Whether source[start .. end) spells `word`, continuations left out. */
bool text_spells(const char *source, size_t start, size_t end, const char *word);

/* The first byte at or after `from` that no line continuation covers, at most `end`. */
size_t skip_continuations(const char *source, size_t from, size_t end);

/* Fills in line and column of source[at], message and hint. Returns false, for `return`. */
bool error_at(struct cudac_error *error, const char *source, size_t at, const char *message,
              const char *hint);

/* The same for want of memory. */
bool error_no_memory(struct cudac_error *error);

#endif
