/* simt_small_float_atomics.h: atomicAdd of floating-point numbers of 16 bits, one or a pair. C++, internal to cuda_fp16.h and
 * cuda_bf16.h. */
#ifndef SIMT_SMALL_FLOAT_ATOMICS_H
#define SIMT_SMALL_FLOAT_ATOMICS_H

#include "simt_device_api.h"

namespace simt
{
template <class T> SIMT_DEVICE_INLINE T atomic_sum(T *address, T operand)
{
    typedef typename std::conditional<sizeof(T) == 2, uint16_t, uint32_t>::type bits;
    uint64_t seen = 0; /* a guess, which the first swap corrects */
    for (;;) {
        const T old = __builtin_bit_cast(T, (bits)seen);
        const uint64_t found =
            simt_atomic_swap_if(address, seen, __builtin_bit_cast(bits, T(old + operand)), sizeof(T));
        if (found == seen)
            return old;
        seen = found;
    }
}
} // namespace simt

#define SIMT_SMALL_FLOAT_ATOMICS(type)                                                                       \
    SIMT_DEVICE_INLINE type atomicAdd(type *address, type value)                                             \
    {                                                                                                        \
        return simt::atomic_sum(address, value);                                                             \
    }

#endif
