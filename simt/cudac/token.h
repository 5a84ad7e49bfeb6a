/* token.h: tokens of CUDA C, and questions about one of them. Internal to cudac. */
#ifndef CUDAC_TOKEN_H
#define CUDAC_TOKEN_H

#include "cudac.h"
#include <stdbool.h>
#include <stddef.h>

#define NO_TOKEN ((size_t)-1)

enum token_kind {
    TOKEN_IDENTIFIER, /* including keywords */
    TOKEN_NUMBER,
    TOKEN_LITERAL, /* a string or character, with its prefix and without its suffix */
    TOKEN_PUNCTUATOR,
    TOKEN_DIRECTIVE, /* a whole preprocessor line without its newline */
    TOKEN_END        /* occurs once, as the last token */
};

/* The mark of a punctuator is its character or one of these. '>' is always a token of its own, because only the
 * context shows whether `>>>` ends a launch or three lists of template arguments. */
enum {
    MARK_NONE = 0,
    MARK_LAUNCH = 256, /* <<<; pair_tokens also sets it for << < */
    MARK_SHIFT,        /* << */
    MARK_SCOPE,        /* :: */
    MARK_ARROW,        /* -> */
    MARK_PASTE,        /* ## */
    MARK_OPERATOR,     /* == += <= && and other long operators that contain no bracket */
    MARK_IF,           /* directives: #if, #ifdef and #ifndef */
    MARK_ELSE,         /* #elif #else ... */
    MARK_ENDIF,
    MARK_DEFINE,
    MARK_OTHER_DIRECTIVE
};

struct token {
    size_t start, end; /* bytes of the source; `end` is exclusive */
    size_t partner;    /* index of the bracket that closes or opens this one, or NO_TOKEN */
    enum token_kind kind;
    int mark;          /* MARK_NONE unless the token is a punctuator or a directive */
    bool space_before; /* whether white space or a comment comes before it; a continuation alone is neither */
};

struct token_list {
    struct token *tokens; /* `count` tokens; the last is a TOKEN_END */
    size_t count, capacity;
};

void token_list_free(struct token_list *list);

/* Whether the token is an identifier or a number that spells `word`; line continuations are ignored. */
bool token_spells(const char *source, const struct token *token, const char *word);

/* Whether the token is an identifier that spells one of `words`, a list that ends with a null pointer. */
bool token_is_one_of(const char *source, const struct token *token, const char *const *words);

/* Whether the token's mark is one of the characters in `marks`. */
bool has_mark_among(const struct token *token, const char *marks);

/* Whether source[start .. end) spells `word`; line continuations are ignored. */
bool text_spells(const char *source, size_t start, size_t end, const char *word);

/* Returns the first byte at or after `from` that is not part of a line continuation, at most `end`. */
size_t skip_continuations(const char *source, size_t from, size_t end);

/* Moves the beginning of a source past a byte order mark, which some editors write. */
void skip_byte_order_mark(const char **source, size_t *size);

/* Fills in the line and column of source[at], the message and the hint. Returns false, for use after `return`. */
bool error_at(struct cudac_error *error, const char *source, size_t at, const char *message,
              const char *hint);

/* The same when memory runs out. */
bool error_no_memory(struct cudac_error *error);

#endif
