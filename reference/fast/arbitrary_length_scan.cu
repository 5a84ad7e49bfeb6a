/* arbitrary_length_scan.cu: scans at the speed of a copy: a persistent grid takes the tiles in waves (waves.cuh), bulk
 * copies bring them to shared memory and back, and there they are scanned in place.
 *
 * Bytes: each element is read once and written once, 8 bytes for an int, and nothing else that counts. The limit is
 * the copy rate; the threads must only keep up with it.
 *
 * AHEAD    how many waves before its scan a tile is reduced. With 1, blocks wait for each other's aggregates; with 3,
 *          those are there when they are asked for.
 * VECTORS  16-byte vectors a thread. An odd number, so that the threads of a quarter warp meet no bank twice.
 * STAGES   tiles in shared memory: those between reduction and scan, one that is stored, the rest being loaded. */
#include "arbitrary_length_scan.h"
#include "bulk.cuh"
#include "waves.cuh"

enum {
#ifdef __SIMT__
    THREADS = 64,
#else
    THREADS = 320,
#endif
    WARP = 32,
    WARPS = THREADS / WARP,
    VECTOR_BYTES = 16,
    VECTORS = 5,
    PER_VECTOR = VECTOR_BYTES / sizeof(elem_t),
    PER_THREAD = VECTORS * PER_VECTOR,
    SECTION = THREADS * PER_THREAD, /* elements of a tile */
    SECTION_BYTES = SECTION * sizeof(elem_t),
    AHEAD = 4,
    STAGES = 8,
    LOADING = STAGES - AHEAD - 2, /* tiles on their way */
    GATHER_WARPS = WAVE_BLOCKS_MOST / WARP
};

static const unsigned ALL = 0xFFFFFFFFu;

static __device__ wave_board board;

template <class T> static __device__ __forceinline__ T shuffle_up(T value, unsigned by)
{
    unsigned words[(sizeof(T) + 3) / 4];
    memcpy(words, &value, sizeof value);
    for (unsigned &word : words)
        word = __shfl_up_sync(ALL, word, by);
    memcpy(&value, words, sizeof value);
    return value;
}

static __device__ __forceinline__ elem_t scan_warp(elem_t sum, unsigned lane)
{
#pragma unroll
    for (unsigned by = 1; by < WARP; by *= 2) {
        const elem_t left = shuffle_up(sum, by);
        if (lane >= by)
            sum = combine(left, sum);
    }
    return sum;
}

/* The thread's elements of a tile in shared memory. */
static __device__ __forceinline__ void take(const elem_t *section, unsigned t, elem_t (&item)[PER_THREAD])
{
    const uint4 *vectors = (const uint4 *)(section + t * PER_THREAD);
#pragma unroll
    for (unsigned v = 0; v < VECTORS; v++) {
        const uint4 vector = vectors[v];
        memcpy(&item[v * PER_VECTOR], &vector, sizeof vector);
    }
}

static __device__ __forceinline__ void put(elem_t *section, unsigned t, const elem_t (&item)[PER_THREAD])
{
    uint4 *vectors = (uint4 *)(section + t * PER_THREAD);
#pragma unroll
    for (unsigned v = 0; v < VECTORS; v++) {
        uint4 vector;
        memcpy(&vector, &item[v * PER_VECTOR], sizeof vector);
        vectors[v] = vector;
    }
}

static __device__ __forceinline__ elem_t sum_of(const elem_t (&item)[PER_THREAD])
{
    elem_t sum = item[0];
#pragma unroll
    for (unsigned i = 1; i < PER_THREAD; i++)
        sum = combine(sum, item[i]);
    return sum;
}

/* A step reduces one tile, gathers the aggregates of an earlier wave, and scans the tile of the wave before that: all
 * that a thread needs for its scan is there when the step begins, so one barrier a step is enough.
 *
 * BULK: in and out are aligned to 16 bytes, and the device has bulk copies. Else the threads copy, as they do what is
 * left of the last tile. */
