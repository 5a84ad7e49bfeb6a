/* What a warp can do without memory: shuffles of every kind and width, votes, matches, reductions in hardware, and the
 * bit instructions. Every result is stored and checked against a CPU model. */
#include "program.h"

#define FULL_WARP 0xffffffffu

enum { SHUFFLES = 8, VOTES = 8, REDUCES = 6, BITS = 12 };

__global__ void shuffles(const int *in, int *out)
{
    const int lane = threadIdx.x;
    const int v = in[lane];
    int *mine = out + lane * SHUFFLES;

    mine[0] = __shfl_sync(FULL_WARP, v, 5);
    mine[1] = __shfl_sync(FULL_WARP, v, lane * 7 + 3);          /* the source wraps at the width */
    mine[2] = __shfl_sync(FULL_WARP, v, 2, 8);
    mine[3] = __shfl_up_sync(FULL_WARP, v, 3);
    mine[4] = __shfl_up_sync(FULL_WARP, v, 1, 4);
    mine[5] = __shfl_down_sync(FULL_WARP, v, 9);
    mine[6] = __shfl_down_sync(FULL_WARP, v, 2, 16);
    mine[7] = __shfl_xor_sync(FULL_WARP, v, 13);
}

__global__ void wide_shuffles(const double *in, double *out, unsigned long long *swapped)
{
    const int lane = threadIdx.x;
    out[lane] = __shfl_down_sync(FULL_WARP, in[lane], 1);
    swapped[lane] = __shfl_xor_sync(FULL_WARP, 0x100000001ull * (unsigned)lane, 31);
    float half = __shfl_up_sync(FULL_WARP, (float)in[lane], 1, 2);
    out[32 + lane] = half;
}

__global__ void votes(const int *in, unsigned *out)
{
    const unsigned lane = threadIdx.x;
    const int v = in[lane];
    unsigned *mine = out + lane * VOTES;

    mine[0] = __ballot_sync(FULL_WARP, v > 0);
    mine[1] = __any_sync(FULL_WARP, v == 3) != 0;
    mine[2] = __all_sync(FULL_WARP, v < 100) != 0;
    mine[3] = __match_any_sync(FULL_WARP, v & 3);
    int same;
    mine[4] = __match_all_sync(FULL_WARP, v >> 8, &same);
    mine[5] = same != 0;
    mine[6] = 0;
    if (lane % 3 == 0)                                          /* a part of the warp votes by itself */
        mine[6] = __ballot_sync(0x49249249u, v & 1);
    __syncwarp();
    mine[7] = __popc(mine[0] & ((1u << lane) - 1));             /* rank among the positive ones */
}

__global__ void hardware_reductions(const int *in, int *out)
{
    const int lane = threadIdx.x, v = in[lane];
    int *mine = out + lane * REDUCES;

    mine[0] = __reduce_add_sync(FULL_WARP, v);
    mine[1] = __reduce_min_sync(FULL_WARP, v);
    mine[2] = __reduce_max_sync(FULL_WARP, v);
    mine[3] = (int)__reduce_and_sync(FULL_WARP, (unsigned)v | 0xf0u);
    mine[4] = (int)__reduce_or_sync(FULL_WARP, (unsigned)v);
    mine[5] = (int)__reduce_xor_sync(lane < 16 ? 0x0000ffffu : 0xffff0000u, (unsigned)v);
}

__global__ void bits(const unsigned *in, long long *out)
{
    const unsigned x = in[threadIdx.x];
    const unsigned long long y = (unsigned long long)x << 17 ^ x;
    long long *mine = out + threadIdx.x * BITS;

    mine[0] = __brev(x);
    mine[1] = __ffs((int)x);
    mine[2] = __clz((int)x);
    mine[3] = __popc(x);
    mine[4] = (long long)__brevll(y);
    mine[5] = __ffsll((long long)y);
    mine[6] = __clzll((long long)y);
    mine[7] = __popcll(y);
    mine[8] = __umulhi(x, 0x9e3779b9u);
    mine[9] = __byte_perm(x, 0x01020304u, 0x5140);
    mine[10] = __funnelshift_l(x, ~x, 11);
    mine[11] = __float_as_int(__int_as_float((int)(x & 0x7f7fffffu))) + __mul24(3, 5);
}

