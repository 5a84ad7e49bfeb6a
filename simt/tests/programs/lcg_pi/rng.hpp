#pragma once
#include <cstdint>

#if defined(__CUDACC__)
#define RNG_FUNC __host__ __device__ inline
#else
#define RNG_FUNC inline
#endif

namespace rng {

/* Base by the curiously recurring template: a derived generator gives next(). */
template <class Derived> class Generator {
public:
    RNG_FUNC float uniform() { return static_cast<Derived *>(this)->next() / 4294967296.0f * 0.9999999f; }
    RNG_FUNC uint32_t below(uint32_t n) { return (uint32_t)((uint64_t)static_cast<Derived *>(this)->next() * n >> 32); }
};

class Lcg : public Generator<Lcg> {
public:
    RNG_FUNC explicit Lcg(uint64_t seed = 1, uint64_t stream = 54u) : state(0), increment(stream << 1 | 1)
    {
        next();
        state += seed;
        next();
    }
    RNG_FUNC uint32_t next()
    {
        const uint64_t old = state;
        state = old * 6364136223846793005ull + increment;
        const uint32_t xorshifted = (uint32_t)(((old >> 18) ^ old) >> 27), rot = (uint32_t)(old >> 59);
        return xorshifted >> rot | xorshifted << (-rot & 31);
    }
private:
    uint64_t state, increment;
};

class Xorshift128 : public Generator<Xorshift128> {
public:
    RNG_FUNC explicit Xorshift128(uint32_t seed = 1, uint32_t stream = 0) : s{seed, 362436069u ^ stream, 521288629u, 88675123u + stream * 7u} {}
    RNG_FUNC uint32_t next()
    {
        uint32_t t = s[3];
        t ^= t << 11, t ^= t >> 8;
        s[3] = s[2], s[2] = s[1], s[1] = s[0];
        return s[0] = t ^ s[0] ^ s[0] >> 19;
    }
private:
    uint32_t s[4];
};

} // namespace rng

template <class Engine> struct Estimate {
    unsigned long long hits, dice[6];
    static Estimate onDevice(unsigned seed, int threads, int samples);
    static Estimate onHost(unsigned seed, int threads, int samples);
};
