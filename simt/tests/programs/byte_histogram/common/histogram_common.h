#ifndef HISTOGRAM_COMMON_H
#define HISTOGRAM_COMMON_H

typedef unsigned int uint;
typedef unsigned char uchar;

#define HISTOGRAM64_BIN_COUNT  64
#define HISTOGRAM256_BIN_COUNT 256
#define UINT_BITS              32
#define SHARED_MEMORY_SIZE     49152
#define LOG2_WARP_SIZE         5U
#define WARP_SIZE              (1U << LOG2_WARP_SIZE)
/* as many warps per block as there is memory for their histograms */
#define WARP_COUNT                    4
#define HISTOGRAM256_THREADBLOCK_SIZE (WARP_COUNT * WARP_SIZE)
#define UMUL(a, b)                    ((a) * (b))
#define UMAD(a, b, c)                 (UMUL((a), (b)) + (c))

#ifdef __cplusplus
extern "C" {
#endif
void histogram64CPU(uint *h_Histogram, const void *h_Data, uint byteCount);
void histogram256CPU(uint *h_Histogram, const void *h_Data, uint byteCount);
void histogram64(uint *d_Histogram, const void *d_Data, uint byteCount);
void initHistogram256(void);
void closeHistogram256(void);
void histogram256(uint *d_Histogram, const void *d_Data, uint byteCount);
#ifdef __cplusplus
}
#endif

#endif
