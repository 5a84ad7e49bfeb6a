/* random.h: the suites' random numbers. The same seed gives the same numbers on every machine. */
#ifndef LABS_RANDOM_H
#define LABS_RANDOM_H

#include <stdint.h>

struct random {
    uint64_t state; /* any value is a good seed */
};

/* The next 64 random bits (SplitMix64: Steele, Lea, Flood, OOPSLA 2014). */
static inline uint64_t random_bits(struct random *random)
{
    uint64_t z = random->state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* A generator for one of several purposes: different (seed, stream) give unrelated numbers. */
static inline struct random random_stream(uint64_t seed, uint64_t stream)
{
    struct random outer = {seed};
    struct random inner = {random_bits(&outer) + stream};
    return (struct random){random_bits(&inner)};
}

/* 0 <= result < bound, all with the same probability; bound >= 1. */
static inline uint64_t random_below(struct random *random, uint64_t bound)
{
    uint64_t unfair = -bound % bound; /* 2^64 mod bound: this many values are in excess */
    uint64_t bits;
    do
        bits = random_bits(random);
    while (bits < unfair);
    return bits % bound;
}

/* 0 <= result < 1, a multiple of 2^-53. */
static inline double random_unit(struct random *random)
{
    return (double)(random_bits(random) >> 11) * 0x1p-53;
}

#endif
