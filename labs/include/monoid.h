/* monoid.h: the operators that the labs scan with.
 *
 * A monoid is a set of values with an associative operator and an identity. Kernels are written once, with three
 * names, and compiled once for each monoid with -DMONOID=MONOID_SUM and so on:
 *
 *     elem_t                  the type of an element
 *     combine(left, right)    the operator; the operands are in the order of the input
 *     IDENTITY                combine(IDENTITY, x) == combine(x, IDENTITY) == x
 *
 *     monoid        elem_t          combine                            commutative
 *     sum           int             left + right, wraps                yes
 *     max           int             the larger                         yes
 *     product       int             left * right, wraps                yes
 *     float_sum     float           left + right, rounds               yes, but only nearly associative
 *     affine        {a, b}          x -> a x + b, left first           no
 *     interval      {first, last}   ranges of input indices            no; proves a scan right
 *     fingerprint   {count, mark}   how many elements, and which       yes; proves a reduction right
 *
 * Warps shuffle elements of every type with __shfl_sync() and its three relatives.
 *
 * Works in CUDA C and in C. Without MONOID it declares only the types and the functions NAME_combine. */
#ifndef LABS_MONOID_H
#define LABS_MONOID_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#define MONOID_SUM         0
#define MONOID_MAX         1
#define MONOID_PRODUCT     2
#define MONOID_FLOAT_SUM   3
#define MONOID_AFFINE      4
#define MONOID_INTERVAL    5
#define MONOID_FINGERPRINT 6
#define MONOID_COUNT       7 /* the number of monoids above */
#define MONOID_OPAQUE      8 /* only compiled, never run: see below */

#ifdef MONOID_READ /* for the proofs, by simt/spaces/parametric.py: what is inlined would be read as a part's own */
#include <cuda_runtime.h>
#define MONOID_FUNCTION static __host__ __device__
#define MONOID_SHUFFLE  static __device__
#elif defined(__CUDACC__)
#include <cuda_runtime.h>
#define MONOID_FUNCTION static __host__ __device__ __forceinline__
#define MONOID_SHUFFLE  static __device__ __forceinline__
#else
#define MONOID_FUNCTION static inline
#endif

/* x -> a x + b, all arithmetic modulo 2^32. */
typedef struct __attribute__((aligned(8))) {
    int a, b;
} affine_t;

/* The inputs first to last, combined in order. Input i is the range [i + INTERVAL_BASE, i + INTERVAL_BASE]; because
 * of the base, zeroed memory is not the range of any input. {0, -1} means that nothing was combined.
 *
 * Ranges that do not touch combine to a poisoned value, which absorbs everything that is combined with it later. It
 * records where the two ranges should have met. The sign bit of `first` marks the value as poisoned; its other bits
 * are the end of the range before the gap. The lower 31 bits of `last` are the begin of the range after the gap.
 * The sign bit of `last` means that the two ranges touch but were in the wrong order: combine(later, earlier). */
typedef struct __attribute__((aligned(8))) {
    int first, last;
} interval_t;

#define INTERVAL_BASE 1000

/* The number of combined elements, and the sum of their marks modulo a prime. A mark is a random number below the
 * prime. Two different choices of elements, with repetitions, look equal with a probability of 1 in 2^31: if an
 * element is included d times too often, d is not a multiple of the prime, so the difference of the sums is random.
 * For the same reason the count does not wrap: beyond UINT_MAX - FINGERPRINT_BASE elements it stays at UINT_MAX. It
 * starts at FINGERPRINT_BASE, so zeroed memory is not the identity. */
typedef struct __attribute__((aligned(8))) {
    unsigned count, mark;
} fingerprint_t;

#define FINGERPRINT_BASE  1000u
#define FINGERPRINT_PRIME 4294967291u /* 2^32 - 5 */

/* ---- one function for each operator ---------------------------------------------------------------- */