/* A product over the warp by butterfly: every lane gets the same number. */
__global__ void butterfly(const float *in, float *out)
{
    float v = in[threadIdx.x];
    for (int mask = warpSize >> 1; mask > 0; mask >>= 1)
        v = v * 0.5f + __shfl_xor_sync(FULL_WARP, v, mask) * 0.5f;
    out[threadIdx.x] = v;
}

static int shuffled(const std::vector<int> &v, int lane, int source, int width)
{
    int first = lane / width * width;
    return source < first || source >= first + width ? v[lane] : v[source];
}

int main()
{
    std::vector<int> v = random_ints(32, 9, 42);
    v[4] = 3;
    int *in = to_device(v);

    int *shuffled_out = device_alloc<int>(32 * SHUFFLES);
    shuffles<<<1, 32>>>(in, shuffled_out);
    CUDA_CHECK(cudaGetLastError());
    std::vector<int> want(32 * SHUFFLES);
    for (int lane = 0; lane < 32; lane++) {
        int *w = &want[lane * SHUFFLES];
        w[0] = v[5];
        w[1] = v[(lane * 7 + 3) % 32];
        w[2] = v[lane / 8 * 8 + 2];
        w[3] = shuffled(v, lane, lane - 3, 32);
        w[4] = shuffled(v, lane, lane - 1, 4);
        w[5] = shuffled(v, lane, lane + 9, 32);
        w[6] = shuffled(v, lane, lane + 2, 16);
        w[7] = v[lane ^ 13];
    }
    expect_equal("shuffles", from_device(shuffled_out, 32 * SHUFFLES), want);

    std::vector<double> wide(32), wide_want(64);
    std::vector<unsigned long long> swapped_want(32);
    for (int lane = 0; lane < 32; lane++)
        wide[lane] = v[lane] / 7.0;
    for (int lane = 0; lane < 32; lane++) {
        wide_want[lane] = wide[lane < 31 ? lane + 1 : 31];
        wide_want[32 + lane] = (float)wide[lane & ~1];
        swapped_want[lane] = 0x100000001ull * (unsigned)(lane ^ 31);
    }
    double *wide_in = to_device(wide), *wide_out = device_alloc<double>(64);
    unsigned long long *swapped = device_alloc<unsigned long long>(32);
    wide_shuffles<<<1, 32>>>(wide_in, wide_out, swapped);
    CUDA_CHECK(cudaGetLastError());
    expect_equal("shuffles of double and float", from_device(wide_out, 64), wide_want);
    expect_equal("shuffle of 64 bits", from_device(swapped, 32), swapped_want);

    unsigned *vote_out = device_alloc<unsigned>(32 * VOTES);
    votes<<<1, 32>>>(in, vote_out);
    CUDA_CHECK(cudaGetLastError());
    unsigned positive = 0, odd_thirds = 0, all_same = 1;
    for (int lane = 0; lane < 32; lane++) {
        positive |= (unsigned)(v[lane] > 0) << lane;
        if (lane % 3 == 0)
            odd_thirds |= (unsigned)(v[lane] & 1) << lane;
        all_same &= v[lane] >> 8 == v[0] >> 8;
    }
    std::vector<unsigned> vote_want(32 * VOTES);
    for (int lane = 0; lane < 32; lane++) {
        unsigned *w = &vote_want[lane * VOTES];
        w[0] = positive;
        w[1] = 1;
        w[2] = 1;
        for (int k = 0; k < 32; k++)
            w[3] |= (unsigned)((v[k] & 3) == (v[lane] & 3)) << k;
        w[4] = all_same ? FULL_WARP : 0;
        w[5] = all_same;
        w[6] = lane % 3 == 0 ? odd_thirds : 0;
        for (int k = 0; k < lane; k++)
            w[7] += positive >> k & 1;
    }
    expect_equal("votes and matches", from_device(vote_out, 32 * VOTES), vote_want);

    int *reduce_out = device_alloc<int>(32 * REDUCES);
    hardware_reductions<<<1, 32>>>(in, reduce_out);
    CUDA_CHECK(cudaGetLastError());
    int sum = 0, least = v[0], largest = v[0], halves[2] = {0, 0};
    unsigned conjunction = FULL_WARP, disjunction = 0;
    for (int lane = 0; lane < 32; lane++) {
        sum += v[lane];
        least = v[lane] < least ? v[lane] : least;
        largest = v[lane] > largest ? v[lane] : largest;
        conjunction &= (unsigned)v[lane] | 0xf0u;
        disjunction |= (unsigned)v[lane];
        halves[lane / 16] ^= v[lane];
    }
    std::vector<int> reduce_want;
    for (int lane = 0; lane < 32; lane++) {
        int w[REDUCES] = {sum, least, largest, (int)conjunction, (int)disjunction, halves[lane / 16]};
        reduce_want.insert(reduce_want.end(), w, w + REDUCES);
    }
    expect_equal("reductions in hardware", from_device(reduce_out, 32 * REDUCES), reduce_want);

    std::vector<unsigned> words = random_keys(64, 0, 9);
    words[0] = 0;
    words[1] = 1;
    words[2] = 0x80000000u;
    words[3] = 0xffffffffu;
    unsigned *words_in = to_device(words);
    long long *bits_out = device_alloc<long long>(64 * BITS);
    bits<<<1, 64>>>(words_in, bits_out);
    CUDA_CHECK(cudaGetLastError());
    std::vector<long long> bits_want(64 * BITS, 0);
    for (int i = 0; i < 64; i++) {
        unsigned x = words[i];
        unsigned long long y = (unsigned long long)x << 17 ^ x, reversed = 0;
        long long *w = &bits_want[i * BITS];
        unsigned reversed_word = 0;
        w[2] = 32;
        w[6] = 64;
        for (int b = 0; b < 32; b++) {
            reversed_word |= (x >> b & 1) << (31 - b);
            if (x >> b & 1) {
                w[1] = w[1] == 0 ? b + 1 : w[1];
                w[2] = 31 - b;
                w[3]++;
            }
        }
        w[0] = reversed_word;
        for (int b = 0; b < 64; b++) {
            reversed |= (y >> b & 1) << (63 - b);
            if (y >> b & 1) {
                w[5] = w[5] == 0 ? b + 1 : w[5];
                w[6] = 63 - b;
                w[7]++;
            }
        }
        w[4] = (long long)reversed;
        w[8] = (unsigned)((unsigned long long)x * 0x9e3779b9u >> 32);
        w[9] = (x & 0xff) | 0x04u << 8 | (x >> 8 & 0xff) << 16 | 0x03u << 24;   /* bytes 0, 4, 1, 5 */
        w[10] = (unsigned)(((unsigned long long)~x << 32 | x) << 11 >> 32);
        w[11] = (int)(x & 0x7f7fffffu) + 15;
    }
    expect_equal("bits", from_device(bits_out, 64 * BITS), bits_want);

    std::vector<float> floats = random_floats(32, 3), float_want = floats;
    float *floats_in = to_device(floats), *floats_out = device_alloc<float>(32);
    butterfly<<<1, 32>>>(floats_in, floats_out);
    CUDA_CHECK(cudaGetLastError());
    for (int mask = 16; mask > 0; mask /= 2) {
        std::vector<float> before = float_want;
        for (int lane = 0; lane < 32; lane++)
            float_want[lane] = before[lane] * 0.5f + before[lane ^ mask] * 0.5f;
    }
    expect_equal("butterfly", from_device(floats_out, 32), float_want);
    return program_end();
}
