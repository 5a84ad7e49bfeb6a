/* keys.cuh: keys as numbers whose bits sort, and pairs of short numbers in a register. */
#ifndef FAST_KEYS_CUH
#define FAST_KEYS_CUH

#include <cuda_runtime.h>

enum order { AS_UNSIGNED, AS_SIGNED, AS_FLOAT };

template <enum order ORDER, class Key> static __device__ __forceinline__ Key flip(Key key)
{
    const Key sign = (Key)1 << (8 * sizeof(Key) - 1);
    if (ORDER == AS_SIGNED)
        return key ^ sign;
    if (ORDER == AS_FLOAT)
        return key & sign ? ~key : key ^ sign;
    return key;
}

template <enum order ORDER, class Key> static __device__ __forceinline__ Key unflip(Key key)
{
    const Key sign = (Key)1 << (8 * sizeof(Key) - 1);
    if (ORDER == AS_SIGNED)
        return key ^ sign;
    if (ORDER == AS_FLOAT)
        return key & sign ? key ^ sign : ~key;
    return key;
}

/* Numbers of 16 bits, two in a register. Places are known when this is compiled, in ascending order when they are put. */
template <int LENGTH> struct halves {
    unsigned words[LENGTH / 2];
    __device__ __forceinline__ void put(unsigned i, unsigned value)
    {
        words[i / 2] = i % 2 == 0 ? value : words[i / 2] | value << 16;
    }
    __device__ __forceinline__ void add(unsigned i, unsigned value) /* no sum reaches 2^16 */
    {
        words[i / 2] += i % 2 == 0 ? value : value << 16;
    }
    __device__ __forceinline__ unsigned get(unsigned i) const
    {
        return i % 2 == 0 ? words[i / 2] & 0xFFFF : words[i / 2] >> 16;
    }
};

#endif
