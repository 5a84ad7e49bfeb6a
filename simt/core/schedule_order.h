/* schedule_order.h: the order in which blocks start and threads take their turns (enum simt_order). Internal. */
#ifndef SIMT_SCHEDULE_ORDER_H
#define SIMT_SCHEDULE_ORDER_H

#include <stdbool.h>
#include <stdint.h>

/* The number of the block that starts as the i-th of `blocks` blocks: a permutation of 0 .. blocks - 1. */
uint64_t order_of_block(uint64_t i, uint64_t blocks);

/* Does the launch's yield with this number (0, 1, ...) let another block run? Only in random order and in lockstep. */
bool order_interrupts(uint64_t yield);

/* For launches in lockstep. Until one block is done, all resident blocks run in step; after that, the block that
 * started last has its turn first. */
bool order_in_step(void);
bool order_last_first(void);

/* The thread numbers of a block in the order of their first turns; valid until the next call. `block` is the
 * block's number, because random orders differ from block to block. 1 <= threads <= 1024. */
const unsigned *order_of_threads(unsigned threads, uint64_t block);

#endif
