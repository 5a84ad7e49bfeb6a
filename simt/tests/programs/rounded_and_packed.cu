/* Arithmetic that rounds in a direction, arithmetic of parts of a word, special functions, complex numbers, and functions of the
 * runtime for one device. */
#include "program.h"

#include <cmath>
#include <cuComplex.h>
#include <cuda/std/atomic>
#include <cuda_fp16.h>
#include <driver_functions.h>
#include <nvtx3/nvToolsExt.h>

__device__ cuda::std::atomic<int> arrived;

/* Down, towards 0 and up, of each operation. */
enum { OPERATIONS = 8 };

__global__ void floats(float *out, float x, float y)
{
    const float values[OPERATIONS][3] = {
        {__fadd_rd(x, y), __fadd_rz(x, y), __fadd_ru(x, y)},
        {__fsub_rd(y, x), __fsub_rz(y, x), __fsub_ru(y, x)},
        {__fmul_rd(x, y), __fmul_rz(x, y), __fmul_ru(x, y)},
        {__fdiv_rd(x, y), __fdiv_rz(x, y), __fdiv_ru(x, y)},
        {__fsqrt_rd(x), __fsqrt_rz(x), __fsqrt_ru(x)},
        {__frcp_rd(x), __frcp_rz(x), __frcp_ru(x)},
        {__double2float_rd(-0.1), __double2float_rz(-0.1), __double2float_ru(-0.1)},
        {__int2float_rd(-16777217), __int2float_rz(-16777217), __int2float_ru(-16777217)}};
    for (int i = 0; i < 3 * OPERATIONS; i++)
        out[i] = values[i / 3][i % 3];
}

__global__ void doubles(double *out, double x, double y)
{
    const double values[OPERATIONS][3] = {{__dadd_rd(x, y), __dadd_rz(x, y), __dadd_ru(x, y)},
                                          {__dsub_rd(y, x), __dsub_rz(y, x), __dsub_ru(y, x)},
                                          {__dmul_rd(x, y), __dmul_rz(x, y), __dmul_ru(x, y)},
                                          {__ddiv_rd(x, y), __ddiv_rz(x, y), __ddiv_ru(x, y)},
                                          {__dsqrt_rd(x), __dsqrt_rz(x), __dsqrt_ru(x)},
                                          {__drcp_rd(x), __drcp_rz(x), __drcp_ru(x)},
                                          {__fma_rd(x, x, y), __fma_rz(x, x, y), __fma_ru(x, x, y)},
                                          {__ll2double_rd(-9007199254740993),
                                           __ll2double_rz(-9007199254740993),
                                           __ll2double_ru(-9007199254740993)}};
    for (int i = 0; i < 3 * OPERATIONS; i++)
        out[i] = values[i / 3][i % 3];
}

/* Down and up are neighbours on the two sides of the exact value, and towards 0 is the one of them that is nearer to 0. */
template <class T> static void check_rounded(const char *name, const T *out, const long double *exact)
{
    for (int i = 0; i < OPERATIONS; i++) {
        const T down = out[3 * i], zero = out[3 * i + 1], up = out[3 * i + 2];
        const bool good = down < exact[i] && exact[i] < up && std::nextafter(down, up) == up &&
                          zero == (down < 0 ? up : down);
        printf("%s %d: %s\n", name, i, good ? "good" : "FAIL");
        program_failures() += !good;
    }
}

__global__ void packed(unsigned *out, unsigned a, unsigned b)
{
    const unsigned values[] = {__vadd4(a, b),      __vsub2(a, b),    __vaddss4(a, b),  __vaddus2(a, b),
                               __vsubss2(a, b),    __vsubus4(a, b),  __vmaxs4(a, b),   __vminu2(a, b),
                               __vabsdiffs4(a, b), __vavgs4(a, b),   __vavgu2(a, b),   __vhaddu4(a, b),
                               __vabs4(a),         __vnegss2(a),     __vsads4(a, b),   __vsadu2(a, b),
                               __vcmpeq4(a, b),    __vcmpgts2(a, b), __vsetltu4(a, b), __vsetges2(a, b)};
    for (unsigned i = 0; i < sizeof values / sizeof *values; i++)
        out[i] = values[i];
}

/* By hand, of 0x01ff7f80 and 0x0101ff7f. */
static const unsigned packed_by_hand[] = {0x02007eff, 0x00fe8001, 0x02007eff, 0x0300ffff, 0x00fe7fff,
                                          0x00fe0001, 0x01017f7f, 0x01017f80, 0x000280ff, 0x01003fff,
                                          0x0180bf80, 0x0180bf7f, 0x01017f80, 0xfe018080, 0x00000181,
                                          0x000080fd, 0xff000000, 0xffffffff, 0x00000100, 0x00010001};

__global__ void special(double *out, double x)
{
    double s, c;
    sincospi(x, &s, &c);
    const double values[] = {erf(erfinv(x)) - x,         erfc(erfcinv(x)) - x,
                             normcdf(normcdfinv(x)) - x, erfcx(x) - exp(x * x) * erfc(x),
                             s * s + c * c - 1,          rnorm3d(2., 3., 6.) - 1 / 7.,
                             norm4d(1., 1., 1., 1.) - 2, cyl_bessel_i0(0.) - 1};
    for (int i = 0; i < 8; i++)
        out[i] = values[i];
    arrived.fetch_add(2);
    out[8] = ++arrived - 3;
}

