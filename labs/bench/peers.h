/* peers.h: what a lab's functions are timed against: CUB's and Thrust's, called as the labs' contracts call theirs. Arrays
 * are on the device, any n. CUB's scratch memory is there from an earlier call of that length; Thrust allocates its own. */
#ifndef LABS_PEERS_H
#define LABS_PEERS_H

#include <stddef.h>
#include <stdint.h>

int peer_version(void); /* of CUB: 300001 is 3.0.1 */
void peer_reduce(const int *in, int *out, size_t n);
void peer_scan(const int *in, int *out, size_t n);      /* inclusive */
size_t peer_compact(const int *in, int *out, size_t n); /* keeps what is not 0; returns the count */
void peer_sort(const unsigned *in, unsigned *out, size_t n);
void peer_sort_int(const int *in, int *out, size_t n);
void peer_sort_float(const float *in, float *out, size_t n); /* no zeros: their sign is not looked at */
void peer_sort_long(const uint64_t *in, uint64_t *out, size_t n);
void peer_sort_pairs(const unsigned *keys, const unsigned *values, unsigned *keys_out, unsigned *values_out,
                     size_t n);
/* Images: rows by CUB's scan by key; columns are rows between two transposes. */
void peer_scan_rows(const int *in, int *out, size_t rows, size_t columns);
void peer_scan_columns(const int *in, int *out, size_t rows, size_t columns);
void peer_table(const unsigned *image, uint64_t *table, size_t rows, size_t columns);

void thrust_reduce(const int *in, int *out, size_t n);
void thrust_scan(const int *in, int *out, size_t n);
size_t thrust_compact(const int *in, int *out, size_t n);
void thrust_sort(const unsigned *in, unsigned *out, size_t n); /* of a copy: it sorts in place */

#endif
