// Kernels of one signature, chosen by a pointer in a table and launched through it, with timing loops.
#include <cstdio>
#include <vector>
#include "kernels.cuh"

typedef void (*Kernel)(float *, float *, int, int);

static const struct { Kernel kernel; const char *name; bool transposes; } table[] = {
    {&copy,                 "simple copy       ", false},
    {&copySharedMem,        "shared memory copy", false},
    {&transposeNaive,       "naive             ", true},
    {&transposeTiled<0>,    "coalesced         ", true},
    {&transposeTiled<1>,    "optimized         ", true},
    {&transposeDiagonal,    "diagonal          ", true},
};

static int run(int size_x, int size_y)
{
    Kernel kernel;
    dim3 grid(size_x / TILE_DIM, size_y / TILE_DIM), threads(TILE_DIM, BLOCK_ROWS);
    const size_t mem_size = sizeof(float) * size_x * size_y;
    std::vector<float> h_idata(size_x * size_y), h_odata(size_x * size_y);
    for (size_t i = 0; i < h_idata.size(); ++i) h_idata[i] = float(i);
    float *d_idata, *d_odata;
    cudaMalloc(&d_idata, mem_size); cudaMalloc(&d_odata, mem_size);
    cudaMemcpy(d_idata, &h_idata[0], mem_size, cudaMemcpyHostToDevice);
    cudaEvent_t start, stop;
    cudaEventCreate(&start); cudaEventCreate(&stop);
    int failed = 0;
    for (auto &row : table) {
        if (size_x != size_y && !row.transposes) continue;
        kernel = row.kernel;
        kernel<<<grid, threads>>>(d_odata, d_idata, size_x, size_y);  // warmup
        cudaEventRecord(start);
        for (int i = 0; i < 2; i++)
            (*row.kernel)<<<grid, threads>>>(d_odata, d_idata, size_x, size_y);
        cudaEventRecord(stop);
        cudaEventSynchronize(stop);
        float kernelTime = -1;
        cudaEventElapsedTime(&kernelTime, start, stop);
        cudaMemcpy(&h_odata[0], d_odata, mem_size, cudaMemcpyDeviceToHost);
        bool res = kernelTime >= 0;
        for (int y = 0; y < size_y; ++y)
            for (int x = 0; x < size_x; ++x)
                res = res && h_odata[row.transposes ? x * size_y + y : y * size_x + x] == h_idata[y * size_x + x];
        printf("%s %dx%d: %s\n", row.name, size_x, size_y, res ? "ok" : "FAIL");
        failed += !res;
    }
    cudaEventDestroy(start); cudaEventDestroy(stop);
    cudaFree(d_idata); cudaFree(d_odata);
    return failed;
}

int main()
{
    int failed = run(64, 64) + run(96, 32);
    puts(failed ? "FAIL" : "PASS");
    return failed;
}
