/* schedule_order.h: the order in which a schedule starts blocks and gives threads their turns (enum simt_order). Internal. */
#ifndef SIMT_SCHEDULE_ORDER_H
#define SIMT_SCHEDULE_ORDER_H

#include <stdbool.h>
#include <stdint.h>

/* The number of the block that starts as the i-th of `blocks`: a permutation of 0 .. blocks - 1. */
uint64_t order_of_block(uint64_t i, uint64_t blocks);

/* Does the launch's yield of that number (0, 1, ...) let another block run? In random order and in lockstep only. */
bool order_interrupts(uint64_t yield);

/* Of a launch in lockstep. Until a block is done, all blocks that are resident run in step; from then on the one that
 * started last has its turn first. */
bool order_in_step(void);
bool order_last_first(void);

/* The thread numbers of a block, in the order of their first turns; valid until the next call. `block` is
 * the block's number: random orders differ from block to block. 1 <= threads <= 1024. */
const unsigned *order_of_threads(unsigned threads, uint64_t block);

#endif
