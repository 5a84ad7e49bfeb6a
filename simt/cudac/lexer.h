/* lexer.h: CUDA C source text as a list of tokens. Internal to cudac.
 *
 * Comments, white space and line continuations are the gaps between tokens. In a file's list a
 * preprocessor line is one token; the replacement of a #define is read by a second call. Text in a group
 * that `#if 0` skips yields no tokens. */
#ifndef CUDAC_LEXER_H
#define CUDAC_LEXER_H

#include "token.h"

/* Reads source[0 .. size) as a file. On false *error is filled in. Either way the caller frees the list. */
bool lex_file(const char *source, size_t size, struct token_list *list, struct cudac_error *error);

/* Reads what follows the word `define` of a MARK_DEFINE token: name, parameters, replacement. Token places
 * are places in `source`. */
bool lex_definition(const char *source, const struct token *directive, struct token_list *list,
                    struct cudac_error *error);

#endif
