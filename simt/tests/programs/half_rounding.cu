// Saturation, comparisons with values that are not numbers, and directed rounding of half and bfloat16, in host code.
#include "program.h"
#include <cuda_bf16.h>
#include <cuda_fp16.h>

enum { PAIRS = 3000, CHECKS = 4 };

static unsigned long long sums[CHECKS];

static void mix(int check, unsigned long long value)
{
    sums[check] = (sums[check] ^ value) * 1099511628211ull;
}

template <typename P> static unsigned bits_of(P pair)
{
    unsigned bits;
    memcpy(&bits, &pair, sizeof bits);
    return bits;
}

/* Both types have functions of the same names, except those for conversions. */
template <typename T, typename P> static void compute(T a, T b, P pair, P other)
{
    mix(0, bits_of(__hadd2_sat(pair, other)));
    mix(0, bits_of(__hsub2_sat(pair, other)));
    mix(0, bits_of(__hmul2_sat(pair, other)));
    mix(1, __heq(a, b) | __hne(a, b) << 1 | __hlt(a, b) << 2 | __hge(a, b) << 3);
    mix(1, __hequ(a, b) | __hneu(a, b) << 1 | __hltu(a, b) << 2 | __hgeu(a, b) << 3);
    mix(1, bits_of(__hleu2(pair, other)) ^ bits_of(__hisnan2(pair)));
    mix(1, __hgtu2_mask(pair, other) ^ __hne2_mask(pair, other) ^ __hbneu2(pair, other));
    mix(2, bits_of(__hmax2_nan(pair, other)));
    mix(2, bits_of(__hmin2_nan(pair, other)));
}

int main()
{
    const char *const names[CHECKS] = {"saturated", "compared", "largest and smallest", "rounded"};
    uint32_t state = 29;
    for (int i = 0; i < PAIRS; i++) {
        const uint32_t bits = random_next(&state);
        const unsigned short x = bits >> 16, y = i % 3 ? bits & 0xffff : (x & 0xff00) | (bits & 0xff);
        const __half a = __ushort_as_half(x), b = __ushort_as_half(y);
        const __nv_bfloat16 c = __ushort_as_bfloat16(x), d = __ushort_as_bfloat16(y);
        const float value = __half2float(a) * 1.0001f + __half2float(b) * 0.3f;
        const int number = (int)bits >> (i % 31);
        compute(a, b, __halves2half2(a, b), __halves2half2(b, a));
        compute(c, d, __halves2bfloat162(c, d), __halves2bfloat162(d, c));
        if (value == value) {
            mix(3, __half_as_ushort(__float2half_rd(value)) << 16 | __half_as_ushort(__float2half_ru(value)));
            mix(3, __bfloat16_as_ushort(__float2bfloat16_rd(value)) ^
                       __bfloat16_as_ushort(__float2bfloat16_rz(value)));
        }
        mix(3, __half_as_ushort(__int2half_rd(number)) << 16 | __half_as_ushort(__int2half_ru(number)));
        mix(3, __half_as_ushort(__int2half_rz(number)) ^ __half_as_ushort(__short2half_rd((short)number)));
    }
    for (int i = 0; i < CHECKS; i++)
        printf("%s: %016llx\n", names[i], sums[i]);
    return program_end();
}
