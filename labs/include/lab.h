/* lab.h: the common base of all labs' contracts. */
#ifndef LABS_LAB_H
#define LABS_LAB_H

#include "monoid.h"
#include <stddef.h>

/* The number of elements that one block handles, set by the build: -DTILE=64. Code must not rely on a particular
 * value. */
#ifndef TILE
#define TILE 512
#endif
#if !defined(SIMT_TRACE) && TILE != 64 && TILE != 512 && TILE != 1024
#error "TILE is 64, 512 or 1024"
#endif

#endif
