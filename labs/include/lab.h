/* lab.h: what every lab's contract starts from. */
#ifndef LABS_LAB_H
#define LABS_LAB_H

#include "monoid.h"
#include <stddef.h>

/* Elements that one block handles: a parameter of the build, -DTILE=64. Code may rely on no one value of it. */
#ifndef TILE
#define TILE 512
#endif
#if !defined(SIMT_TRACE) && TILE != 64 && TILE != 512 && TILE != 1024
#error "TILE is 64, 512 or 1024"
#endif

#endif
