/* compaction.cu: compaction at the speed of a copy, in the waves of waves.cuh: a tile's count is published some waves
 * ahead, its kept elements are brought together in shared memory, and a bulk copy writes them.
 *
 * Bytes: each element is read once, each kept one is written once: 4n + 4k. The limit is the copy rate.
 *
 * A bulk copy wants 16-byte boundaries. So the kept elements stand in shared memory as far behind such a boundary as
 * their place in the output does, and up to three at either end are written by threads. */
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
    VECTORS = 5,
    PER_VECTOR = 4,
    PER_THREAD = VECTORS * PER_VECTOR,
    SECTION = THREADS * PER_THREAD, /* elements of a tile */
    SECTION_BYTES = SECTION * 4,
    STAGE = SECTION + PER_VECTOR, /* elements in shared memory: the kept ones may begin 3 later */
    AHEAD = 3,
    LOADING = 1, /* tiles on their way */
    STAGES = AHEAD + 1 + LOADING,
    OUTPUTS = 2, /* tiles of kept elements: one is written by threads, one by a bulk copy */
    COPIER =
        THREADS - 2 * WARP, /* the thread that starts bulk copies: its warp neither gathers nor publishes */
    GATHER_WARPS = WAVE_BLOCKS_MOST / WARP
};

static const unsigned ALL = 0xFFFFFFFFu;

static __device__ wave_board board;
static __device__ size_t count_of_all;

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

/* A step counts one tile, gathers the counts of an earlier wave, and writes the tile of the wave before that.
 *
 * BULK: in is aligned to 16 bytes, and the device has bulk copies. Else the threads copy, as they do the last tile when
 * it is not whole. */
