/* compaction.cu: compaction near the speed of a copy, in the waves of waves.cuh: a tile is counted some waves ahead, its
 * kept elements are brought together in its own shared memory, and go out when the counts of all before are known.
 *
 * Bytes: each element is read once, each kept one is written once: 4n + 4k. The limit is the copy rate.
 *
 * A tile's place in the output may begin anywhere, and a store of 16 bytes only at a multiple of these. So a thread makes a
 * vector of the output from two neighbours in shared memory, and up to three elements at either end go one by one. */
#include "compaction.h"
#include "bulk.cuh"
#include "waves.cuh"

enum {
#ifdef __SIMT__
    THREADS = 64,
#else
    THREADS = 384,
#endif
    WARP = 32,
    WARPS = THREADS / WARP,
    VECTOR_BYTES = 16,
    VECTORS = 7,
    PER_VECTOR = 4,
    PER_THREAD = VECTORS * PER_VECTOR,
    SECTION = THREADS * PER_THREAD, /* elements of a tile */
    SECTION_BYTES = SECTION * 4,
    LINE_VECTORS = 8, /* of a line of the L2: warps write whole ones */
    AHEAD = 3,
    LOADING = 1, /* tiles on their way */
    STAGES = AHEAD + 1 + LOADING,
    AT_ONCE = 3, /* vectors that a thread reads before it writes the first */
    COPIER =
        THREADS - 2 * WARP, /* the thread that starts bulk loads: its warp neither gathers nor publishes */
    GATHER_WARPS = WAVE_BLOCKS_MOST / WARP
};

static const unsigned ALL = 0xFFFFFFFFu;

static __device__ wave_board board;

static __device__ __forceinline__ unsigned scan_warp(unsigned sum, unsigned lane)
{
#pragma unroll
    for (unsigned by = 1; by < WARP; by *= 2) {
        const unsigned left = __shfl_up_sync(ALL, sum, by);
        sum += lane >= by ? left : 0;
    }
    return sum;
}

static __device__ __forceinline__ void take(const int *section, unsigned t, int (&item)[PER_THREAD])
{
    const int4 *vectors = (const int4 *)(section + t * PER_THREAD);
#pragma unroll
    for (unsigned v = 0; v < VECTORS; v++) {
        const int4 vector = vectors[v];
        item[v * PER_VECTOR] = vector.x;
        item[v * PER_VECTOR + 1] = vector.y;
        item[v * PER_VECTOR + 2] = vector.z;
        item[v * PER_VECTOR + 3] = vector.w;
    }
}

/* How many of the thread's elements are kept; those from `length` on of the tile are not there. A whole tile is not asked
 * for each of them. */
static __device__ __forceinline__ unsigned count_kept(const int (&item)[PER_THREAD], unsigned t,
                                                      unsigned length)
{
    unsigned count = 0;
    if (length == SECTION) {
#pragma unroll
        for (unsigned i = 0; i < PER_THREAD; i++)
            count += keep(item[i]);
    } else {
#pragma unroll
        for (unsigned i = 0; i < PER_THREAD; i++)
            count += keep(item[i]) && t * PER_THREAD + i < length;
    }
    return count;
}

/* Writes them from `to` on. */
static __device__ __forceinline__ void write_kept(const int (&item)[PER_THREAD], unsigned t, unsigned length,
                                                  int *to)
{
    if (length == SECTION) {
#pragma unroll
        for (unsigned i = 0; i < PER_THREAD; i++)
            if (keep(item[i]))
                *to++ = item[i];
    } else {
#pragma unroll
        for (unsigned i = 0; i < PER_THREAD; i++)
            if (keep(item[i]) && t * PER_THREAD + i < length)
                *to++ = item[i];
    }
}

/* A vector that begins SHIFT elements before vectors[at]. */
template <unsigned SHIFT> static __device__ __forceinline__ int4 shifted(const int4 *vectors, int at)
{
    const int4 high = vectors[at];
    if (SHIFT == 0)
        return high;
    const int4 low = vectors[at - 1];
    return SHIFT == 1   ? make_int4(low.w, high.x, high.y, high.z)
           : SHIFT == 2 ? make_int4(low.z, low.w, high.x, high.y)
                        : make_int4(low.y, low.z, low.w, high.x);
}

