/* waves.cuh: how the blocks of a persistent grid tell each other of their tiles, without a chain.
 *
 * The grid has a block for each multiprocessor, and takes the tiles wave by wave: tile = wave * grid + block. A block
 * reduces its tile some waves before it needs the sum of all before, and publishes the aggregate. When it comes to the
 * wave, each thread reads one aggregate of it, all long there: the prefix is one all-gather, where a look-back would
 * be a chain of blocks that wait for each other. The order of combines is fixed, so floats have the same sums in every
 * run.
 *
 * A board holds the aggregates of the last waves. A value is published in words of 8 bytes: 4 bytes of it and the
 * wave's tag, which differs from call to call. So each word says by itself whether it is there: no fence, and nothing
 * to clear before a launch. */
#ifndef FAST_WAVES_CUH
#define FAST_WAVES_CUH

#include <cuda_runtime.h>
#include <stddef.h>
#include <string.h>

enum {
    WAVE_BLOCKS_MOST = 256, /* of a grid */
    WAVE_RING = 16,         /* waves that a board remembers; more than twice as many as blocks run ahead */
    WAVE_WORDS_MOST = 4     /* of a value */
};

/* One for each kernel; its calls follow one another in a stream. */
struct wave_board {
    unsigned long long words[WAVE_RING][WAVE_WORDS_MOST][WAVE_BLOCKS_MOST];
};

template <class T>
static __device__ __forceinline__ void wave_publish(wave_board *board, unsigned wave, unsigned tag,
                                                    const T &value)
{
    unsigned words[(sizeof(T) + 3) / 4];
    memcpy(words, &value, sizeof value);
    for (unsigned w = 0; w < sizeof words / 4; w++)
        *(volatile unsigned long long *)&board->words[wave % WAVE_RING][w][blockIdx.x] =
            (unsigned long long)(tag + wave) << 32 | words[w];
}

/* The words of another block's aggregate, as they are now: asked for early, they are on their way while the thread
 * does something else. */
template <class T> struct wave_words {
    unsigned long long word[(sizeof(T) + 3) / 4];
};

template <class T>
static __device__ __forceinline__ wave_words<T> wave_ask(const wave_board *board, unsigned wave,
                                                         unsigned block)
{
    wave_words<T> words;
    for (unsigned w = 0; w < (sizeof(T) + 3) / 4; w++)
        words.word[w] = *(const volatile unsigned long long *)&board->words[wave % WAVE_RING][w][block];
    return words;
}

/* Waits until they are there, and returns the aggregate. */
template <class T>
static __device__ __forceinline__ T wave_take(const wave_board *board, unsigned wave, unsigned tag,
                                              unsigned block, const wave_words<T> &asked)
{
    unsigned words[(sizeof(T) + 3) / 4];
    T value;
    for (unsigned w = 0; w < sizeof words / 4; w++) {
        unsigned long long word = asked.word[w];
        while ((unsigned)(word >> 32) != tag + wave)
            word = *(const volatile unsigned long long *)&board->words[wave % WAVE_RING][w][block];
        words[w] = (unsigned)word;
    }
    memcpy(&value, words, sizeof value);
    return value;
}

/* A tag for a call of so many waves: no wave of it has a tag that an earlier one had. 0 is never one. */
static inline unsigned wave_tag(wave_board *board, unsigned waves)
{
    static unsigned next = 1;
    if (next + waves < next) { /* after 2^32 waves they begin anew */
        void *words;
        cudaGetSymbolAddress(&words, *board);
        cudaMemset(words, 0, sizeof *board);
        next = 1;
    }
    next += waves;
    return next - waves;
}

#endif
