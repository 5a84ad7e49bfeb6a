/* peers.h: what a lab's functions are timed against: CUB's, called as the labs' contracts call theirs. Arrays are on the
 * device, any n. Scratch memory is there from an earlier call of that length. */
#ifndef LABS_PEERS_H
#define LABS_PEERS_H

#include <stddef.h>

void peer_reduce(const int *in, int *out, size_t n);
void peer_scan(const int *in, int *out, size_t n);      /* inclusive */
size_t peer_compact(const int *in, int *out, size_t n); /* keeps what is not 0; returns the count */
void peer_sort(const unsigned *in, unsigned *out, size_t n);

#endif
