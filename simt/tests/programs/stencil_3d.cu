/* Three dimensions: 3-D blocks and grids, a halo in shared memory, coefficients in constant memory set and read by
 * symbol, a struct in constant memory, and a tridiagonal sweep that alternates between two volumes. */
#include "program.h"

#include <utility>

#define RADIUS 1
#define BX 8
#define BY 4
#define BZ 4

struct Extent {
    int x, y, z;
};

__constant__ float weight[2 * RADIUS + 1] = {0.25f, 0.5f, 0.25f};
__constant__ Extent extent;
__device__ unsigned visits[3];
static __device__ __constant__ const char axis_names[] = "xyz";

__device__ __forceinline__ int cell(int x, int y, int z)
{
    return (z * extent.y + y) * extent.x + x;
}

__global__ void seven_points(const float *in, float *out)
{
    __shared__ float halo[BZ + 2 * RADIUS][BY + 2 * RADIUS][BX + 2 * RADIUS];
    const int x = blockIdx.x * BX + threadIdx.x, y = blockIdx.y * BY + threadIdx.y, z = blockIdx.z * BZ + threadIdx.z;
    const int flat = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    const int width = BX + 2 * RADIUS, height = BY + 2 * RADIUS, depth = BZ + 2 * RADIUS;

    for (int k = flat; k < width * height * depth; k += BX * BY * BZ) {
        int hx = k % width, hy = k / width % height, hz = k / (width * height);
        int gx = (int)(blockIdx.x * BX) + hx - RADIUS, gy = (int)(blockIdx.y * BY) + hy - RADIUS;
        int gz = (int)(blockIdx.z * BZ) + hz - RADIUS;
        bool inside = gx >= 0 && gy >= 0 && gz >= 0 && gx < extent.x && gy < extent.y && gz < extent.z;
        halo[hz][hy][hx] = inside ? in[cell(gx, gy, gz)] : 0.0f;
    }
    __syncthreads();
    if (x >= extent.x || y >= extent.y || z >= extent.z)
        return;
    const int hx = threadIdx.x + RADIUS, hy = threadIdx.y + RADIUS, hz = threadIdx.z + RADIUS;
    float along_x = 0.0f, along_y = 0.0f, along_z = 0.0f;
    for (int d = -RADIUS; d <= RADIUS; d++) {
        along_x += weight[d + RADIUS] * halo[hz][hy][hx + d];
        along_y += weight[d + RADIUS] * halo[hz][hy + d][hx];
        along_z += weight[d + RADIUS] * halo[hz + d][hy][hx];
    }
    out[cell(x, y, z)] = (along_x + along_y + along_z) / 3.0f;
}

__global__ void count_visits()
{
    if (threadIdx.x == 0 && threadIdx.y == 0)
        atomicAdd(&visits[0], blockDim.z);
    if (blockIdx.z == 1 && threadIdx.z == 1)
        atomicAdd(&visits[1], gridDim.y * blockIdx.y + threadIdx.y);
    if (axis_names[2] == 'z')
        atomicMax(&visits[2], (blockIdx.x * 100 + blockIdx.y * 10 + blockIdx.z) * 1000 + threadIdx.x * 100 +
                                  threadIdx.y * 10 + threadIdx.z);
}

static std::vector<float> seven_points_on_cpu(const std::vector<float> &in, Extent e, const float *w)
{
    std::vector<float> out(in.size());
    auto at = [&](int x, int y, int z) {
        bool inside = x >= 0 && y >= 0 && z >= 0 && x < e.x && y < e.y && z < e.z;
        return inside ? in[(z * e.y + y) * e.x + x] : 0.0f;
    };
    for (int z = 0; z < e.z; z++)
        for (int y = 0; y < e.y; y++)
            for (int x = 0; x < e.x; x++) {
                float ax = 0.0f, ay = 0.0f, az = 0.0f;
                for (int d = -1; d <= 1; d++) {
                    ax += w[d + 1] * at(x + d, y, z);
                    ay += w[d + 1] * at(x, y + d, z);
                    az += w[d + 1] * at(x, y, z + d);
                }
                out[(z * e.y + y) * e.x + x] = (ax + ay + az) / 3.0f;
            }
    return out;
}

int main()
{
    const Extent sizes[] = {{8, 4, 4}, {13, 9, 6}, {20, 3, 11}};
    float weights[3];

    CUDA_CHECK(cudaMemcpyFromSymbol(weights, weight, sizeof weights));
    printf("initial weights %a %a %a\n", (double)weights[0], (double)weights[1], (double)weights[2]);
    for (const Extent &e : sizes) {
        const int n = e.x * e.y * e.z;
        std::vector<float> now = random_floats(n, n);
        float *in = to_device(now), *out = device_alloc<float>(n);
        CUDA_CHECK(cudaMemcpyToSymbol(extent, &e, sizeof e));
        const dim3 block(BX, BY, BZ), grid((e.x + BX - 1) / BX, (e.y + BY - 1) / BY, (e.z + BZ - 1) / BZ);

        for (int step = 0; step < 3; step++) {
            weights[0] = 0.125f * (float)step;
            weights[2] = 0.75f - weights[0];
            CUDA_CHECK(cudaMemcpyToSymbol(weight, weights, sizeof(float)));
            CUDA_CHECK(cudaMemcpyToSymbol(weight, &weights[2], sizeof(float), 2 * sizeof(float), cudaMemcpyHostToDevice));
            seven_points<<<grid, block>>>(in, out);
            CUDA_CHECK(cudaGetLastError());
            now = seven_points_on_cpu(now, e, weights);
            std::swap(in, out);
        }
        char name[48];
        snprintf(name, sizeof name, "three sweeps of %d x %d x %d", e.x, e.y, e.z);
        expect_equal(name, from_device(in, n), now);
        CUDA_CHECK(cudaFree(in));
        CUDA_CHECK(cudaFree(out));
    }

    void *address = NULL;
    size_t size = 0;
    CUDA_CHECK(cudaGetSymbolAddress(&address, visits));
    CUDA_CHECK(cudaGetSymbolSize(&size, visits));
    expect_number("size of the device array", (long long)size, 12);
    CUDA_CHECK(cudaMemset(address, 0, size));
    count_visits<<<dim3(3, 2, 2), dim3(4, 3, 2)>>>();
    CUDA_CHECK(cudaGetLastError());
    unsigned counts[3];
    CUDA_CHECK(cudaMemcpyFromSymbol(counts, visits, sizeof counts));
    expect_number("threads along z", counts[0], 3 * 2 * 2 * 2 * 2);
    expect_number("indices along y", counts[1], 3 * 4 * (3 * 0 + 3 * 2 + 2 * (0 + 1 + 2)));
    expect_number("largest index", counts[2], 211321);
    return program_end();
}
