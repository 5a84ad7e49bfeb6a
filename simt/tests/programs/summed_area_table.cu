/* Summed-area table of an image: rows by a block scan, columns by one thread each, and a box filter that reads four
 * samples per pixel; pitched memory, 2-D copies. */
#include "program.h"

#define ROW_THREADS 64

__global__ void scan_rows(const unsigned char *image, size_t image_pitch, unsigned *table, size_t table_pitch, int width)
{
    __shared__ unsigned sums[2][ROW_THREADS];
    const unsigned char *in = image + blockIdx.y * image_pitch;
    unsigned *out = (unsigned *)((char *)table + blockIdx.y * table_pitch);
    unsigned carry = 0;
    const int t = threadIdx.x;

    for (int first = 0; first < width; first += ROW_THREADS) {
        int from = 0;
        sums[0][t] = first + t < width ? in[first + t] : 0u;
        __syncthreads();
        for (int stride = 1; stride < ROW_THREADS; stride *= 2, from ^= 1) {
            sums[from ^ 1][t] = sums[from][t] + (t >= stride ? sums[from][t - stride] : 0u);
            __syncthreads();
        }
        if (first + t < width)
            out[first + t] = carry + sums[from][t];
        carry += sums[from][ROW_THREADS - 1];
        __syncthreads();
    }
}

__global__ void scan_columns(unsigned *table, size_t pitch, int width, int height)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned sum = 0;
    if (x < width)
        for (int y = 0; y < height; y++) {
            unsigned *cell = (unsigned *)((char *)table + y * pitch) + x;
            *cell = sum += *cell;
        }
}

__device__ unsigned sample(const unsigned *table, size_t pitch, int x, int y)
{
    return x < 0 || y < 0 ? 0u : ((const unsigned *)((const char *)table + y * pitch))[x];
}

/* The mean over the pixels of the box that are in the image. */
__global__ void box_filter(const unsigned *table, size_t pitch, int width, int height, int radius, float *out)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    const int left = max(x - radius, 0) - 1, right = min(x + radius, width - 1);
    const int top = max(y - radius, 0) - 1, bottom = min(y + radius, height - 1);
    unsigned sum = sample(table, pitch, right, bottom) - sample(table, pitch, left, bottom) -
                   sample(table, pitch, right, top) + sample(table, pitch, left, top);
    out[y * width + x] = (float)sum / (float)((right - left) * (bottom - top));
}

int main()
{
    const int width = 150, height = 61;
    std::vector<unsigned> keys = random_keys(width * height, 256, 3);
    std::vector<unsigned char> image(keys.begin(), keys.end());
    std::vector<unsigned> want(width * height), got(width * height);

    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            unsigned left = x > 0 ? want[y * width + x - 1] : 0, up = y > 0 ? want[(y - 1) * width + x] : 0;
            unsigned both = x > 0 && y > 0 ? want[(y - 1) * width + x - 1] : 0;
            want[y * width + x] = image[y * width + x] + left + up - both;
        }

    unsigned char *pixels;
    unsigned *table;
    size_t pixel_pitch, table_pitch;
    CUDA_CHECK(cudaMallocPitch(&pixels, &pixel_pitch, width, height));
    CUDA_CHECK(cudaMallocPitch(&table, &table_pitch, width * sizeof(unsigned), height));
    expect_true("pitches hold a row", pixel_pitch >= (size_t)width && table_pitch >= width * sizeof(unsigned));
    CUDA_CHECK(cudaMemset2D(pixels, pixel_pitch, 0, width, height));
    CUDA_CHECK(cudaMemcpy2D(pixels, pixel_pitch, image.data(), width, width, height, cudaMemcpyHostToDevice));

    scan_rows<<<dim3(1, height), ROW_THREADS>>>(pixels, pixel_pitch, table, table_pitch, width);
    scan_columns<<<(width + 63) / 64, 64>>>(table, table_pitch, width, height);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaMemcpy2D(got.data(), width * sizeof(unsigned), table, table_pitch, width * sizeof(unsigned), height,
                            cudaMemcpyDeviceToHost));
    expect_equal("summed-area table", got, want);
    printf("sum of all pixels %u\n", got[width * height - 1]);

    float *blurred = device_alloc<float>(width * height);
    const dim3 block(16, 16), grid((width + 15) / 16, (height + 15) / 16);
    for (int radius : {0, 1, 5, 200}) {
        box_filter<<<grid, block>>>(table, table_pitch, width, height, radius, blurred);
        CUDA_CHECK(cudaGetLastError());
        std::vector<float> blur_want(width * height);
        for (int y = 0; y < height; y++)
            for (int x = 0; x < width; x++) {
                unsigned sum = 0, count = 0;
                for (int v = y - radius < 0 ? 0 : y - radius; v <= y + radius && v < height; v++) {
                    int first = x - radius < 0 ? 0 : x - radius, last = x + radius < width ? x + radius : width - 1;
                    if (radius == 200) {                        /* the whole image: from the last row's sums */
                        sum = want[width * height - 1];
                        count = (unsigned)(width * height);
                        break;
                    }
                    for (int u = first; u <= last; u++, count++)
                        sum += image[v * width + u];
                }
                blur_want[y * width + x] = (float)sum / (float)count;
            }
        char name[32];
        snprintf(name, sizeof name, "box of radius %d", radius);
        expect_equal(name, from_device(blurred, width * height), blur_want);
    }
    CUDA_CHECK(cudaFree(pixels));
    CUDA_CHECK(cudaFree(table));
    CUDA_CHECK(cudaFree(blurred));
    return program_end();
}
