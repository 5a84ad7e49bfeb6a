/* Two networks of one header: `size << 1` next to `<<<`, a comparator in an included file, batches of arrays. */
#include "sortingNetworks_common.h"
#include <cuda_runtime.h>
#include <stdio.h>
#include <vector>

int main(int argc, char **argv)
{
    const uint N = 1024, numValues = 97;
    std::vector<uint> h_InputKey(N), h_InputVal(N), h_OutputKey(N), h_OutputVal(N);
    uint *d[4], flag = 1;
    for (uint i = 0, x = 2001; i < N; i++) {
        x = x * 1664525u + 1013904223u;
        h_InputKey[i] = (x >> 8) % numValues;
        h_InputVal[i] = i;
    }
    for (uint *&p : d)
        cudaMalloc((void **)&p, N * sizeof(uint));
    cudaMemcpy(d[0], &h_InputKey[0], N * sizeof(uint), cudaMemcpyHostToDevice);
    cudaMemcpy(d[1], &h_InputVal[0], N * sizeof(uint), cudaMemcpyHostToDevice);
    for (uint arrayLength = 512; arrayLength <= N; arrayLength *= 2)
        for (uint dir = 0; dir < 2; dir++)
            for (int which = 0; which < 2; which++) {
                if (which == 0 && (arrayLength < N || !dir))
                    continue; // the bitonic one here sorts one array upwards
                if (which == 0)
                    bitonicSort(d[2], d[3], d[0], d[1], N / arrayLength, arrayLength, dir);
                else
                    oddEvenMergeSort(d[2], d[3], d[0], d[1], N / arrayLength, arrayLength, dir);
                cudaMemcpy(&h_OutputKey[0], d[2], N * sizeof(uint), cudaMemcpyDeviceToHost);
                cudaMemcpy(&h_OutputVal[0], d[3], N * sizeof(uint), cudaMemcpyDeviceToHost);
                uint keys = validateSortedKeys(&h_OutputKey[0], &h_InputKey[0], N / arrayLength, arrayLength, dir);
                uint vals = validateValues(&h_OutputKey[0], &h_OutputVal[0], &h_InputKey[0], N / arrayLength, arrayLength);
                printf("%s %u %s: %s, %s\n", which ? "odd-even" : "bitonic", arrayLength, dir ? "up" : "down",
                       keys ? "sorted" : "not sorted", vals ? "values ok" : "values broken");
                flag &= keys & vals;
            }
    for (uint *p : d)
        cudaFree(p);
    puts(flag ? "PASS" : "FAIL");
    return !flag;
}
