/* Limits of the intrinsics: their results for zero, the largest shift, NaN, and values beyond a type's range. There is
 * no CPU model here: the printed values must be those that a GPU printed. */
#include "program.h"

enum { INPUTS = 16, ROWS = 64 };

struct row {
    const char *name;
};

__device__ const unsigned words[INPUTS] = {0u,          1u,          2u,          31u,         32u,         33u,
                                           0x7fffffffu, 0x80000000u, 0x80000001u, 0xffffffffu, 0xfffffffeu, 0x12345678u,
                                           0xdeadbeefu, 0x00ff00ffu, 0x01000001u, 1000003u};
__constant__ const float reals[INPUTS] = {0.0f,   -0.0f,  0.5f,    -0.5f,         1.5f,          2.5f,
                                          -2.5f,  1e-9f,  3e9f,    -3e9f,         2147483520.0f, 1e20f,
                                          -1e20f, 0.999f, 1048577.5f, 4294967040.0f};

#define EACH(text, expression)                                                                               \
    do {                                                                                                     \
        for (int i = 0; i < INPUTS; i++) {                                                                   \
            const unsigned x = words[i], y = words[(i * 5 + 3) % INPUTS], z = words[(i * 7 + 1) % INPUTS];   \
            const float f = reals[i], g = reals[(i * 3 + 2) % INPUTS];                                       \
            (void)x, (void)y, (void)z, (void)f, (void)g;                                                     \
            out[(*rows) * INPUTS + i] = (unsigned long long)(expression);                                    \
        }                                                                                                    \
        ++*rows;                                                                                             \
    } while (0)

__global__ void bits(unsigned long long *out, int *rows)
{
    EACH("popc", __popc(x));
    EACH("popcll", __popcll((unsigned long long)x << 32 | y));
    EACH("clz", __clz((int)x));
    EACH("clzll", __clzll((long long)x));
    EACH("ffs", __ffs((int)x));
    EACH("ffsll", __ffsll((long long)x << 20));
    EACH("brev", __brev(x));
    EACH("brevll", __brevll((unsigned long long)x << 8 | 5));
    EACH("byte_perm", __byte_perm(x, y, z));
    EACH("byte_perm of signs", __byte_perm(x, y, 0x8f19u));
    EACH("funnelshift_l", __funnelshift_l(x, y, z));
    EACH("funnelshift_lc", __funnelshift_lc(x, y, z));
    EACH("funnelshift_r", __funnelshift_r(x, y, z));
    EACH("funnelshift_rc", __funnelshift_rc(x, y, z));
    EACH("fns up", __fns(x, y & 31, 2));
    EACH("fns down", __fns(x, z & 31, -3));
    EACH("fns here", __fns(x, z & 31, 0));
    EACH("mulhi", (unsigned)__mulhi((int)x, (int)y));
    EACH("umulhi", __umulhi(x, y));
    EACH("mul64hi", __mul64hi((long long)(x * 0x100000001ull), (long long)(y * 0x300000001ull)));
    EACH("umul64hi", __umul64hi(x * 0x100000001ull, y * 0x300000001ull));
    EACH("mul24", (unsigned)__mul24((int)x, (int)y));
    EACH("umul24", __umul24(x, y));
    EACH("hadd", (unsigned)__hadd((int)x, (int)y));
    EACH("rhadd", (unsigned)__rhadd((int)x, (int)y));
    EACH("uhadd", __uhadd(x, y));
    EACH("urhadd", __urhadd(x, y));
    EACH("sad", __sad((int)x, (int)y, z));
    EACH("usad", __usad(x, y, z));
    EACH("dp4a", (unsigned)__dp4a((int)x, (int)y, (int)z));
    EACH("unsigned dp4a", __dp4a(x, y, z));
}

