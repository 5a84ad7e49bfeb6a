/* pairs.h: which bracket closes which. Internal to cudac. */
#ifndef CUDAC_PAIRS_H
#define CUDAC_PAIRS_H

#include "lexer.h"

/* Sets `partner` of every ( ) [ ] { }, of each < > that encloses template arguments, and of each <<< to the
 * first of the three > that end it. What has no partner keeps NO_TOKEN: a bracket that g++ will complain
 * of, a less-than, or one branch's half of a pair that #if and #else share.
 *
 * Whether < opens template arguments is a guess: it does after a name, when a > follows before the
 * enclosing bracket or statement ends. False, with *error filled in, when a >>> before a ( ends nothing. */
bool pair_tokens(const char *source, struct token_list *list, struct cudac_error *error);

/* How many > stand side by side from token i on. */
size_t greater_run(const struct token_list *list, size_t i);

#endif
