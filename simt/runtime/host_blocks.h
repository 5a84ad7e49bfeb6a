/* host_blocks.h: the blocks that operator new has given to host code, above all those of std::vector, so that
 * copies can check their length. Any host thread may call these functions without host_enter. */
#ifndef SIMT_HOST_BLOCKS_H
#define SIMT_HOST_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>

void host_blocks_add(void *begin, size_t bytes);

/* Does nothing when no block begins there. */
void host_blocks_remove(const void *begin);

/* Is the address in one of the blocks? Sets *bytes_left to the number of bytes from there to the block's end. If
 * there are very many blocks, only an address at the begin of a block is found. */
bool host_blocks_find(const void *address, size_t *bytes_left);

#endif
