/* lexer.h: splits CUDA C source text into a list of tokens. Internal to cudac.
 *
 * Comments, white space and line continuations are the gaps between tokens. In a file's list, a preprocessor line
 * is one token; lex_definition splits the replacement of a #define. Text that `#if 0` skips yields no tokens. */
#ifndef CUDAC_LEXER_H
#define CUDAC_LEXER_H

#include "token.h"

/* Reads source[0 .. size) as a file. Returns false with *error filled in if that fails. The caller frees the list
 * in either case. */
bool lex_file(const char *source, size_t size, struct token_list *list, struct cudac_error *error);

/* Reads what follows the word `define` in a MARK_DEFINE token: the name, the parameters and the replacement. The
 * tokens' places are byte offsets in `source`. */
bool lex_definition(const char *source, const struct token *directive, struct token_list *list,
                    struct cudac_error *error);

#endif
