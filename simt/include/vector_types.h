/* vector_types.h: char1 ... double4 and dim3, with CUDA's sizes and alignments. C and C++.
 *
 * A type of 2 or 4 components is aligned to its size, up to 16 bytes, so that one access moves all of it. Types of
 * 1 or 3 components have the alignment of a component. All are plain structs without constructors, so they may be
 * in shared memory; make_float4 and similar functions (vector_functions.h) build them. */
#ifndef SIMT_VECTOR_TYPES_H
#define SIMT_VECTOR_TYPES_H
#define __VECTOR_TYPES_H__ /* other headers test for this name */

#define SIMT_ALIGNED(bytes) __attribute__((__aligned__(bytes)))

#define SIMT_VECTOR(name, type, align2, align4)                                                              \
    struct name##1                                                                                           \
    {                                                                                                        \
        type x;                                                                                              \
    };                                                                                                       \
    struct SIMT_ALIGNED(align2) name##2                                                                      \
    {                                                                                                        \
        type x, y;                                                                                           \
    };                                                                                                       \
    struct name##3                                                                                           \
    {                                                                                                        \
        type x, y, z;                                                                                        \
    };                                                                                                       \
    struct SIMT_ALIGNED(align4) name##4                                                                      \
    {                                                                                                        \
        type x, y, z, w;                                                                                     \
    };                                                                                                       \
    typedef struct name##1 name##1;                                                                          \
    typedef struct name##2 name##2;                                                                          \
    typedef struct name##3 name##3;                                                                          \
    typedef struct name##4 name##4;

SIMT_VECTOR(char, signed char, 2, 4)
SIMT_VECTOR(uchar, unsigned char, 2, 4)
SIMT_VECTOR(short, short, 4, 8)
SIMT_VECTOR(ushort, unsigned short, 4, 8)
SIMT_VECTOR(int, int, 8, 16)
SIMT_VECTOR(uint, unsigned int, 8, 16)
SIMT_VECTOR(long, long int, 16, 16)
SIMT_VECTOR(ulong, unsigned long int, 16, 16)
SIMT_VECTOR(longlong, long long int, 16, 16)
SIMT_VECTOR(ulonglong, unsigned long long int, 16, 16)
SIMT_VECTOR(float, float, 8, 16)
SIMT_VECTOR(double, double, 16, 16)

/* CUDA 13 puts the alignment of four 8-byte components into the type's name. */
#define SIMT_VECTOR_OF_32_BYTES(name, type)                                                                  \
    struct SIMT_ALIGNED(16) name##4_16a                                                                      \
    {                                                                                                        \
        type x, y, z, w;                                                                                     \
    };                                                                                                       \
    struct SIMT_ALIGNED(32) name##4_32a                                                                      \
    {                                                                                                        \
        type x, y, z, w;                                                                                     \
    };                                                                                                       \
    typedef struct name##4_16a name##4_16a;                                                                  \
    typedef struct name##4_32a name##4_32a;

SIMT_VECTOR_OF_32_BYTES(long, long int)
SIMT_VECTOR_OF_32_BYTES(ulong, unsigned long int)
SIMT_VECTOR_OF_32_BYTES(longlong, long long int)
SIMT_VECTOR_OF_32_BYTES(ulonglong, unsigned long long int)
SIMT_VECTOR_OF_32_BYTES(double, double)

#ifdef __cplusplus
struct simt_dim3; /* the type of gridDim and blockDim: see simt_language.h */
#endif

/* The extent of a grid or block; components that are not given are 1. */
struct dim3 {
    unsigned int x, y, z;
#ifdef __cplusplus
    constexpr dim3(unsigned int width = 1, unsigned int height = 1, unsigned int depth = 1)
        : x(width), y(height), z(depth)
    {
    }
    constexpr dim3(uint3 extent) : x(extent.x), y(extent.y), z(extent.z)
    {
    }
    inline dim3(const simt_dim3 &extent);
    constexpr operator uint3() const
    {
        return uint3{x, y, z};
    }
#endif
};
typedef struct dim3 dim3;

#undef SIMT_VECTOR
#undef SIMT_VECTOR_OF_32_BYTES

#endif