MONOID_FUNCTION int sum_combine(int left, int right)
{
    return (int)((unsigned)left + (unsigned)right);
}

MONOID_FUNCTION int max_combine(int left, int right)
{
    return left > right ? left : right;
}

MONOID_FUNCTION int product_combine(int left, int right)
{
    return (int)((unsigned)left * (unsigned)right);
}

MONOID_FUNCTION float float_sum_combine(float left, float right)
{
    return left + right;
}

MONOID_FUNCTION affine_t affine_combine(affine_t left, affine_t right)
{
    affine_t both;
    both.a = (int)((unsigned)left.a * (unsigned)right.a);
    both.b = (int)((unsigned)right.a * (unsigned)left.b + (unsigned)right.b);
    return both;
}

MONOID_FUNCTION bool interval_is_poisoned(interval_t x)
{
    return x.first < 0;
}

MONOID_FUNCTION bool interval_is_empty(interval_t x)
{
    return x.first == 0 && x.last == -1;
}

MONOID_FUNCTION interval_t interval_combine(interval_t left, interval_t right)
{
    interval_t both;
    if (interval_is_poisoned(left) || interval_is_empty(right))
        return left;
    if (interval_is_poisoned(right) || interval_is_empty(left))
        return right;
    if ((unsigned)left.last + 1 == (unsigned)right.first) {
        both.first = left.first;
        both.last = right.last;
    } else if ((unsigned)right.last + 1 == (unsigned)left.first) {
        both.first = INT_MIN | right.last;
        both.last = INT_MIN | left.first;
    } else {
        both.first = INT_MIN | left.last;
        both.last = INT_MAX & right.first;
    }
    return both;
}

MONOID_FUNCTION fingerprint_t fingerprint_combine(fingerprint_t left, fingerprint_t right)
{
    fingerprint_t both;
    const uint64_t count = (uint64_t)left.count + right.count - FINGERPRINT_BASE;
    const uint64_t mark = (uint64_t)left.mark + right.mark;
    both.count = count < UINT_MAX ? (unsigned)count : UINT_MAX;
    both.mark = (unsigned)(mark < FINGERPRINT_PRIME ? mark : mark - FINGERPRINT_PRIME);
    return both;
}

/* A value of a struct type, in C and in C++. */
#ifdef __cplusplus
#define MONOID_VALUE(type, x, y) (type{x, y})
#else
#define MONOID_VALUE(type, x, y) ((type){x, y})
#endif

#define SUM_IDENTITY         0
#define MAX_IDENTITY         INT_MIN
#define PRODUCT_IDENTITY     1
#define FLOAT_SUM_IDENTITY   0.0f
#define AFFINE_IDENTITY      MONOID_VALUE(affine_t, 1, 0)
#define INTERVAL_IDENTITY    MONOID_VALUE(interval_t, 0, -1)
#define FINGERPRINT_IDENTITY MONOID_VALUE(fingerprint_t, FINGERPRINT_BASE, 0)

/* ---- the monoid of this compilation ---------------------------------------------------------------- */

#ifdef MONOID

