/* block_sort.cuh: sorts in one launch what one block can hold: keys stay in its registers and shared memory from the first
 * place to the last. For short inputs, where a launch a place costs more than the places do. */
#ifndef FAST_BLOCK_SORT_CUH
#define FAST_BLOCK_SORT_CUH

#include "digits.cuh"

namespace block_sort {

enum {
    THREADS = 512,
    WARPS = THREADS / WARP,
    HELPERS = THREADS / DIGITS, /* threads that add up the counts of a digit */
    SHARE = WARPS / HELPERS     /* warps whose counts each of them adds up */
};

/* Keys of a thread, at most: what is left of 48 KB of shared memory is for counts. An even number. */
template <class Key> constexpr int MOST_EACH = sizeof(Key) == 4 ? 10 : 4;

struct counts {
    unsigned masks[WARPS][DIGITS];           /* see rank_two */
    unsigned short keys[WARPS][DIGITS + 2];  /* of a digit that a warp has; then where its first one goes. Helpers of a
                                              * digit read from different banks */
    unsigned sums[WARPS];
};

/* From how many keys of a digit each warp has to where its first one goes: behind all of smaller digits, and those of this
 * digit in the warps before. The helpers of a digit are neighbours, as digits are: so one scan over the threads does for
 * both. The counts were written before a barrier, and may be read after this. */
static __device__ __forceinline__ void place_digits(struct counts &counts)
{
    const unsigned lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    const unsigned digit = threadIdx.x / HELPERS, first = threadIdx.x % HELPERS * SHARE;
    unsigned own[SHARE], all = 0;
#pragma unroll
    for (unsigned w = 0; w < SHARE; w++) {
        own[w] = counts.keys[first + w][digit];
        all += own[w];
    }
    const unsigned sum = scan_warp(all);
    if (lane == WARP - 1)
        counts.sums[warp] = sum;
    __syncthreads();
    const unsigned ends = scan_warp(lane < WARPS ? counts.sums[lane] : 0);
    unsigned at = sum - all + (warp > 0 ? __shfl_sync(ALL, ends, warp - 1) : 0);
#pragma unroll
    for (unsigned w = 0; w < SHARE; w++) {
        counts.keys[first + w][digit] = (unsigned short)at;
        at += own[w];
    }
    __syncthreads();
}

/* Where each key goes by one digit; keys of the same digit keep their order, which is: by warp, i, lane. */
template <class Key, int EACH>
static __device__ __forceinline__ void rank(const Key (&key)[EACH], unsigned (&slot)[EACH], unsigned place,
                                            struct counts &counts)
{
    const unsigned lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    unsigned short *passed = counts.keys[warp];
    for (unsigned d = lane; d < DIGITS; d += WARP)
        passed[d] = 0;
    __syncwarp();
#pragma unroll
    for (unsigned i = 0; i < EACH; i += 2)
        rank_two<true>(digit_of(key[i], place), digit_of(key[i + 1], place), counts.masks[warp], passed, &slot[i],
                       &slot[i + 1]);
    __syncthreads();
    place_digits(counts);
#pragma unroll
    for (unsigned i = 0; i < EACH; i++)
        slot[i] += passed[digit_of(key[i], place)];
}

/* What a thread has goes to its slots; then it takes what stands where it began. */
template <class T, int EACH>
static __device__ __forceinline__ void exchange(T (&mine)[EACH], T *shared, const unsigned (&slot)[EACH], unsigned first)
{
#pragma unroll
    for (unsigned i = 0; i < EACH; i++)
        shared[padded(slot[i])] = mine[i];
    __syncthreads();
#pragma unroll
    for (unsigned i = 0; i < EACH; i++)
        mine[i] = shared[padded(first + i * WARP)];
}

/* One block, n <= EACH * THREADS. */
template <class Key, bool VALUES, enum order ORDER, int EACH>
__global__ void __launch_bounds__(THREADS, 1)
    sort_kernel(const Key *in, Key *out, const unsigned *values_in, unsigned *values_out, unsigned n)
{
    __shared__ struct counts counts;
    __shared__ Key keys[padded(EACH * THREADS)]; /* then the values: both have no room in what every kernel may have */
    unsigned *values = (unsigned *)keys;
    const unsigned lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    const unsigned mine = warp * EACH * WARP + lane; /* and each WARP-th behind it */
    Key key[EACH];
    unsigned value[EACH], slot[EACH];

    for (unsigned d = lane; d < DIGITS; d += WARP)
        counts.masks[warp][d] = 0;
    /* Where keys have ended stand the largest; they come last, for equal ones stand before them. */
#pragma unroll
    for (unsigned i = 0; i < EACH; i++) {
        key[i] = mine + i * WARP < n ? flip<ORDER>(in[mine + i * WARP]) : (Key)~(Key)0;
        value[i] = VALUES && mine + i * WARP < n ? values_in[mine + i * WARP] : 0;
    }
#pragma unroll 1
    for (unsigned place = 0; place < sizeof(Key); place++) {
        rank(key, slot, place, counts);
        exchange(key, keys, slot, mine);
        if (VALUES) {
            __syncthreads();
            exchange(value, values, slot, mine);
        }
    }
#pragma unroll
    for (unsigned i = 0; i < EACH; i++)
        if (mine + i * WARP < n) {
            out[mine + i * WARP] = unflip<ORDER>(key[i]);
            if (VALUES)
                values_out[mine + i * WARP] = value[i];
        }
}

} // namespace block_sort
#endif