/* to[first] to to[last - 1], from the elements SHIFT places earlier. */
template <unsigned SHIFT>
static __device__ __forceinline__ void store_vectors(int4 *to, const int4 *from, unsigned first,
                                                     unsigned last)
{
    for (unsigned begin = threadIdx.x; begin < last; begin += AT_ONCE * THREADS) {
        int4 vector[AT_ONCE];
#pragma unroll
        for (unsigned i = 0; i < AT_ONCE; i++)
            if (begin + i * THREADS >= first && begin + i * THREADS < last)
                vector[i] = shifted<SHIFT>(from, (int)(begin + i * THREADS));
#pragma unroll
        for (unsigned i = 0; i < AT_ONCE; i++)
            if (begin + i * THREADS >= first && begin + i * THREADS < last)
                to[begin + i * THREADS] = vector[i];
    }
}

/* The block writes section[0] to section[count - 1] from `to` on. Vectors are counted from the line in which it begins, so
 * that each warp writes whole lines. */
static __device__ __forceinline__ void store(int *to, const int *section, unsigned count)
{
    const size_t place = (size_t)to / sizeof *to;
    const unsigned t = threadIdx.x, shift = (unsigned)(place % PER_VECTOR), end = shift + count,
                   in_line = (unsigned)(place / PER_VECTOR % LINE_VECTORS);
    const unsigned head = (shift + PER_VECTOR - 1) / PER_VECTOR, tail = end / PER_VECTOR; /* whole vectors */
    int *vector_0 = to - shift;
    int4 *line = (int4 *)vector_0 - in_line;
    const int4 *from = (const int4 *)section - in_line;
    switch (shift) {
    case 0:
        store_vectors<0>(line, from, in_line + head, in_line + tail);
        break;
    case 1:
        store_vectors<1>(line, from, in_line + head, in_line + tail);
        break;
    case 2:
        store_vectors<2>(line, from, in_line + head, in_line + tail);
        break;
    default:
        store_vectors<3>(line, from, in_line + head, in_line + tail);
        break;
    }
    if (t >= shift && t < head * PER_VECTOR && t < end)
        vector_0[t] = section[t - shift];
    const unsigned rest = (tail > head ? tail : head) * PER_VECTOR + t;
    if (rest < end)
        vector_0[rest] = section[rest - shift];
}

/* A step writes the tile whose place it knows, counts one, gathers the counts of an earlier wave, and brings together
 * what is kept of the tile that it counted. Only then has each thread its elements in registers: hence the one barrier.
 *
 * BULK: in is aligned to 16 bytes, and the device has bulk copies. Else the threads copy, as they do the last tile when
 * it is not whole. */
