/* Matrix transposes with 2-D blocks: naive, through a shared tile, and through a padded one; any shape, several
 * rows a thread, a batch in the third dimension of the grid, and in-place for squares. */
#include "program.h"

#include <algorithm>

#define TILE_DIM 32
#define BLOCK_ROWS 8

template <typename T> __global__ void transpose_naive(T *out, const T *in, int width, int height)
{
    int x = blockIdx.x * TILE_DIM + threadIdx.x, y = blockIdx.y * TILE_DIM + threadIdx.y;
    for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
        if (x < width && y + j < height)
            out[x * height + y + j] = in[(y + j) * width + x];
}

template <typename T, int PAD> __global__ void transpose_tiled(T *out, const T *in, int width, int height)
{
    __shared__ T tile[TILE_DIM][TILE_DIM + PAD];
    const size_t matrix = (size_t)blockIdx.z * width * height;
    int x = blockIdx.x * TILE_DIM + threadIdx.x, y = blockIdx.y * TILE_DIM + threadIdx.y;

    for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
        if (x < width && y + j < height)
            tile[threadIdx.y + j][threadIdx.x] = in[matrix + (size_t)(y + j) * width + x];
    __syncthreads();
    x = blockIdx.y * TILE_DIM + threadIdx.x;
    y = blockIdx.x * TILE_DIM + threadIdx.y;
    for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
        if (x < height && y + j < width)
            out[matrix + (size_t)(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];
}

/* Blocks above the diagonal swap two tiles; those on it transpose one. side is a multiple of 16. */
__global__ void transpose_in_place(float *square, int side)
{
    __shared__ float upper[16][17], lower[16][17];
    const unsigned bx = blockIdx.x, by = blockIdx.y, tx = threadIdx.x, ty = threadIdx.y;
    if (bx < by)
        return;
    float *here = square + (by * 16 + ty) * side + bx * 16 + tx;
    float *there = square + (bx * 16 + ty) * side + by * 16 + tx;
    upper[ty][tx] = *here;
    if (bx != by)
        lower[ty][tx] = *there;
    __syncthreads();
    *there = upper[tx][ty];
    if (bx != by)
        *here = lower[tx][ty];
}

template <typename T> void run(const char *name, int width, int height, int batch)
{
    const size_t count = (size_t)width * height, n = count * batch;
    std::vector<unsigned> keys = random_keys(n, 0, (uint32_t)n);
    std::vector<T> values(n), want(n);
    for (size_t i = 0; i < n; i++)
        values[i] = (T)keys[i];
    for (int b = 0; b < batch; b++)
        for (int y = 0; y < height; y++)
            for (int x = 0; x < width; x++)
                want[b * count + (size_t)x * height + y] = values[b * count + (size_t)y * width + x];

    T *in = to_device(values), *out = device_alloc<T>(n);
    dim3 block(TILE_DIM, BLOCK_ROWS), grid((width + TILE_DIM - 1) / TILE_DIM, (height + TILE_DIM - 1) / TILE_DIM, batch);
    printf("%s, %d x %d x %d\n", name, width, height, batch);
    if (batch == 1) {
        transpose_naive<<<grid, block>>>(out, in, width, height);
        CUDA_CHECK(cudaGetLastError());
        expect_equal("naive", from_device(out, n), want);
    }
    CUDA_CHECK(cudaMemset(out, 0, n * sizeof(T)));
    transpose_tiled<T, 0><<<grid, block>>>(out, in, width, height);
    CUDA_CHECK(cudaGetLastError());
    expect_equal("tiled", from_device(out, n), want);
    CUDA_CHECK(cudaMemset(out, 0, n * sizeof(T)));
    transpose_tiled<T, 1><<<grid, block>>>(out, in, width, height);
    CUDA_CHECK(cudaGetLastError());
    expect_equal("padded", from_device(out, n), want);
    CUDA_CHECK(cudaFree(in));
    CUDA_CHECK(cudaFree(out));
}

int main()
{
    run<float>("float", 32, 32, 1);
    run<float>("float", 100, 37, 1);
    run<unsigned char>("unsigned char", 65, 64, 1);
    run<double>("double", 40, 33, 2);
    run<unsigned short>("unsigned short", 33, 1, 3);

    const int side = 80;
    std::vector<float> square = random_floats(side * side, 1), want(side * side);
    for (int y = 0; y < side; y++)
        for (int x = 0; x < side; x++)
            want[x * side + y] = square[y * side + x];
    float *data = to_device(square);
    transpose_in_place<<<dim3(side / 16, side / 16), dim3(16, 16)>>>(data, side);
    CUDA_CHECK(cudaGetLastError());
    expect_equal("in place", from_device(data, side * side), want);
    return program_end();
}
