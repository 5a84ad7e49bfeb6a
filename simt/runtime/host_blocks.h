/* host_blocks.h: what operator new has given host code, std::vector's memory above all, and how long it is: for copies.
 * Any host thread may call these, without host_enter. */
#ifndef SIMT_HOST_BLOCKS_H
#define SIMT_HOST_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>

void host_blocks_add(void *begin, size_t bytes);

/* Nothing happens when it is none of them. */
void host_blocks_remove(const void *begin);

/* Is the address in one of them? *bytes_left: from there to its end. Among very many, only the begin of one is found. */
bool host_blocks_find(const void *address, size_t *bytes_left);

#endif
