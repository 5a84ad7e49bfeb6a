/* Sparse matrix times vector: a thread a row, a warp a row, and a segmented reduction over the non-zeros in
 * coordinate form, with a carry of each tile's first and last row. Float sums in a stated order. */
#include "program.h"

#define WARP 32
#define COO_BLOCK 64

struct CsrMatrix {
    int rows;
    const int *offsets, *columns;
    const float *values;
};

/* The struct is passed by value as a kernel argument. */
__global__ void thread_per_row(const CsrMatrix a, const float *__restrict__ x, float *__restrict__ y)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < a.rows) {
        float sum = 0.0f;
        for (int k = a.offsets[row]; k < a.offsets[row + 1]; k++)
            sum += a.values[k] * x[a.columns[k]];
        y[row] = sum;
    }
}

__global__ void warp_per_row(CsrMatrix a, const float *x, float *y)
{
    const int row = (blockIdx.x * blockDim.x + threadIdx.x) / WARP, lane = threadIdx.x % WARP;
    if (row >= a.rows)
        return;                                                 /* the whole warp */
    float sum = 0.0f;
    for (int k = a.offsets[row] + lane; k < a.offsets[row + 1]; k += WARP)
        sum += __ldg(&a.values[k]) * __ldg(&x[a.columns[k]]);
    for (int offset = WARP / 2; offset > 0; offset /= 2)
        sum += __shfl_down_sync(0xffffffffu, sum, offset);
    if (lane == 0)
        y[row] = sum;
}

/* Integers, so that the atomics that combine tiles give the same sum in any order. */
__global__ void segmented_products(const int *rows, const int *columns, const int *values, int count, const int *x,
                                   int *y)
{
    __shared__ int row_of[COO_BLOCK + 2];
    __shared__ int sums[COO_BLOCK];
    const int t = threadIdx.x, k = blockIdx.x * COO_BLOCK + t;

    if (t == 0)
        row_of[0] = row_of[COO_BLOCK + 1] = -1;
    const int row = k < count ? rows[k] : -1;
    int sum = k < count ? values[k] * x[columns[k]] : 0;
    row_of[t + 1] = row;
    sums[t] = sum;
    for (int stride = 1; stride < COO_BLOCK; stride *= 2) {
        __syncthreads();
        int left = t >= stride && row_of[t + 1 - stride] == row ? sums[t - stride] : 0;
        __syncthreads();
        sums[t] = sum += left;
    }
    if (k < count && row != row_of[t + 2])                      /* the last of its row in this tile */
        atomicAdd(&y[row], sum);
}

int main()
{
    const int rows = 333, columns = 200;
    std::vector<int> offsets(1, 0), column_of, row_of;
    std::vector<float> values;
    std::vector<unsigned> dice = random_keys(rows * 40, 0, 8);
    size_t next = 0;
    for (int row = 0; row < rows; row++) {
        int length = row % 50 == 7 ? 150 : (int)(dice[next++] % 13);
        for (int k = 0; k < length; k++) {
            column_of.push_back(k * columns / (length > 0 ? length : 1));
            row_of.push_back(row);
            values.push_back((float)(int)(dice[next++ % dice.size()] % 2001) / 1000.0f - 1.0f);
        }
        offsets.push_back((int)column_of.size());
    }
    std::vector<float> x = random_floats(columns, 9), want(rows);
    const int count = (int)values.size();
    printf("%d rows, %d non-zeros\n", rows, count);

    int *d_offsets = to_device(offsets), *d_columns = to_device(column_of), *d_rows = to_device(row_of);
    float *d_values = to_device(values), *d_x = to_device(x), *d_y = device_alloc<float>(rows);
    CsrMatrix a = {rows, d_offsets, d_columns, d_values};

    thread_per_row<<<blocks_for(rows, 64), 64>>>(a, d_x, d_y);
    CUDA_CHECK(cudaGetLastError());
    for (int row = 0; row < rows; row++) {
        want[row] = 0.0f;
        for (int k = offsets[row]; k < offsets[row + 1]; k++)
            want[row] += values[k] * x[column_of[k]];
    }
    expect_equal("a thread a row", from_device(d_y, rows), want);

    CUDA_CHECK(cudaMemset(d_y, 0, rows * sizeof(float)));
    warp_per_row<<<blocks_for(rows, 4), 4 * WARP>>>(a, d_x, d_y);
    CUDA_CHECK(cudaGetLastError());
    for (int row = 0; row < rows; row++) {
        float lanes[WARP] = {0.0f};
        for (int k = offsets[row]; k < offsets[row + 1]; k++)
            lanes[(k - offsets[row]) % WARP] += values[k] * x[column_of[k]];
        for (int offset = WARP / 2; offset > 0; offset /= 2)
            for (int lane = 0; lane < offset; lane++)
                lanes[lane] += lanes[lane + offset];
        want[row] = lanes[0];
    }
    expect_equal("a warp a row", from_device(d_y, rows), want);

    std::vector<int> weights = random_ints(count, 1000, 10), xi = random_ints(columns, 1000, 11), y_want(rows, 0);
    for (int k = 0; k < count; k++)
        y_want[row_of[k]] += weights[k] * xi[column_of[k]];
    int *d_weights = to_device(weights), *d_xi = to_device(xi), *d_yi = device_alloc<int>(rows);
    CUDA_CHECK(cudaMemset(d_yi, 0, rows * sizeof(int)));
    segmented_products<<<blocks_for(count, COO_BLOCK), COO_BLOCK>>>(d_rows, d_columns, d_weights, count, d_xi, d_yi);
    CUDA_CHECK(cudaGetLastError());
    expect_equal("segmented reduction", from_device(d_yi, rows), y_want);
    return program_end();
}
