/* Vector types: loads and stores of 8 and 16 bytes, casts of scalar pointers, tails, make_ functions, members,
 * read-only loads, __restrict__, launch bounds, interleaved complex numbers, bytes unpacked from uchar4. */
#include "program.h"

__global__ void __launch_bounds__(128) copy_by_int4(const int *in, int *out, int n)
{
    const int vectors = n / 4;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < vectors; i += blockDim.x * gridDim.x)
        reinterpret_cast<int4 *>(out)[i] = reinterpret_cast<const int4 *>(in)[i];
    if (blockIdx.x == 0 && threadIdx.x < n % 4)                 /* the tail */
        out[4 * vectors + threadIdx.x] = in[4 * vectors + threadIdx.x];
}

__global__ void saxpy4(float a, const float4 *__restrict__ x, float4 *__restrict__ y, int vectors)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= vectors)
        return;
    float4 u = __ldg(x + i), v = y[i];
    v.x = a * u.x + v.x;
    v.y = a * u.y + v.y;
    v.z = a * u.z + v.z;
    v.w = a * u.w + v.w;
    y[i] = v;
}

__global__ void complex_multiply(const float2 *a, const double2 *b, double2 *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        double2 left = make_double2(a[i].x, a[i].y);
        c[i] = make_double2(left.x * b[i].x - left.y * b[i].y, left.x * b[i].y + left.y * b[i].x);
    }
}

__global__ void luma(const uchar4 *pixels, unsigned char *gray, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        uchar4 p = pixels[i];
        gray[i] = (unsigned char)((p.x * 77 + p.y * 151 + p.z * 28) >> 8);
    }
}

/* Vectors of odd sizes, through shared memory. */
__global__ void rotate_components(const float3 *in, float3 *out, const short4 *shorts, ulonglong2 *wide)
{
    __shared__ float3 tile[64];
    __shared__ short4 small[64];
    tile[threadIdx.x] = in[threadIdx.x];
    small[63 - threadIdx.x] = shorts[threadIdx.x];
    __syncthreads();
    float3 neighbour = tile[(threadIdx.x + 1) % 64];
    out[threadIdx.x] = make_float3(neighbour.z, neighbour.x, neighbour.y);
    short4 s = small[threadIdx.x];
    wide[threadIdx.x] = make_ulonglong2((unsigned long long)(s.x * s.y + 100000000), (unsigned long long)(unsigned short)s.w);
}

/* A sum by float4 in one block; a load gives four values to one thread. */
__global__ void sum_by_float4(const float4 *in, int vectors, float *out)
{
    __shared__ float part[64];
    float4 sum = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    for (int i = threadIdx.x; i < vectors; i += 64) {
        const float4 v = in[i];
        sum.x += v.x, sum.y += v.y, sum.z += v.z, sum.w += v.w;
    }
    part[threadIdx.x] = (sum.x + sum.y) + (sum.z + sum.w);
    for (int stride = 32; stride; stride >>= 1) {
        __syncthreads();
        if (threadIdx.x < stride)
            part[threadIdx.x] += part[threadIdx.x + stride];
    }
    if (threadIdx.x == 0)
        *out = part[0];
}

