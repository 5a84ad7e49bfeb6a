/* fragment.h: macros that are the <<<...>>> of launches, and nothing else. Internal to cudac. */
#ifndef CUDAC_FRAGMENT_H
#define CUDAC_FRAGMENT_H

#include "declare.h"

/* Token `open` is a <<<. If it begins a macro's replacement, and its >>> ends it, rewrites both and returns true. */
bool rewrite_fragment(const struct unit *unit, size_t open);

#endif
