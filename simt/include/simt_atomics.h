/* simt_atomics.h: atomicAdd and the other atomic functions, and fences. C++, internal to cuda_runtime.h, for
 * kernels only.
 *
 * Only the check for races uses the scope of an atomic operation (none, _block or _system): every operation acts on
 * the whole device. The overloads have CUDA's types, so that a call is refused here if nvcc refuses it. */
#ifndef SIMT_ATOMICS_H
#define SIMT_ATOMICS_H

#include "simt_device_api.h"
#include "simt_intrinsics.h"
#include "vector_types.h"

#define SIMT_ATOMIC_AS(name, __before, __operation, type, function, as)                                      \
    SIMT_DEVICE_INLINE type name(type *address, type value)                                                  \
    {                                                                                                        \
        __before;                                                                                            \
        return (type)function((as *)address, (as)value, __operation);                                        \
    }

/* One overload in its three scopes. */
#define SIMT_ATOMIC_SCOPES(name, __operation, type, function, as)                                            \
    SIMT_ATOMIC_AS(name, , __operation, type, function, as)                                                  \
    SIMT_ATOMIC_AS(name##_block, simt_atomic_for_block(), __operation, type, function, as)                   \
    SIMT_ATOMIC_AS(name##_system, , __operation, type, function, as)

#define SIMT_ATOMIC_32(name, __operation)                                                                    \
    SIMT_ATOMIC_SCOPES(name, __operation, int, simt_atomic_i32, int32_t)                                     \
    SIMT_ATOMIC_SCOPES(name, __operation, unsigned, simt_atomic_u32, uint32_t)

#define SIMT_ATOMIC_U64(name, __operation)                                                                   \
    SIMT_ATOMIC_SCOPES(name, __operation, unsigned long long, simt_atomic_u64, uint64_t)

#define SIMT_ATOMIC_I64(name, __operation)                                                                   \
    SIMT_ATOMIC_SCOPES(name, __operation, long long, simt_atomic_i64, int64_t)

SIMT_ATOMIC_32(atomicAdd, SIMT_ATOMIC_ADD)
SIMT_ATOMIC_U64(atomicAdd, SIMT_ATOMIC_ADD)
SIMT_ATOMIC_SCOPES(atomicAdd, SIMT_ATOMIC_ADD, float, simt_atomic_f32, float)
SIMT_ATOMIC_SCOPES(atomicAdd, SIMT_ATOMIC_ADD, double, simt_atomic_f64, double)
SIMT_ATOMIC_32(atomicSub, SIMT_ATOMIC_SUB)
SIMT_ATOMIC_32(atomicExch, SIMT_ATOMIC_EXCHANGE)
SIMT_ATOMIC_U64(atomicExch, SIMT_ATOMIC_EXCHANGE)
SIMT_ATOMIC_SCOPES(atomicExch, SIMT_ATOMIC_EXCHANGE, float, simt_atomic_f32, float)
SIMT_ATOMIC_32(atomicMin, SIMT_ATOMIC_MIN)
SIMT_ATOMIC_U64(atomicMin, SIMT_ATOMIC_MIN)
SIMT_ATOMIC_I64(atomicMin, SIMT_ATOMIC_MIN)
SIMT_ATOMIC_32(atomicMax, SIMT_ATOMIC_MAX)
SIMT_ATOMIC_U64(atomicMax, SIMT_ATOMIC_MAX)
SIMT_ATOMIC_I64(atomicMax, SIMT_ATOMIC_MAX)
SIMT_ATOMIC_32(atomicAnd, SIMT_ATOMIC_AND)
SIMT_ATOMIC_U64(atomicAnd, SIMT_ATOMIC_AND)
SIMT_ATOMIC_I64(atomicAnd, SIMT_ATOMIC_AND)
SIMT_ATOMIC_32(atomicOr, SIMT_ATOMIC_OR)
SIMT_ATOMIC_U64(atomicOr, SIMT_ATOMIC_OR)
SIMT_ATOMIC_I64(atomicOr, SIMT_ATOMIC_OR)
SIMT_ATOMIC_32(atomicXor, SIMT_ATOMIC_XOR)
SIMT_ATOMIC_U64(atomicXor, SIMT_ATOMIC_XOR)
SIMT_ATOMIC_I64(atomicXor, SIMT_ATOMIC_XOR)
SIMT_ATOMIC_SCOPES(atomicInc, SIMT_ATOMIC_INC, unsigned, simt_atomic_u32, uint32_t)
SIMT_ATOMIC_SCOPES(atomicDec, SIMT_ATOMIC_DEC, unsigned, simt_atomic_u32, uint32_t)

/* For float2 and float4, each component is updated atomically, but not the vector as a whole. */
SIMT_DEVICE_INLINE float2 atomicAdd(float2 *address, float2 value)
{
    return float2{atomicAdd(&address->x, value.x), atomicAdd(&address->y, value.y)};
}
SIMT_DEVICE_INLINE float4 atomicAdd(float4 *address, float4 value)
{
    return float4{atomicAdd(&address->x, value.x), atomicAdd(&address->y, value.y),
                  atomicAdd(&address->z, value.z), atomicAdd(&address->w, value.w)};
}

#define SIMT_ATOMIC_CAS_AS(name, __before, type)                                                             \
    SIMT_DEVICE_INLINE type name(type *address, type compare, type value)                                    \
    {                                                                                                        \
        __before;                                                                                            \
        return (type)simt_atomic_swap_if(address, (uint64_t)compare, (uint64_t)value, sizeof(type));         \
    }

#define SIMT_ATOMIC_CAS(type)                                                                                \
    SIMT_ATOMIC_CAS_AS(atomicCAS, , type)                                                                    \
    SIMT_ATOMIC_CAS_AS(atomicCAS_block, simt_atomic_for_block(), type)                                       \
    SIMT_ATOMIC_CAS_AS(atomicCAS_system, , type)

SIMT_ATOMIC_CAS(int)
SIMT_ATOMIC_CAS(unsigned)
SIMT_ATOMIC_CAS(unsigned long long)
SIMT_ATOMIC_CAS(unsigned short)

/* 16 bytes at once, as in compute capability 9.0, for any plain type of that size and alignment. */
template <class __T> SIMT_DEVICE_INLINE __T atomicCAS(__T *address, __T compare, __T value)
{
    static_assert(sizeof(__T) == 16 && alignof(__T) == 16,
                  "atomicCAS takes a type of 16 bytes, aligned to 16");
    return simt_bits_as<__T>(simt_atomic_swap_if_16(address, simt_bits_as<unsigned __int128>(compare),
                                                    simt_bits_as<unsigned __int128>(value)));
}
template <class __T> SIMT_DEVICE_INLINE __T atomicExch(__T *address, __T value)
{
    static_assert(sizeof(__T) == 16 && alignof(__T) == 16,
                  "atomicExch takes a type of 16 bytes, aligned to 16");
    return simt_bits_as<__T>(simt_atomic_exchange_16(address, simt_bits_as<unsigned __int128>(value)));
}

/* ---- fences ------------------------------------------------------------------------------------------------- */

SIMT_DEVICE_INLINE void __threadfence_block()
{
    SIMT_MARK_FENCE();
    simt_fence(SIMT_SCOPE_BLOCK, SIMT_FENCE_BOTH);
}
SIMT_DEVICE_INLINE void __threadfence()
{
    SIMT_MARK_FENCE();
    simt_fence(SIMT_SCOPE_DEVICE, SIMT_FENCE_BOTH);
}
SIMT_DEVICE_INLINE void __threadfence_system()
{
    SIMT_MARK_FENCE();
    simt_fence(SIMT_SCOPE_SYSTEM, SIMT_FENCE_BOTH);
}

#undef SIMT_ATOMIC_AS
#undef SIMT_ATOMIC_SCOPES
#undef SIMT_ATOMIC_32
#undef SIMT_ATOMIC_U64
#undef SIMT_ATOMIC_I64
#undef SIMT_ATOMIC_CAS_AS
#undef SIMT_ATOMIC_CAS

#endif
