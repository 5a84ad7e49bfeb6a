/* Matrix product by shared tiles, sums of rows and columns, and an outer product; 2-D static shared arrays, a
 * tile size as template argument, edges by zero padding. */
#include "program.h"

struct Matrix {
    int rows, columns;
    float *elements;
    __device__ float get(int row, int column) const
    {
        return row < rows && column < columns ? elements[row * columns + column] : 0.0f;
    }
};

template <int SIDE> __global__ void multiply(const Matrix a, const Matrix b, Matrix c)
{
    __shared__ float a_tile[SIDE][SIDE];
    __shared__ float b_tile[SIDE][SIDE + 1];
    const int row = blockIdx.y * SIDE + threadIdx.y, column = blockIdx.x * SIDE + threadIdx.x;
    float sum = 0.0f;

    for (int first = 0; first < a.columns; first += SIDE) {
        a_tile[threadIdx.y][threadIdx.x] = a.get(row, first + threadIdx.x);
        b_tile[threadIdx.y][threadIdx.x] = b.get(first + threadIdx.y, column);
        __syncthreads();
#pragma unroll
        for (int k = 0; k < SIDE; ++k)
            sum += a_tile[threadIdx.y][k] * b_tile[k][threadIdx.x];
        __syncthreads();
    }
    if (row < c.rows && column < c.columns)
        c.elements[row * c.columns + column] = sum;
}

/* A block of 32 x 8 threads sums 32 columns: each row of threads strides down, then a tree over threadIdx.y adds up. */
__global__ void sum_columns(const float *in, float *out, int rows, int columns)
{
    __shared__ float part[8][33];
    const int column = blockIdx.x * 32 + threadIdx.x;
    float sum = 0.0f;

    if (column < columns)
        for (int row = threadIdx.y; row < rows; row += 8)
            sum += in[row * columns + column];
    part[threadIdx.y][threadIdx.x] = sum;
    __syncthreads();
    for (int half = 4; half > 0; half /= 2) {
        if ((int)threadIdx.y < half)
            part[threadIdx.y][threadIdx.x] += part[threadIdx.y + half][threadIdx.x];
        __syncthreads();
    }
    if (threadIdx.y == 0 && column < columns)
        out[column] = part[0][threadIdx.x];
}

/* One warp for each row: threadIdx.y chooses the row, so a warp is one row of the block. */
__global__ void sum_rows(const float *in, float *out, int rows, int columns)
{
    const int row = blockIdx.x * blockDim.y + threadIdx.y;
    float sum = 0.0f;

    if (row < rows)
        for (int column = threadIdx.x; column < columns; column += 32)
            sum += in[row * columns + column];
    for (int mask = 16; mask > 0; mask >>= 1)
        sum += __shfl_xor_sync(0xffffffffu, sum, mask);
    if (threadIdx.x == 0 && row < rows)
        out[row] = sum;
}

static void check_product(int m, int k, int n)
{
    std::vector<float> a = random_floats(m * k, 1), b = random_floats(k * n, 2), want(m * n, 0.0f);
    Matrix da = {m, k, to_device(a)}, db = {k, n, to_device(b)}, dc = {m, n, device_alloc<float>(m * n)};

    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            for (int x = 0; x < k; x++)
                want[i * n + j] += a[i * k + x] * b[x * n + j];
    printf("%d x %d by %d x %d\n", m, k, k, n);
    multiply<16><<<dim3((n + 15) / 16, (m + 15) / 16), dim3(16, 16)>>>(da, db, dc);
    CUDA_CHECK(cudaGetLastError());
    expect_equal("tiles of 16", from_device(dc.elements, m * n), want);
    multiply<8><<<dim3((n + 7) / 8, (m + 7) / 8), dim3(8, 8)>>>(da, db, dc);
    CUDA_CHECK(cudaGetLastError());
    expect_equal("tiles of 8", from_device(dc.elements, m * n), want);
    CUDA_CHECK(cudaFree(da.elements));
    CUDA_CHECK(cudaFree(db.elements));
    CUDA_CHECK(cudaFree(dc.elements));
}

int main()
{
    check_product(16, 16, 16);
    check_product(33, 20, 17);
    check_product(1, 50, 40);

    const int rows = 45, columns = 70;
    std::vector<float> in = random_floats(rows * columns, 3), of_columns(columns), of_rows(rows);
    float *data = to_device(in), *out = device_alloc<float>(columns);
    for (int c = 0; c < columns; c++) {
        float part[8] = {0.0f};
        for (int r = 0; r < rows; r++)
            part[r % 8] += in[r * columns + c];
        for (int half = 4; half > 0; half /= 2)
            for (int y = 0; y < half; y++)
                part[y] += part[y + half];
        of_columns[c] = part[0];
    }
    sum_columns<<<(columns + 31) / 32, dim3(32, 8)>>>(data, out, rows, columns);
    CUDA_CHECK(cudaGetLastError());
    expect_equal("sums of columns", from_device(out, columns), of_columns);

    for (int r = 0; r < rows; r++) {
        float lanes[32] = {0.0f};
        for (int c = 0; c < columns; c++)
            lanes[c % 32] += in[r * columns + c];
        for (int mask = 16; mask > 0; mask /= 2)
            for (int lane = 0; lane < mask; lane++)
                lanes[lane] += lanes[lane + mask];
        of_rows[r] = lanes[0];
    }
    sum_rows<<<(rows + 3) / 4, dim3(32, 4)>>>(data, out, rows, columns);
    CUDA_CHECK(cudaGetLastError());
    expect_equal("sums of rows", from_device(out, rows), of_rows);
    return program_end();
}