__global__ void conversions(unsigned long long *out, int *rows)
{
    EACH("float2int_rn", (unsigned)__float2int_rn(f));
    EACH("float2int_rz", (unsigned)__float2int_rz(f));
    EACH("float2int_rd", (unsigned)__float2int_rd(f));
    EACH("float2int_ru", (unsigned)__float2int_ru(f));
    EACH("float2uint_rn", __float2uint_rn(f));
    EACH("float2uint_rz", __float2uint_rz(f));
    EACH("float2ll_rn", __float2ll_rn(f));
    EACH("float2ull_rn", __float2ull_rn(f));
    EACH("double2int_rn", (unsigned)__double2int_rn((double)f * 1.000000001));
    EACH("double2ll_rd", __double2ll_rd((double)f));
    EACH("int2float_rn", __float_as_uint(__int2float_rn((int)x)));
    EACH("uint2float_rn", __float_as_uint(__uint2float_rn(x)));
    EACH("ll2float_rn", __float_as_uint(__ll2float_rn((long long)x << 20 | y)));
    EACH("double2float_rn", __float_as_uint(__double2float_rn((double)x * 1e-3)));
    EACH("double2hiint", (unsigned)__double2hiint((double)f));
    EACH("double2loint", (unsigned)__double2loint((double)f * 3));
    EACH("hiloint2double", __double_as_longlong(__hiloint2double((int)(x & 0x7fefffff), (int)y)));
    EACH("int_as_float", __float_as_int(__int_as_float(0x3f800000 + (int)(x & 0xffff))));
    EACH("saturatef", __float_as_uint(__saturatef(f) + 0.0f));
    EACH("of NaN to int", (unsigned)__float2int_rn(f - f + __int_as_float(0x7fc00000)));
    EACH("of NaN to long long", __float2ll_rn(__int_as_float(0x7fc00000)));
    EACH("of infinity to int", (unsigned)__float2int_rz(__int_as_float((int)(0x7f800000u | (x & 0x80000000u)))));
}

__global__ void arithmetic(unsigned long long *out, int *rows)
{
    EACH("fmaf_rn", __float_as_uint(__fmaf_rn(f, g, 1.0f)));
    EACH("fma_rn", __double_as_longlong(__fma_rn((double)f, (double)g, 1.0)));
    EACH("fadd_rn", __float_as_uint(__fadd_rn(f, g)));
    EACH("fmul_rn", __float_as_uint(__fmul_rn(f, g)));
    EACH("fdiv_rn", __float_as_uint(__fdiv_rn(f, g + 3.0f)));
    EACH("frcp_rn", __float_as_uint(__frcp_rn(f + 7.0f)));
    EACH("fsqrt_rn", __float_as_uint(__fsqrt_rn(fabsf(f))));
    EACH("ddiv_rn", __double_as_longlong(__ddiv_rn((double)f, (double)g + 3.0)));
    EACH("min of float", __float_as_uint(min(f, g)) & 0x7fffffffu);
    EACH("max of float and NaN", __float_as_uint(fmaxf(f, __int_as_float(0x7fc00000))));
    EACH("min of int", (unsigned)min((int)x, (int)y));
    EACH("max of int and unsigned", max((int)x, y));
    EACH("min of long long", min((long long)(int)x, (long long)(int)y));
    EACH("max of unsigned long long", max((unsigned long long)x, (unsigned long long)(int)y));
    EACH("umin", umin(x, y));
    EACH("abs", (unsigned)abs((int)(x & 0x7fffffff) - 5));
    EACH("abs of float", __float_as_uint(abs(f)));
    EACH("floorf", __float_as_uint(floorf(g)));
    EACH("rintf", __float_as_uint(rintf(f)));
    EACH("roundf", __float_as_uint(roundf(f)));
    EACH("truncf", __float_as_uint(truncf(g)));
    EACH("signed zero kept", (unsigned)signbit(f));
    EACH("ldg", __ldg(&words[i]) + __ldcg(&words[i]) + __ldcs(&words[i]) + __ldca(&words[i]) + __ldcv(&words[i]));
}