#if MONOID == MONOID_SUM
typedef int elem_t;
#define MONOID_IDENTITY SUM_IDENTITY
#define MONOID_COMBINE  sum_combine
#elif MONOID == MONOID_MAX
typedef int elem_t;
#define MONOID_IDENTITY MAX_IDENTITY
#define MONOID_COMBINE  max_combine
#elif MONOID == MONOID_PRODUCT
typedef int elem_t;
#define MONOID_IDENTITY PRODUCT_IDENTITY
#define MONOID_COMBINE  product_combine
#elif MONOID == MONOID_FLOAT_SUM
typedef float elem_t;
#define MONOID_IDENTITY FLOAT_SUM_IDENTITY
#define MONOID_COMBINE  float_sum_combine
#elif MONOID == MONOID_AFFINE
typedef affine_t elem_t;
#define MONOID_IDENTITY AFFINE_IDENTITY
#define MONOID_COMBINE  affine_combine
#elif MONOID == MONOID_INTERVAL
typedef interval_t elem_t;
#define MONOID_IDENTITY INTERVAL_IDENTITY
#define MONOID_COMBINE  interval_combine
#elif MONOID == MONOID_FINGERPRINT
typedef fingerprint_t elem_t;
#define MONOID_IDENTITY FINGERPRINT_IDENTITY
#define MONOID_COMBINE  fingerprint_combine
#elif MONOID == MONOID_OPAQUE
/* This type tests whether a source treats its elements as the theorem of the proofs requires. A source compiles
 * with it only if it does nothing but move and combine elements: no fields, no arithmetic, no comparisons, no test
 * of MONOID. simt/spaces/parametric.py checks in the compiler's output how the source handles their bytes and their
 * type, for this type in two sizes and for every monoid. The code is never run. */
class __attribute__((aligned(OPAQUE_SIZE))) opaque_t
{
    unsigned word[OPAQUE_SIZE / 4];
};
typedef opaque_t elem_t;
MONOID_FUNCTION opaque_t opaque_combine(opaque_t left, opaque_t)
{
    return left;
}
#define MONOID_IDENTITY (opaque_t())
#define MONOID_COMBINE  opaque_combine
#else
#error "MONOID is none of MONOID_SUM, MONOID_MAX, ... (see monoid.h)"
#endif

/* A call, so that IDENTITY is the same text for every monoid. Where the code is read for the proofs, it is no constant, so
 * that no answer of the compiler depends on its value; nor is it one in the other builds of a file that compiles without
 * one, so that nothing can ask whether it is. */
#ifdef __CUDACC__
#if defined(MONOID_READ) || defined(MONOID_NO_CONSTANT)
MONOID_FUNCTION elem_t monoid_identity()
#else
MONOID_FUNCTION constexpr elem_t monoid_identity()
#endif
{
    return MONOID_IDENTITY;
}
#define IDENTITY (monoid_identity())
#else
#define IDENTITY MONOID_IDENTITY
#endif

/* The shuffles of CUDA, for elements that are structs. */
#ifdef __CUDACC__
#if MONOID == MONOID_AFFINE
#define MONOID_EXCHANGED(shuffle, from)                                                                      \
    MONOID_VALUE(elem_t, shuffle(mask, value.a, from, width), shuffle(mask, value.b, from, width))
#elif MONOID == MONOID_INTERVAL
#define MONOID_EXCHANGED(shuffle, from)                                                                      \
    MONOID_VALUE(elem_t, shuffle(mask, value.first, from, width), shuffle(mask, value.last, from, width))
#elif MONOID == MONOID_FINGERPRINT
#define MONOID_EXCHANGED(shuffle, from)                                                                      \
    MONOID_VALUE(elem_t, shuffle(mask, value.count, from, width), shuffle(mask, value.mark, from, width))
#elif MONOID == MONOID_OPAQUE
#define MONOID_EXCHANGED(shuffle, from) ((void)shuffle(mask, 0, from, width), value)
#endif
#ifdef MONOID_EXCHANGED
MONOID_SHUFFLE elem_t __shfl_sync(unsigned mask, elem_t value, int lane, int width = 32)
{
    return MONOID_EXCHANGED(__shfl_sync, lane);
}
MONOID_SHUFFLE elem_t __shfl_up_sync(unsigned mask, elem_t value, unsigned lanes, int width = 32)
{
    return MONOID_EXCHANGED(__shfl_up_sync, lanes);
}
MONOID_SHUFFLE elem_t __shfl_down_sync(unsigned mask, elem_t value, unsigned lanes, int width = 32)
{
    return MONOID_EXCHANGED(__shfl_down_sync, lanes);
}
MONOID_SHUFFLE elem_t __shfl_xor_sync(unsigned mask, elem_t value, int lanes, int width = 32)
{
    return MONOID_EXCHANGED(__shfl_xor_sync, lanes);
}
#endif
#endif

