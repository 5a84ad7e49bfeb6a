#include "filter.h"
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

unsigned int filterCalls();

int main()
{
    const int width = 50, height = 11, first[TAPS] = {1, 2, 3, 4, 3, 2, 1},
              second[TAPS] = {-1, 0, 5, 0, 1, 2, 9};
    std::vector<int> in(width * height), out(width * height);
    for (int i = 0; i < width * height; i++)
        in[i] = (i * 37 + 11) % 101;
    int *d_in, *d_out, wrong = 0;
    cudaMalloc(&d_in, in.size() * sizeof(int));
    cudaMalloc(&d_out, in.size() * sizeof(int));
    cudaMemcpy(d_in, in.data(), in.size() * sizeof(int), cudaMemcpyHostToDevice);
    for (int round = 0; round < 2; round++) {
        const int *taps = round ? second : first;
        setFilter(taps, round == 1);
        runFilter(d_out, d_in, width, height);
        cudaMemcpy(out.data(), d_out, in.size() * sizeof(int), cudaMemcpyDeviceToHost);
        long total = 0;
        for (int y = 0; y < height; y++)
            for (int x = 0; x < width; x++) {
                int sum = 0;
                for (int j = -RADIUS; j <= RADIUS; j++)
                    if (x + j >= 0 && x + j < width)
                        sum += in[y * width + x + j] * taps[RADIUS - j];
                sum = round ? -(sum >> 1) : sum;
                wrong += out[y * width + x] != sum;
                total += out[y * width + x];
            }
        printf("round %d: total %ld\n", round, total);
    }
    cudaFree(d_in);
    cudaFree(d_out);
    printf("calls %u, wrong %d\n%s\n", filterCalls(), wrong, wrong ? "FAIL" : "PASS");
    return wrong != 0;
}
