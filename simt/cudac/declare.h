/* declare.h: declarations of dynamic shared memory and of device variables. Internal to cudac. */
#ifndef CUDAC_DECLARE_H
#define CUDAC_DECLARE_H

#include "edit.h"
#include "lexer.h"

/* A stretch of tokens that is translated as one: a file, or the replacement of a macro. */
struct unit {
    const char *source;
    const struct token_list *list;       /* paired */
    size_t first;                        /* its first token; the list's TOKEN_END ends it */
    bool in_definition;                  /* the replacement of a macro */
    const struct cudac_headers *headers; /* may be null */
    struct edit_list *edits;
    struct cudac_error *error;
};

/* Token i is `extern` or `__shared__`. When both stand in one declaration, translates it. *next is the
 * token after what has been looked at. False, with the error filled in, when such a declaration has both
 * arrays without a size, which are the launch's third argument, and other variables. */
bool declare_shared(const struct unit *unit, size_t i, size_t *next);

/* Token i is `__device__`. Marks the declaration when it is a variable's. `other_space`: an earlier
 * specifier puts it in constant, shared or managed memory. *next as above. */
void declare_device(const struct unit *unit, size_t i, bool other_space, size_t *next);

/* The token after an attribute or type that begins at i and has its own brackets: `__align__(16)`,
 * `decltype(x)`, `[[unused]]`, `<int, 3>`. i itself when none begins there. */
size_t skip_bracketed(const struct unit *unit, size_t i);

/* Whether the `__device__` or `__host__` at token i stands behind a lambda's [captures]. */
bool follows_captures(const struct unit *unit, size_t i);

/* Whether the token is __constant__, __shared__ or __managed__. */
bool names_other_space(const char *source, const struct token *token);

#endif