/* Shuffle sources out of range, and every width. */
__global__ void shuffle_edges(unsigned long long *out, int *rows)
{
    const unsigned lane = threadIdx.x;
    unsigned *mine = (unsigned *)out + lane * 16;
    const unsigned all = 0xffffffffu;

    mine[0] = __shfl_sync(all, lane, 35);
    mine[1] = __shfl_sync(all, lane, -1);
    mine[2] = __shfl_sync(all, lane, -3, 8);
    mine[3] = __shfl_sync(all, lane, (int)lane + 1, 2);
    mine[4] = __shfl_up_sync(all, lane, 31);
    mine[5] = __shfl_up_sync(all, lane, 5, 8);
    mine[6] = __shfl_down_sync(all, lane, 31);
    mine[7] = __shfl_down_sync(all, lane, 7, 8);
    mine[8] = __shfl_xor_sync(all, lane, 24, 16);
    mine[9] = __shfl_xor_sync(all, lane, 5, 4);
    mine[10] = __shfl_xor_sync(all, lane, 31);
    mine[11] = __shfl_up_sync(all, lane, 0, 4);
    mine[12] = __shfl_sync(all, lane, 7, 1);
    mine[13] = (unsigned)__shfl_down_sync(all, (long long)lane << 33, 3) + (unsigned)(__shfl_up_sync(all, (unsigned long)lane << 33, 3) >> 32);
    mine[14] = __activemask();
    mine[15] = lane % 4 == 1 ? __activemask() : 0;
    if (lane == 0)
        *rows = 16;
}

/* Inactive lanes, returned lanes, and masks of a part of the warp. */
__global__ void parts_of_a_warp(unsigned long long *out, int *rows)
{
    const unsigned lane = threadIdx.x;
    unsigned *mine = (unsigned *)out + lane * 4;

    mine[0] = mine[1] = mine[2] = mine[3] = 0;
    if (lane >= 24)
        return;
    if (lane < 8) {
        mine[0] = __ballot_sync(0x000000ffu, lane & 1);
        mine[1] = __shfl_xor_sync(0x000000ffu, lane, 3);
    } else {
        mine[0] = __ballot_sync(0x00ffff00u, lane & 2);
        mine[1] = __reduce_max_sync(0x00ffff00u, lane);
    }
    __syncwarp(0x00ffffffu);
    mine[2] = __match_any_sync(0x00ffffffu, lane / 5);
    mine[3] = (unsigned)__reduce_add_sync(0x00ffffffu, -(int)lane);
    if (lane == 0)
        *rows = 2;
}

/* Predicates counted over a block; threads that have returned are not counted. */
__global__ void block_votes(unsigned long long *out, int *rows)
{
    const int t = (int)threadIdx.x;
    out[t * 4] = (unsigned long long)__syncthreads_count(t % 3 == 0);
    out[t * 4 + 1] = __syncthreads_and(t >= 0) != 0;
    out[t * 4 + 2] = __syncthreads_or(t == 77) != 0;
    out[t * 4 + 3] = __syncthreads_and(t != 77) != 0;
    if (t == 0)
        *rows = 24;
}

__global__ void spaces(unsigned long long *out, int *rows)
{
    __shared__ int shared;
    int local = 5;
    shared = local;
    out[0] = __isGlobal(out) != 0;
    out[1] = __isShared(&shared) != 0;
    out[2] = __isShared(out) != 0;
    out[3] = __isLocal(&local) != 0;
    out[4] = __isGlobal(&words[3]) != 0;
    long long before = clock64();
    __nanosleep(50);
    out[5] = clock64() > before;
    out[6] = warpSize;
    for (int i = 7; i < INPUTS; i++)
        out[i] = 0;
    *rows = 1;
}

typedef void kernel(unsigned long long *, int *);

static void show(const char *what, kernel *run, unsigned threads)
{
    const size_t n = ROWS * INPUTS;
    unsigned long long *out = device_alloc<unsigned long long>(n);
    int *rows = to_device(std::vector<int>(1, 0));

    run<<<1, threads>>>(out, rows);
    CUDA_CHECK(cudaDeviceSynchronize());
    int used = from_device(rows, 1)[0];
    std::vector<unsigned long long> values = from_device(out, (size_t)used * INPUTS);
    for (int r = 0; r < used; r++) {
        printf("%s %d:", what, r);
        for (int i = 0; i < INPUTS; i++)
            printf(" %llx", values[(size_t)(r * INPUTS + i)]);
        printf("\n");
    }
    CUDA_CHECK(cudaFree(out));
    CUDA_CHECK(cudaFree(rows));
}

int main()
{
    show("bits", bits, 1);
    show("conversions", conversions, 1);
    show("arithmetic", arithmetic, 1);
    show("shuffle edges", shuffle_edges, 32);
    show("parts of a warp", parts_of_a_warp, 32);
    show("block votes", block_votes, 96);
    show("spaces", spaces, 1);
    return program_end();
}