__global__ void halves(__half *sum, __half2 *sums)
{
    atomicAdd(sum, __float2half(0.5f));
    atomicAdd(sums, __floats2half2_rn(1.0f, 2.0f));
}

__global__ void complexes(cuDoubleComplex *z)
{
    z[0] = cuCdiv(cuCmul(z[0], z[1]), cuConj(z[1]));
    z[1] = make_cuDoubleComplex(cuCabs(z[0]), cuCimag(z[1]));
}

static void expect(const char *what, bool good)
{
    printf("%s: %s\n", what, good ? "good" : "FAIL");
    program_failures() += !good;
}

__global__ void dots(unsigned *out)
{
    out[0] = __dp2a_lo(0x0003fffe, 0x05040201, 100);
    out[1] = __dp2a_hi(0x0003fffe, 0x05040201, 100);
    out[2] = __dp2a_lo(0x0003fffeu, 0x05040201u, 100u);
    out[3] = __dp2a_hi(make_ushort2(3, 2), make_uchar4(0, 0, 200, 7), 1u);
    out[4] = __dp4a(make_char4(1, -2, 3, -4), make_char4(5, 6, 7, 8), 1);
}

int main()
{
    float *f;
    double *d;
    unsigned *u;
    __half *h;
    cuDoubleComplex *z;
    nvtxRangePushA("all");
    CUDA_CHECK(cudaMallocManaged(&f, 256));
    CUDA_CHECK(cudaMallocManaged(&d, 256));
    CUDA_CHECK(cudaMallocManaged(&u, 256));
    CUDA_CHECK(cudaMallocManaged(&h, 256));
    CUDA_CHECK(cudaMallocManaged(&z, 2 * sizeof *z));
    const float x = 1.1f, y = -1e-4f;
    floats<<<1, 1>>>(f, x, y);
    CUDA_CHECK(cudaDeviceSynchronize());
    const long double of_floats[] = {(long double)x + y, (long double)y - x, (long double)x * y,
                                     (long double)x / y, sqrtl(x),           1 / (long double)x,
                                     (long double)-0.1,  -16777217};
    check_rounded("float", f, of_floats);
    const double p = 1.1, q = -1e-3;
    doubles<<<1, 1>>>(d, p, q);
    CUDA_CHECK(cudaDeviceSynchronize());
    const long double of_doubles[] = {
        (long double)p + q, (long double)q - p, (long double)p * q,     (long double)p / q,
        sqrtl(p),           1 / (long double)p, (long double)p * p + q, -9007199254740993.0L};
    check_rounded("double", d, of_doubles);
    packed<<<1, 1>>>(u, 0x01ff7f80, 0x0101ff7f);
    CUDA_CHECK(cudaDeviceSynchronize());
    for (unsigned i = 0; i < sizeof packed_by_hand / sizeof *packed_by_hand; i++)
        expect("packed", u[i] == packed_by_hand[i]);
    special<<<1, 1>>>(d, 0.3);
    CUDA_CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < 9; i++)
        expect("special", std::fabs(d[i]) < 1e-14);
    memset(h, 0, 256);
    halves<<<2, 64>>>(h, (__half2 *)h + 4);
    CUDA_CHECK(cudaDeviceSynchronize());
    expect("halves", __half2float(h[0]) == 64 && __half2float(h[8]) == 128 && __half2float(h[9]) == 256);
    z[0] = make_cuDoubleComplex(1, 2);
    z[1] = make_cuDoubleComplex(3, -1);
    complexes<<<1, 1>>>(z);
    CUDA_CHECK(cudaDeviceSynchronize());
    expect("complex", std::fabs(z[0].x - 2) < 1e-12 && std::fabs(z[0].y - 1) < 1e-12 && z[1].y == -1);
    dots<<<1, 1>>>(u);
    CUDA_CHECK(cudaDeviceSynchronize());
    expect("dot products", u[0] == 104 && u[1] == 107 && u[2] == 65640 && u[3] == 615 && (int)u[4] == -17);
    int device = 1;
    cudaDeviceProp properties;
    cudaMemPool_t pool;
    unsigned long long threshold = ~0ULL, kept = 0;
    CUDA_CHECK(cudaGetDeviceProperties(&properties, 0));
    CUDA_CHECK(cudaChooseDevice(&device, &properties));
    CUDA_CHECK(cudaDeviceGetDefaultMemPool(&pool, 0));
    CUDA_CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold));
    CUDA_CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &kept));
    CUDA_CHECK(cudaMemcpyPeer(u + 40, 0, u, 0, 4 * sizeof *u));
    expect("one device", device == 0 && kept == threshold && u[43] == u[3]);
    CUDA_CHECK(cudaFree(f));
    CUDA_CHECK(cudaFree(d));
    CUDA_CHECK(cudaFree(u));
    CUDA_CHECK(cudaFree(h));
    CUDA_CHECK(cudaFree(z));
    nvtxRangePop();
    return program_end();
}
