/* Linear recurrences by scans of affine maps: x[i] = a[i] * x[i-1] + b[i]; and of second order by 2 x 2 matrices
 * modulo a prime. Warp, block and grid levels are one template over a monoid class. */
#include "program.h"

struct Affine {
    unsigned a, b;                                              /* x -> a x + b, modulo 2^32 */
    static __host__ __device__ Affine identity() { return Affine{1u, 0u}; }
    friend __host__ __device__ Affine operator+(Affine first, Affine second)
    {
        return Affine{first.a * second.a, first.b * second.a + second.b};
    }
};

struct Matrix2 {
    unsigned m[4];
    static constexpr unsigned PRIME = 65521;
    static __host__ __device__ Matrix2 identity() { return Matrix2{{1, 0, 0, 1}}; }
    friend __host__ __device__ Matrix2 operator+(const Matrix2 &first, const Matrix2 &second)
    {
        Matrix2 both;
        for (int r = 0; r < 2; r++)
            for (int c = 0; c < 2; c++)
                both.m[2 * r + c] = (second.m[2 * r] * first.m[c] % PRIME + second.m[2 * r + 1] * first.m[2 + c] % PRIME) % PRIME;
        return both;
    }
};

template <class M> __device__ M shuffle_up(M value, int offset)
{
    static_assert(sizeof(M) % sizeof(unsigned) == 0, "whole words");
    union {
        M monoid;
        unsigned words[sizeof(M) / sizeof(unsigned)];
    } box = {value};
#pragma unroll
    for (unsigned w = 0; w < sizeof(M) / sizeof(unsigned); w++)
        box.words[w] = __shfl_up_sync(0xffffffffu, box.words[w], offset);
    return box.monoid;
}

template <class M, int WARPS> __global__ void scan_tiles(const M *in, M *out, M *tile_sums, int n)
{
    __shared__ M of_warps[WARPS];
    const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5, i = blockIdx.x * (WARPS * 32) + threadIdx.x;
    M value = i < n ? in[i] : M::identity();

    for (int offset = 1; offset < 32; offset <<= 1) {
        M left = shuffle_up(value, offset);
        if (lane >= offset)
            value = left + value;
    }
    if (lane == 31)
        of_warps[warp] = value;
    __syncthreads();
    M before = M::identity();
    for (int w = 0; w < warp; w++)
        before = before + of_warps[w];
    value = before + value;
    if (i < n)
        out[i] = value;
    if (threadIdx.x == WARPS * 32 - 1)
        tile_sums[blockIdx.x] = value;
}

template <class M, int WARPS> __global__ void add_before(M *out, const M *tile_sums, int n)
{
    const int i = blockIdx.x * (WARPS * 32) + threadIdx.x;
    if (blockIdx.x > 0 && i < n)
        out[i] = tile_sums[blockIdx.x - 1] + out[i];
}

template <class M> void scan(const M *in, M *out, int n)
{
    constexpr int WARPS = 4;
    const int tiles = (n + WARPS * 32 - 1) / (WARPS * 32);
    M *tile_sums = device_alloc<M>(tiles);

    scan_tiles<M, WARPS><<<tiles, WARPS * 32>>>(in, out, tile_sums, n);
    if (tiles > 1) {
        scan(tile_sums, tile_sums, tiles);
        add_before<M, WARPS><<<tiles, WARPS * 32>>>(out, tile_sums, n);
    }
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaFree(tile_sums));
}

int main()
{
    for (int n : {1, 128, 129, 3000, 20000}) {
        std::vector<unsigned> keys = random_keys(2 * n, 0, n);
        std::vector<Affine> maps(n);
        std::vector<unsigned> x_want(n), x_got(n);
        unsigned x = 0;
        for (int i = 0; i < n; i++) {
            maps[i] = Affine{keys[2 * i], keys[2 * i + 1]};
            x_want[i] = x = maps[i].a * x + maps[i].b;
        }
        Affine *in = to_device(maps);
        scan(in, in, n);
        maps = from_device(in, n);
        for (int i = 0; i < n; i++)
            x_got[i] = maps[i].b;
        expect_equal("first order", x_got, x_want);

        /* f[i] = p f[i-1] + q f[i-2] with f[-1] = 1, f[-2] = 0; p = q = 1 are Fibonacci's numbers. */
        std::vector<Matrix2> matrices(n);
        unsigned f1 = 1, f2 = 0;
        for (int i = 0; i < n; i++) {
            unsigned p = n < 1000 ? 1 : keys[i] % 50, q = n < 1000 ? 1 : keys[n + i] % 50;
            matrices[i] = Matrix2{{p, q, 1, 0}};
            unsigned f = (p * f1 + q * f2) % Matrix2::PRIME;
            f2 = f1;
            x_want[i] = f1 = f;
        }
        Matrix2 *steps = to_device(matrices), *products = device_alloc<Matrix2>(n);
        scan(steps, products, n);
        matrices = from_device(products, n);
        for (int i = 0; i < n; i++)
            x_got[i] = matrices[i].m[0];
        expect_equal("second order", x_got, x_want);
        printf("f[%d] = %u\n", n - 1, x_got[n - 1]);
        CUDA_CHECK(cudaFree(in));
        CUDA_CHECK(cudaFree(steps));
        CUDA_CHECK(cudaFree(products));
    }
    return program_end();
}
