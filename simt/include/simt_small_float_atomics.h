/* simt_small_float_atomics.h: atomicAdd of floating-point numbers of 16 bits, one or a pair. C++, internal to cuda_fp16.h and
 * cuda_bf16.h. */
#ifndef SIMT_SMALL_FLOAT_ATOMICS_H
#define SIMT_SMALL_FLOAT_ATOMICS_H

#include "simt_device_api.h"

namespace simt
{
template <class __T> SIMT_DEVICE_INLINE __T __atomic_sum(__T *address, __T __operand)
{
    typedef typename std::conditional<sizeof(__T) == 2, uint16_t, uint32_t>::type __bits;
    uint64_t __seen = 0; /* a guess, which the first swap corrects */
    for (;;) {
        const __T __old = __builtin_bit_cast(__T, (__bits)__seen);
        const uint64_t __found = simt_atomic_swap_if(
            address, __seen, __builtin_bit_cast(__bits, __T(__old + __operand)), sizeof(__T));
        if (__found == __seen)
            return __old;
        __seen = __found;
    }
}
} // namespace simt

#define SIMT_SMALL_FLOAT_ATOMICS(type)                                                                       \
    SIMT_DEVICE_INLINE type atomicAdd(type *address, type value)                                             \
    {                                                                                                        \
        return simt::__atomic_sum(address, value);                                                           \
    }

#endif
