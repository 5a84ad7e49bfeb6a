/* pairs.h: finds the partner of each bracket. Internal to cudac. */
#ifndef CUDAC_PAIRS_H
#define CUDAC_PAIRS_H

#include "lexer.h"

/* Sets `partner` of every ( ) [ ] { }, of each < > that encloses template arguments, and of each <<<, whose partner
 * is the first of the three > that end it. Tokens without a partner keep NO_TOKEN: a bracket that g++ will report,
 * a less-than, or one branch's half of a pair that is split by #if and #else.
 *
 * Whether < opens template arguments is a guess: it does if it follows a name and a > follows before the enclosing
 * bracket or statement ends. Returns false, with *error filled in, when a >>> before a ( ends nothing. */
bool pair_tokens(const char *source, struct token_list *list, struct cudac_error *error);

/* Returns how many > follow each other directly from token i on. */
size_t greater_run(const struct token_list *list, size_t i);

#endif