template <bool INCLUSIVE, bool BULK>
__global__ void __launch_bounds__(THREADS, 1)
    scan_waves(const elem_t *in, elem_t *out, size_t n, unsigned waves, unsigned tag)
{
    extern __shared__ uint4 stages[];                 /* STAGES tiles */
    __shared__ elem_t left_of[AHEAD + 1][THREADS];    /* in the warp, of each thread's elements */
    __shared__ elem_t left_of_warp[AHEAD + 1][WARPS]; /* in the tile */
    __shared__ elem_t reduced[2][WARPS];              /* sums of the warps; of this step and the one before */
    __shared__ elem_t gathered[2][GATHER_WARPS],
        partial[2]; /* sums of 32 blocks; of those in the block's own 32 */
    const unsigned t = threadIdx.x, lane = t % WARP, warp = t / WARP, blocks = gridDim.x;
    const unsigned gather_warps = (blocks + WARP - 1) / WARP;
    elem_t before_wave = IDENTITY,
           before_tile = IDENTITY; /* of the next wave to gather, of the next tile to scan */
#if FAST_HAS_BULK
    __shared__ bulk_barrier loaded[STAGES];
#endif

    auto section_of = [&](unsigned wave) { return (elem_t *)stages + (size_t)(wave % STAGES) * SECTION; };
    auto begin_of = [&](unsigned wave) { return ((size_t)wave * blocks + blockIdx.x) * SECTION; };
    auto is_bulk = [&](unsigned wave) { return BULK && begin_of(wave) + SECTION <= n; };
    auto load = [&](unsigned wave) {
#if FAST_HAS_BULK
        if (t == 0 && wave < waves && is_bulk(wave))
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
        const bool reduces = ahead < waves, scans = step >= AHEAD,
                   gathers = step + 1 >= AHEAD && next < waves;
        const bool asks = gathers && t < blocks;
        wave_words<elem_t> asked;

        if (asks)
            asked = wave_ask<elem_t>(&board, next, t);
#if FAST_HAS_BULK
        if (BULK && t == 0)
            bulk_wait_read<1>(); /* the stage of the load that comes now */
#endif
        load(ahead + LOADING);

        if (scans) {
            elem_t item[PER_THREAD];
            take(section_of(now), t, item);
            elem_t running = combine(
                before_tile, combine(left_of_warp[now % (AHEAD + 1)][warp], left_of[now % (AHEAD + 1)][t]));
#pragma unroll
            for (unsigned i = 0; i < PER_THREAD; i++) {
                const elem_t sum = combine(running, item[i]);
                item[i] = INCLUSIVE ? sum : running;
                running = sum;
            }
            put(section_of(now), t, item);
#if FAST_HAS_BULK
            bulk_publish();
#endif
        }
        if (reduces) {
            elem_t *section = section_of(ahead);
            elem_t item[PER_THREAD];
            if (is_bulk(ahead)) {
#if FAST_HAS_BULK
                bulk_wait_load(&loaded[ahead % STAGES], ahead / STAGES);
#endif
            } else {
                const size_t begin = begin_of(ahead);
                for (unsigned i = t; i < SECTION; i += THREADS)
                    section[i] = begin + i < n ? in[begin + i] : IDENTITY;
                __syncthreads();
            }
            take(section, t, item);
            const elem_t sum = scan_warp(sum_of(item), lane), left = shuffle_up(sum, 1);
            left_of[ahead % (AHEAD + 1)][t] = lane > 0 ? left : IDENTITY;
            if (lane == WARP - 1)
                reduced[turn][warp] = sum;
        }
        if (gathers && warp < gather_warps) {
            const elem_t sum =
                scan_warp(asks ? wave_take<elem_t>(&board, next, tag, t, asked) : IDENTITY, lane);
            if (lane == WARP - 1)
                gathered[turn][warp] = sum;
            if (t + 1 == blockIdx.x)
                partial[turn] = sum;
        }
        __syncthreads();

#if FAST_HAS_BULK
        if (BULK && t == 0) {
            if (scans && is_bulk(now))
                bulk_store(out + begin_of(now), section_of(now), SECTION_BYTES);
            bulk_end_group();
        }
#endif
        if (scans && !is_bulk(now)) {
            const size_t begin = begin_of(now);
            for (unsigned i = t; i < SECTION; i += THREADS)
                if (begin + i < n)
                    out[begin + i] = section_of(now)[i];
        }
        if (reduces && warp == WARPS - 1) {
            const elem_t sum = scan_warp(lane < WARPS ? reduced[turn][lane] : IDENTITY, lane),
                         left = shuffle_up(sum, 1);
            if (lane == WARP - 1)
                wave_publish(&board, ahead, tag, sum);
            if (lane < WARPS)
                left_of_warp[ahead % (AHEAD + 1)][lane] = lane > 0 ? left : IDENTITY;
        }
        if (gathers) {
            before_tile = before_wave;
            for (unsigned w = 0; w < gather_warps; w++) {
                if (blockIdx.x > 0 && w == (blockIdx.x - 1) / WARP)
                    before_tile = combine(before_wave, partial[turn]);
                before_wave = combine(before_wave, gathered[turn][w]);
            }
        }
    }
#if FAST_HAS_BULK
    if (BULK && t == 0)
        bulk_wait_read<0>();
#endif
}

template <bool INCLUSIVE, bool BULK> static void launch(const elem_t *in, elem_t *out, size_t n)
{
    static int processors;
    const size_t shared = (size_t)STAGES * SECTION_BYTES, tiles = (n + SECTION - 1) / SECTION;
    if (processors == 0) {
        cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0);
        processors = processors < WAVE_BLOCKS_MOST ? processors : WAVE_BLOCKS_MOST;
        if (processors > THREADS)
            processors = THREADS; /* a thread reads the aggregate of a block */
        cudaFuncSetAttribute(scan_waves<INCLUSIVE, BULK>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             (int)shared);
    }
    const unsigned blocks = (unsigned)(tiles < (size_t)processors ? tiles : (size_t)processors);
    unsigned waves = (unsigned)((tiles + blocks - 1) / blocks), tag = wave_tag(&board, waves);
    void *arguments[] = {&in, &out, &n, &waves, &tag};
    /* All blocks are there at once, since each waits for the others. */
    cudaLaunchCooperativeKernel(scan_waves<INCLUSIVE, BULK>, dim3(blocks), dim3(THREADS), arguments, shared,
                                0);
}

template <bool INCLUSIVE> static void scan(const elem_t *in, elem_t *out, size_t n)
{
    if (n == 0)
        return;
#ifndef __SIMT__
    if (((size_t)in | (size_t)out) % VECTOR_BYTES == 0) {
        launch<INCLUSIVE, true>(in, out, n);
        return;
    }
#endif
    launch<INCLUSIVE, false>(in, out, n);
}

void scan_inclusive(const elem_t *in, elem_t *out, size_t n)
{
    scan<true>(in, out, n);
}

void scan_exclusive(const elem_t *in, elem_t *out, size_t n)
{
    scan<false>(in, out, n);
}

void scan_single_pass(const elem_t *in, elem_t *out, size_t n)
{
    scan<true>(in, out, n);
}