template <bool BULK>
__global__ void __launch_bounds__(THREADS, 1)
    compact_waves(const int *in, int *out, size_t n, unsigned waves, unsigned tag)
{
    extern __shared__ uint4 stages[]; /* STAGES tiles and OUTPUTS more */
    __shared__ unsigned short left_of[AHEAD + 1]
                                     [THREADS]; /* kept in the warp before each thread's elements */
    __shared__ unsigned left_of_warp[AHEAD + 1]
                                    [WARPS + 1]; /* and in the tile; at the end those of the whole tile */
    __shared__ unsigned reduced[2][WARPS];       /* of the warps; of this step and the one before */
    __shared__ unsigned gathered[2][GATHER_WARPS],
        partial[2]; /* of 32 blocks; of those in the block's own 32 */
    const unsigned t = threadIdx.x, lane = t % WARP, warp = t / WARP, blocks = gridDim.x;
    const unsigned gather_warps = (blocks + WARP - 1) / WARP;
    size_t before_wave = 0, before_tile = 0; /* of the next wave to gather, of the next tile to write */
#if FAST_HAS_BULK
    __shared__ bulk_barrier loaded[STAGES];
#endif

    auto section_of = [&](unsigned wave) { return (int *)stages + (size_t)(wave % STAGES) * STAGE; };
    auto output_of = [&](unsigned wave) { return (int *)stages + (size_t)(STAGES + wave % OUTPUTS) * STAGE; };
    auto begin_of = [&](unsigned wave) { return ((size_t)wave * blocks + blockIdx.x) * SECTION; };
    auto length_of = [&](unsigned wave) {
        const size_t begin = begin_of(wave);
        return begin >= n ? 0u : n - begin < SECTION ? (unsigned)(n - begin) : (unsigned)SECTION;
    };
    auto load = [&](unsigned wave) {
#if FAST_HAS_BULK
        if (BULK && t == COPIER && wave < waves && length_of(wave) == SECTION)
            bulk_load(section_of(wave), in + begin_of(wave), SECTION_BYTES, &loaded[wave % STAGES]);
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
        const bool counts = ahead < waves, writes = step >= AHEAD,
                   gathers = step + 1 >= AHEAD && next < waves;
        const bool asks = gathers && t < blocks;
        wave_words<unsigned> asked;
        const size_t place = before_tile; /* of the tile in the output */
        const unsigned shift = (unsigned)((size_t)(out + place) / sizeof *out % PER_VECTOR);

        if (asks)
            asked = wave_ask<unsigned>(&board, next, t);
        load(ahead + LOADING);

        if (writes) {
            const unsigned ring = now % (AHEAD + 1), length = length_of(now);
            int item[PER_THREAD];
            take(section_of(now), t, item);
            write_kept(item, t, length, output_of(now) + shift + left_of_warp[ring][warp] + left_of[ring][t]);
#if FAST_HAS_BULK
            bulk_publish();
#endif
        }
        if (counts) {
            int *section = section_of(ahead);
            int item[PER_THREAD];
            const unsigned length = length_of(ahead);
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
            left_of[ahead % (AHEAD + 1)][t] = (unsigned short)(sum - mine);
            if (lane == WARP - 1)
                reduced[turn][warp] = sum;
        }
        if (gathers && warp < gather_warps) {
            const unsigned sum = scan_warp(asks ? wave_take<unsigned>(&board, next, tag, t, asked) : 0, lane);
            if (lane == WARP - 1)
                gathered[turn][warp] = sum;
            if (t + 1 == blockIdx.x)
                partial[turn] = sum;
        }
#if FAST_HAS_BULK
        if (BULK && t == COPIER)
            bulk_wait_read<0>(); /* the output of the step before: the next step writes over it */
#endif
        __syncthreads();

        if (counts && warp == WARPS - 1) {
            const unsigned mine = lane < WARPS ? reduced[turn][lane] : 0, sum = scan_warp(mine, lane);
            if (lane == WARP - 1)
                wave_publish(&board, ahead, tag, sum);
            if (lane <= WARPS)
                left_of_warp[ahead % (AHEAD + 1)][lane] = sum - mine;
        }
        if (gathers) {
            before_tile = before_wave;
            for (unsigned w = 0; w < gather_warps; w++) {
                if (blockIdx.x > 0 && w == (blockIdx.x - 1) / WARP)
                    before_tile = before_wave + partial[turn];
                before_wave += gathered[turn][w];
            }
        }
        if (writes) {
            /* Kept elements are section[shift] to section[end - 1], whole vectors are section[first] to section[last - 1]. */
            const int *section = output_of(now);
            const unsigned end = shift + left_of_warp[now % (AHEAD + 1)][WARPS];
            const unsigned first = (shift + PER_VECTOR - 1) / PER_VECTOR * PER_VECTOR,
                           last = end / PER_VECTOR * PER_VECTOR;
            int *to = out + place - shift;
            if (BULK && first < last) {
                if (t >= shift && t < first)
                    to[t] = section[t];
                if (last + t < end)
                    to[last + t] = section[last + t];
#if FAST_HAS_BULK
                if (t == COPIER)
                    bulk_store(to + first, section + first, (last - first) * (unsigned)sizeof *out);
#endif
            } else {
                for (unsigned i = shift + t; i < end; i += THREADS)
                    to[i] = section[i];
            }
        }
#if FAST_HAS_BULK
        if (BULK && t == COPIER)
            bulk_end_group();
#endif
    }
#if FAST_HAS_BULK
    if (BULK && t == COPIER)
        bulk_wait_read<0>();
#endif
    if (blockIdx.x == 0 && t == 0)
        count_of_all = before_wave;
}

template <bool BULK> static size_t launch(const int *in, int *out, size_t n)
{
    static int processors;
    const size_t shared = (size_t)(STAGES + OUTPUTS) * STAGE * sizeof *in,
                 tiles = (n + SECTION - 1) / SECTION;
    if (processors == 0) {
        cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0);
        processors = processors < WAVE_BLOCKS_MOST ? processors : WAVE_BLOCKS_MOST;
        if (processors > THREADS)
            processors = THREADS; /* a thread reads the count of a block */
        cudaFuncSetAttribute(compact_waves<BULK>, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)shared);
    }
    const unsigned blocks = (unsigned)(tiles < (size_t)processors ? tiles : (size_t)processors);
    unsigned waves = (unsigned)((tiles + blocks - 1) / blocks), tag = wave_tag(&board, waves);
    size_t count = 0;
    void *arguments[] = {&in, &out, &n, &waves, &tag};
    /* All blocks are there at once, since each waits for the others. */
    cudaLaunchCooperativeKernel(compact_waves<BULK>, dim3(blocks), dim3(THREADS), arguments, shared, 0);
    cudaMemcpyFromSymbol(&count, count_of_all, sizeof count);
    return count;
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
