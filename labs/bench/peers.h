/* peers.h: the functions of CUB and Thrust with which a lab's functions are compared, with the interfaces of the
 * labs' contracts. Arrays are on the device, for any n. CUB's scratch memory is kept from an earlier call of that
 * length; Thrust allocates its own. */
#ifndef LABS_PEERS_H
#define LABS_PEERS_H

#include <stddef.h>
#include <stdint.h>

int peer_version(void); /* version of CUB: 300001 is 3.0.1 */
void peer_reduce(const int *in, int *out, size_t n);
void peer_scan(const int *in, int *out, size_t n);      /* inclusive */
size_t peer_compact(const int *in, int *out, size_t n); /* keeps nonzero elements; returns their number */
void peer_sort(const unsigned *in, unsigned *out, size_t n);
void peer_sort_int(const int *in, int *out, size_t n);
void peer_sort_float(const float *in, float *out, size_t n); /* no zeros: their sign does not count */
void peer_sort_long(const uint64_t *in, uint64_t *out, size_t n);
void peer_sort_pairs(const unsigned *keys, const unsigned *values, unsigned *keys_out, unsigned *values_out,
                     size_t n);
/* Images: rows by CUB's scan by key; columns as rows between two transposes. */
void peer_scan_rows(const int *in, int *out, size_t rows, size_t columns);
void peer_scan_columns(const int *in, int *out, size_t rows, size_t columns);
void peer_table(const unsigned *image, uint64_t *table, size_t rows, size_t columns);

void thrust_reduce(const int *in, int *out, size_t n);
void thrust_scan(const int *in, int *out, size_t n);
size_t thrust_compact(const int *in, int *out, size_t n);
void thrust_sort(const unsigned *in, unsigned *out, size_t n); /* sorts a copy, because it works in place */

#endif
