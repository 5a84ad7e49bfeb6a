#include "lib/scan.cuh"
#include <vector>

int main()
{
    std::vector<int> host(64, 1);
    int *data;
    cudaMalloc(&data, 64 * sizeof(int));
    cudaMemcpy(data, host.data(), 64 * sizeof(int), cudaMemcpyHostToDevice);
    lib::scan<64> << <1, 64>> >(data);
    cudaDeviceSynchronize();
    cudaFree(data);
    return 0;
}