#if defined(__SIMT__) && defined(__CUDACC__)
#if MONOID == MONOID_INTERVAL
#define MONOID_JOINS(left, right)                                                                            \
    (!interval_is_empty(left) && !interval_is_empty(right) &&                                                \
     (unsigned)left.last + 1 == (unsigned)right.first)
#define MONOID_IS_ONE(x) (x.first == x.last)
#define MONOID_PARTS(x)  ((uint64_t)(unsigned)x.first << 32 | (unsigned)x.last)
#elif MONOID == MONOID_FINGERPRINT
#define MONOID_JOINS(left, right) (left.count != FINGERPRINT_BASE && right.count != FINGERPRINT_BASE)
#define MONOID_IS_ONE(x)          (x.count == FINGERPRINT_BASE + 1)
#define MONOID_PARTS(x)           ((uint64_t)x.count << 32 | x.mark)
#endif
#endif

/* In builds for `make trace`, the recorder receives the bits of the combined values. */
#if defined(__SIMT__) && defined(__CUDACC__) && defined(SIMT_TRACE) && MONOID != MONOID_OPAQUE
MONOID_FUNCTION uint64_t monoid_bits(int x)
{
    return (unsigned)x;
}
MONOID_FUNCTION uint64_t monoid_bits(float x)
{
    return __builtin_bit_cast(unsigned, x);
}
MONOID_FUNCTION uint64_t monoid_bits(affine_t x)
{
    return (uint64_t)(unsigned)x.b << 32 | (unsigned)x.a;
}
MONOID_FUNCTION uint64_t monoid_bits(interval_t x)
{
    return (uint64_t)(unsigned)x.last << 32 | (unsigned)x.first;
}
MONOID_FUNCTION uint64_t monoid_bits(fingerprint_t x)
{
    return (uint64_t)x.mark << 32 | x.count;
}
#define MONOID_TRACE(left, right)                                                                            \
    simt_trace_combine(monoid_bits(left), monoid_bits(right), monoid_bits(MONOID_COMBINE(left, right)),      \
                       sizeof(elem_t))
#endif

/* The operator of this compilation. On the CPU device each call in a kernel counts as one unit of work. If the
 * monoid's values show what they are made of, calls that join two parts of a result are also counted. */
MONOID_FUNCTION elem_t combine(elem_t left, elem_t right)
{
    const elem_t both = MONOID_COMBINE(left, right);
#if defined(__SIMT__) && defined(__CUDACC__)
    simt_count_combine();
#ifdef MONOID_JOINS
    if (MONOID_JOINS(left, right))
        simt_count_join(MONOID_IS_ONE(left) ? SIMT_ONE_PART : MONOID_PARTS(left),
                        MONOID_IS_ONE(right) ? SIMT_ONE_PART : MONOID_PARTS(right), MONOID_PARTS(both));
#endif
#ifdef MONOID_TRACE
    MONOID_TRACE(left, right);
#endif
#endif
    return both;
}

/* Where the code is read for the proofs, this file precedes the source, so that no macro of the source can have the
 * names in it: then its text is the same for every monoid. */
#if MONOID == MONOID_OPAQUE && defined(MONOID_POISON)
#pragma GCC poison MONOID MONOID_SUM MONOID_MAX MONOID_PRODUCT MONOID_FLOAT_SUM MONOID_AFFINE MONOID_INTERVAL
#pragma GCC poison MONOID_FINGERPRINT MONOID_OPAQUE MONOID_COUNT MONOID_COMBINE MONOID_IDENTITY MONOID_JOINS
#pragma GCC poison MONOID_IS_ONE MONOID_PARTS MONOID_POISON MONOID_READ OPAQUE_SIZE interval_t affine_t      \
    INTERVAL_BASE opaque_t
#endif

#endif
#endif
