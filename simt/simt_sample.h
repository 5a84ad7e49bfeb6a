/* simt_sample.h: sampled runs, for lengths that no CPU can run; a part of simt.h. */
#ifndef SIMT_SAMPLE_API_H
#define SIMT_SAMPLE_API_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Starts sampled runs. Allocations start as zeros and use memory only for pages
 * that are accessed, and only the first and last blocks of each launch run. Only these findings are made:
 * SIMT_NARROW_INDEX, SIMT_LAUNCH, and SIMT_ENDLESS of host code. They report indices that jump by 2^32 from where
 * the previous blocks lead, lengths that have lost their upper bits, and grids of 0 blocks. Host code ends with
 * SIMT_ENDLESS after far_index / 32 memory accesses. Results are meaningless. Indices above `far_index` are those
 * that do not fit into 32 bits. With far_index 0, runs are complete again, and the long allocations are freed. */
void simt_sample(size_t far_index);

/* Reserves the addresses of long allocations. simt_sample does so itself if this has not been called before.
 * Returns false when there are not enough addresses. */
bool simt_sample_reserve(void);

/* Declares that the kernels or copies of a sampled run should write the array up to its end, or read it (one of
 * several). Returns false when `pointer` is not the start of a live allocation. */
bool simt_sample_expect(const void *pointer, bool written);

/* Sets the values of an array of 4-byte integers in a sampled run instead of zeros: 1 everywhere, or the index of
 * each element modulo 2^32. Returns false when `pointer` is not the start of a live allocation. */
enum simt_sample_values { SIMT_ALL_ZERO, SIMT_ALL_ONE, SIMT_INDICES };
bool simt_sample_fill(const void *pointer, enum simt_sample_values values);

/* Called after the part has returned and before its arrays are freed. Reports the arrays and kernels that should
 * have passed far_index and have not. */
void simt_sample_judge(void);

#ifdef __cplusplus
}
#endif

#endif
