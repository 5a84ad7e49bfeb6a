/* declare.h: translates declarations of dynamic shared memory and of device variables. Internal to cudac. */
#ifndef CUDAC_DECLARE_H
#define CUDAC_DECLARE_H

#include "edit.h"
#include "lexer.h"

/* A range of tokens that is translated as a whole: a file, or the replacement of a macro. */
struct unit {
    const char *source;
    const struct token_list *list;       /* with partners set */
    size_t first;                        /* index of the first token; the list's TOKEN_END ends the unit */
    bool in_definition;                  /* whether the unit is the replacement of a macro */
    const struct cudac_headers *headers; /* may be null */
    struct edit_list *edits;
    struct cudac_error *error;
};

/* Token i is `extern` or `__shared__`. Translates the declaration if it has both words, and sets *next to the token
 * after the part that was read. Returns false, with the error filled in, when such a declaration has both arrays
 * without a size (their size is the launch's third argument) and other variables. */
bool declare_shared(const struct unit *unit, size_t i, size_t *next);

/* Token i is `__device__`. Whether it declares a variable in global memory. `other_space` says that an earlier
 * specifier puts the variable in constant, shared or managed memory. Sets *next as above. */
bool declares_variable(const struct unit *unit, size_t i, bool other_space, size_t *next);

/* Returns the token after i, or after the bracket that i opens. */
size_t next_token(const struct unit *unit, size_t i);

/* Returns the token after an attribute or type that begins at token i and has brackets of its own, such as
 * `__align__(16)`, `decltype(x)`, `[[unused]]` or `<int, 3>`. Returns i itself when none begins there. */
size_t skip_bracketed(const struct unit *unit, size_t i);

/* Whether the `__device__` or `__host__` at token i follows the [captures] of a lambda. */
bool follows_captures(const struct unit *unit, size_t i);

/* Whether the token is __constant__, __shared__ or __managed__. */
bool names_other_space(const char *source, const struct token *token);

#endif
