/* Histograms: atomics on global memory, a copy a block in shared memory, a copy a warp, bytes unpacked from
 * words, and 2-D blocks over an image; then equalisation by a scan of the histogram. */
#include "program.h"

#define BINS 256
#define WARPS 4

__global__ void histogram_global(const unsigned char *data, size_t n, unsigned *bins)
{
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    const size_t stride = (size_t)gridDim.x * blockDim.x;

    for (; i < n; i += stride)
        atomicAdd(bins + data[i], 1u);
}

__global__ void histogram_shared(const unsigned char *data, size_t n, unsigned *bins)
{
    __shared__ unsigned mine[BINS];

    for (unsigned b = threadIdx.x; b < BINS; b += blockDim.x)
        mine[b] = 0;
    __syncthreads();
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x)
        atomicAdd(&mine[data[i]], 1);
    __syncthreads();
    for (unsigned b = threadIdx.x; b < BINS; b += blockDim.x)
        if (mine[b] != 0)
            atomicAdd(&bins[b], mine[b]);
}

/* 4-byte words, four bins each; each warp has a histogram, and all are merged at the end. */
__global__ void histogram_warps(const unsigned *words, unsigned count, unsigned *partials)
{
    __shared__ unsigned bins[WARPS][BINS];
    unsigned *mine = bins[threadIdx.x / 32];

    for (unsigned b = threadIdx.x & 31; b < BINS; b += 32)
        mine[b] = 0;
    __syncwarp();
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += blockDim.x * gridDim.x) {
        unsigned word = words[i];
        atomicAdd(mine + (word & 0xffu), 1u);
        atomicAdd(mine + (word >> 8 & 0xffu), 1u);
        atomicAdd(mine + (word >> 16 & 0xffu), 1u);
        atomicAdd(mine + (word >> 24), 1u);
    }
    __syncthreads();
    for (unsigned b = threadIdx.x; b < BINS; b += blockDim.x) {
        unsigned sum = 0;
        for (int w = 0; w < WARPS; w++)
            sum += bins[w][b];
        partials[blockIdx.x * BINS + b] = sum;
    }
}

__global__ void merge(const unsigned *partials, unsigned blocks, unsigned *bins)
{
    unsigned sum = 0;
    for (unsigned b = threadIdx.x; b < blocks; b += blockDim.x)
        sum += partials[b * BINS + blockIdx.x];
    for (int offset = 16; offset > 0; offset >>= 1)
        sum += __shfl_xor_sync(0xffffffffu, sum, offset);
    if (threadIdx.x == 0)
        bins[blockIdx.x] = sum;
}

/* Inclusive scan of 256 bins in place; then each pixel gets its share of 255. */
__global__ void scan_bins(const unsigned *bins, unsigned *cumulative)
{
    __shared__ unsigned sums[BINS];
    const unsigned t = threadIdx.x;

    sums[t] = bins[t];
    for (unsigned stride = 1; stride < BINS; stride *= 2) {
        __syncthreads();
        unsigned left = t >= stride ? sums[t - stride] : 0;
        __syncthreads();
        sums[t] += left;
    }
    cumulative[t] = sums[t];
}

__global__ void equalize(unsigned char *image, int width, int height, const unsigned *cumulative)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    unsigned char *pixel = &image[y * width + x];
    *pixel = (unsigned char)(cumulative[*pixel] * 255u / (unsigned)(width * height));
}

int main()
{
    const int width = 200, height = 77, n = width * height;
    std::vector<unsigned> noise = random_keys(n, 90, 11);
    std::vector<unsigned char> image(n);
    for (int i = 0; i < n; i++)
        image[i] = (unsigned char)(40 + noise[i] * noise[i] / 50);

    std::vector<unsigned> want(BINS, 0), zeros(BINS, 0);
    for (unsigned char pixel : image)
        want[pixel]++;

    unsigned char *pixels = to_device(image);
    unsigned *bins = to_device(zeros);
    histogram_global<<<5, 100>>>(pixels, (size_t)n, bins);
    CUDA_CHECK(cudaGetLastError());
    expect_equal("global atomics", from_device(bins, BINS), want);

    CUDA_CHECK(cudaMemset(bins, 0, BINS * sizeof *bins));
    histogram_shared<<<7, 128>>>(pixels, (size_t)n, bins);
    CUDA_CHECK(cudaGetLastError());
    expect_equal("a copy a block", from_device(bins, BINS), want);

    const unsigned blocks = 6;
    unsigned *partials = device_alloc<unsigned>(blocks * BINS);
    histogram_warps<<<blocks, WARPS * 32>>>((const unsigned *)pixels, n / 4, partials);
    merge<<<BINS, 32>>>(partials, blocks, bins);
    CUDA_CHECK(cudaGetLastError());
    expect_equal("a copy a warp", from_device(bins, BINS), want);

    unsigned *cumulative = device_alloc<unsigned>(BINS);
    scan_bins<<<1, BINS>>>(bins, cumulative);
    dim3 block(32, 8), grid((width + 31) / 32, (height + 7) / 8);
    equalize<<<grid, block>>>(pixels, width, height, cumulative);
    CUDA_CHECK(cudaGetLastError());
    std::vector<unsigned> sums = want;
    for (int b = 1; b < BINS; b++)
        sums[b] += sums[b - 1];
    std::vector<unsigned char> equalized(n);
    for (int i = 0; i < n; i++)
        equalized[i] = (unsigned char)(sums[image[i]] * 255u / (unsigned)n);
    expect_equal("scanned bins", from_device(cumulative, BINS), sums);
    expect_equal("equalized image", from_device(pixels, n), equalized);
    return program_end();
}
