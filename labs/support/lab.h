/* lab.h: what every lab's contract starts from. */
#ifndef LABS_LAB_H
#define LABS_LAB_H

#include "monoid.h"
#include <stddef.h>

#define TILE 512 /* elements that one block handles */

#endif