template <bool BULK>
__global__ void __launch_bounds__(THREADS, 1)
    compact_waves(const int *in, int *out, size_t n, unsigned waves, unsigned tag, size_t *count)
{
    extern __shared__ uint4 stages[];       /* STAGES tiles */
    __shared__ unsigned kept_of[AHEAD + 1]; /* of a tile */
    __shared__ unsigned reduced[2][WARPS];  /* of the warps; of this step and the one before */
    __shared__ unsigned gathered[2][GATHER_WARPS],
        partial[2][GATHER_WARPS]; /* of 32 blocks; of those of them that come before this one */
    const unsigned t = threadIdx.x, lane = t % WARP, warp = t / WARP, blocks = gridDim.x;
    const unsigned gather_warps = (blocks + WARP - 1) / WARP;
    size_t before_wave = 0, before_tile = 0; /* of the next wave to gather, of the next tile to write */
#if FAST_HAS_BULK
    __shared__ bulk_barrier loaded[STAGES];
#endif

    auto section_of = [&](unsigned wave) { return (int *)stages + (size_t)(wave % STAGES) * SECTION; };
    auto begin_of = [&](unsigned wave) { return ((size_t)wave * blocks + blockIdx.x) * SECTION; };
    auto length_of = [&](unsigned wave) {
        const size_t begin = begin_of(wave);
        return begin >= n ? 0u : n - begin < SECTION ? (unsigned)(n - begin) : (unsigned)SECTION;
    };
    auto load = [&](unsigned wave) {
#if FAST_HAS_BULK
        if (BULK && t == COPIER && wave < waves && length_of(wave) == SECTION) {
            bulk_publish(); /* what threads wrote there comes before what is loaded */
            bulk_load(section_of(wave), in + begin_of(wave), SECTION_BYTES, &loaded[wave % STAGES]);
        }
#endif
    };

#if FAST_HAS_BULK
    if (t < STAGES)
        bulk_barrier_begin(&loaded[t]);
    __syncthreads();
#endif
    for (unsigned wave = 0; wave < LOADING; wave++)
        load(wave);

    for (unsigned step = 0; step < waves + AHEAD; step++) {
        const unsigned ahead = step, now = step - AHEAD, next = now + 1, turn = step % 2;
        const bool counts = ahead < waves, gathers = step + 1 >= AHEAD && next < waves;
        const bool asks = gathers && t < blocks;
        wave_words<unsigned> asked;
        int *section = section_of(ahead), item[PER_THREAD];
        unsigned length = 0, left = 0; /* left: kept in the warp before the thread's elements */

        if (asks)
            asked = wave_ask<unsigned>(&board, next, t);
        load(ahead + LOADING);

        if (step >= AHEAD)
            store(out + before_tile, section_of(now), kept_of[now % (AHEAD + 1)]);
        if (counts) {
            length = length_of(ahead);
            if (BULK && length == SECTION) {
#if FAST_HAS_BULK
                bulk_wait_load(&loaded[ahead % STAGES], ahead / STAGES);
#endif
            } else {
                const int *from = in + begin_of(ahead);
                for (unsigned i = t; i < SECTION; i += THREADS)
                    section[i] = i < length ? from[i] : 0;
                __syncthreads();
            }
            take(section, t, item);
            const unsigned mine = count_kept(item, t, length), sum = scan_warp(mine, lane);
            left = sum - mine;
            if (lane == WARP - 1)
                reduced[turn][warp] = sum;
        }
        if (gathers && warp < gather_warps) {
            const unsigned kept = asks ? wave_take<unsigned>(&board, next, tag, t, asked) : 0;
            const unsigned all = __reduce_add_sync(ALL, kept),
                           before = __reduce_add_sync(ALL, t < blockIdx.x ? kept : 0);
            if (lane == 0) {
                gathered[turn][warp] = all;
                partial[turn][warp] = before;
            }
        }
        __syncthreads();

        if (counts) {
            const unsigned of_warp = lane < WARPS ? reduced[turn][lane] : 0;
            const unsigned before = __reduce_add_sync(ALL, lane < warp ? of_warp : 0);
            if (t == THREADS - 1) {
                const unsigned kept = before + reduced[turn][warp];
                wave_publish(&board, ahead, tag, kept);
                kept_of[ahead % (AHEAD + 1)] = kept;
            }
            write_kept(item, t, length, section + before + left);
        }
        if (gathers) {
            before_tile = before_wave;
            for (unsigned w = 0; w < gather_warps; w++) {
                before_tile += partial[turn][w];
                before_wave += gathered[turn][w];
            }
        }
    }
    if (blockIdx.x == 0 && t == 0)
        *count = before_wave;
}

template <bool BULK> static size_t launch(const int *in, int *out, size_t n)
{
    static int processors;
    const size_t shared = (size_t)STAGES * SECTION_BYTES, tiles = (n + SECTION - 1) / SECTION;
    if (processors == 0) {
        cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0);
        processors = processors < WAVE_BLOCKS_MOST ? processors : WAVE_BLOCKS_MOST;
        if (processors > THREADS)
            processors = THREADS; /* a thread reads the count of a block */
        cudaFuncSetAttribute(compact_waves<BULK>, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)shared);
    }
    const unsigned blocks = (unsigned)(tiles < (size_t)processors ? tiles : (size_t)processors);
    unsigned waves = (unsigned)((tiles + blocks - 1) / blocks), tag = wave_tag(&board, waves);
    /* The kernel writes it to the host's memory: for short inputs a copy would take longer than all else. */
    static size_t *count;
    if (!count)
        cudaMallocHost((void **)&count, sizeof *count);
    void *arguments[] = {&in, &out, &n, &waves, &tag, &count};
    /* All blocks are there at once, since each waits for the others. */
    cudaLaunchCooperativeKernel(compact_waves<BULK>, dim3(blocks), dim3(THREADS), arguments, shared, 0);
    cudaStreamSynchronize(0);
    const size_t kept = *count;
#ifdef __SIMT__ /* where each call frees what it allocates */
    cudaFreeHost(count);
    count = nullptr;
#endif
    return kept;
}

size_t compact(const int *in, int *out, size_t n)
{
    if (n == 0)
        return 0;
#ifndef __SIMT__
    if ((size_t)in % VECTOR_BYTES == 0)
        return launch<true>(in, out, n);
#endif
    return launch<false>(in, out, n);
}