int main()
{
    for (int n : {1, 4, 4099}) {
        std::vector<int> values = random_ints(n, 1 << 28, n);
        int *in = to_device(values), *out = device_alloc<int>(n);
        copy_by_int4<<<3, 128>>>(in, out, n);
        CUDA_CHECK(cudaGetLastError());
        expect_equal("copy by int4", from_device(out, n), values);
        CUDA_CHECK(cudaFree(in));
        CUDA_CHECK(cudaFree(out));
    }

    const int n = 4096;
    std::vector<float> x = random_floats(n, 1), y = random_floats(n, 2), want(n);
    float *dx = to_device(x), *dy = to_device(y), *sum = device_alloc<float>(1);
    saxpy4<<<blocks_for(n / 4, 128), 128>>>(1.7f, (const float4 *)dx, (float4 *)dy, n / 4);
    CUDA_CHECK(cudaGetLastError());
    for (int i = 0; i < n; i++)
        want[i] = 1.7f * x[i] + y[i];
    expect_equal("saxpy by float4", from_device(dy, n), want);

    sum_by_float4<<<1, 64>>>((float4 *)dy, n / 4, sum);
    CUDA_CHECK(cudaGetLastError());
    float part[64];
    for (int t = 0; t < 64; t++) {
        float lanes[4] = {0.0f, 0.0f, 0.0f, 0.0f};
        for (int i = t; i < n / 4; i += 64)
            for (int k = 0; k < 4; k++)
                lanes[k] += want[4 * i + k];
        part[t] = (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]);
    }
    for (int stride = 32; stride; stride /= 2)
        for (int t = 0; t < stride; t++)
            part[t] += part[t + stride];
    expect_float("sum by float4", from_device(sum, 1)[0], part[0]);

    std::vector<double> b(n), product(n);
    for (int i = 0; i < n; i++)
        b[i] = y[i] / 3.0;
    for (int i = 0; i < n / 2; i++) {
        double re = x[2 * i], im = x[2 * i + 1];
        product[2 * i] = re * b[2 * i] - im * b[2 * i + 1];
        product[2 * i + 1] = re * b[2 * i + 1] + im * b[2 * i];
    }
    double *db = to_device(b), *dc = device_alloc<double>(n);
    complex_multiply<<<blocks_for(n / 2, 256), 256>>>((const float2 *)dx, (const double2 *)db, (double2 *)dc, n / 2);
    CUDA_CHECK(cudaGetLastError());
    expect_equal("complex products", from_device(dc, n), product);

    std::vector<unsigned> packed = random_keys(n, 0, 6);
    std::vector<unsigned char> gray(n);
    for (int i = 0; i < n; i++)
        gray[i] = (unsigned char)(((packed[i] & 255) * 77 + (packed[i] >> 8 & 255) * 151 + (packed[i] >> 16 & 255) * 28) >> 8);
    unsigned *dp = to_device(packed);
    unsigned char *dg = device_alloc<unsigned char>(n);
    luma<<<blocks_for(n, 64), 64>>>((const uchar4 *)dp, dg, n);
    CUDA_CHECK(cudaGetLastError());
    expect_equal("luma", from_device(dg, n), gray);

    std::vector<short> shorts(256);
    std::vector<float> rotated(192);
    std::vector<unsigned long long> wide(128);
    for (int i = 0; i < 256; i++)
        shorts[i] = (short)packed[i];
    for (int i = 0; i < 64; i++) {
        const int from = (i + 1) % 64 * 3;
        rotated[3 * i] = x[from + 2];
        rotated[3 * i + 1] = x[from];
        rotated[3 * i + 2] = x[from + 1];
        const short *s = &shorts[4 * (63 - i)];
        wide[2 * i] = (unsigned long long)(s[0] * s[1] + 100000000);
        wide[2 * i + 1] = (unsigned short)s[3];
    }
    short *ds = to_device(shorts);
    float *dr = device_alloc<float>(192);
    unsigned long long *dw = device_alloc<unsigned long long>(128);
    rotate_components<<<1, 64>>>((const float3 *)dx, (float3 *)dr, (const short4 *)ds, (ulonglong2 *)dw);
    CUDA_CHECK(cudaGetLastError());
    expect_equal("float3 rotated", from_device(dr, 192), rotated);
    expect_equal("short4 to ulonglong2", from_device(dw, 128), wide);
    printf("sizes %zu %zu %zu %zu, alignments %zu %zu %zu\n", sizeof(float3), sizeof(float4), sizeof(uchar4), sizeof(double2),
           alignof(float3), alignof(float4), alignof(short4));
    return program_end();
}
