#include <stdlib.h>
#include <stdio.h>
#include <assert.h>
#include "scan.h"
#include "scanLargeArray_kernel.cuh"

#define BLOCK_SIZE 64

static inline bool isPowerOfTwo(int n) { return ((n&(n-1))==0) ; }
static inline int floorPow2(int n) { int p = 1; while (2 * p <= n) p *= 2; return p; }

static float** g_scanBlockSums;
static unsigned int g_numEltsAllocated = 0;
static unsigned int g_numLevelsAllocated = 0;

void preallocBlockSums(unsigned int maxNumElements)
{
    assert(g_numEltsAllocated == 0); // shouldn't be called
    g_numEltsAllocated = maxNumElements;
    unsigned int blockSize = BLOCK_SIZE; // max size of the thread blocks
    unsigned int numElts = maxNumElements;
    int level = 0;
    do {
        unsigned int numBlocks = (numElts + 2 * blockSize - 1) / (2 * blockSize);
        if (numBlocks > 1) level++;
        numElts = numBlocks;
    } while (numElts > 1);
    g_scanBlockSums = (float**) malloc(level * sizeof(float*));
    g_numLevelsAllocated = level;
    numElts = maxNumElements;
    level = 0;
    do {
        unsigned int numBlocks = (numElts + 2 * blockSize - 1) / (2 * blockSize);
        if (numBlocks > 1)
            cudaMalloc((void**) &g_scanBlockSums[level++], numBlocks * sizeof(float));
        numElts = numBlocks;
    } while (numElts > 1);
}

void deallocBlockSums(void)
{
    for (unsigned int i = 0; i < g_numLevelsAllocated; i++)
        cudaFree(g_scanBlockSums[i]);
    free((void**)g_scanBlockSums);
    g_scanBlockSums = 0;
    g_numEltsAllocated = 0;
    g_numLevelsAllocated = 0;
}

static void prescanArrayRecursive(float *outArray, const float *inArray, int numElements, int level)
{
    unsigned int blockSize = BLOCK_SIZE; // max size of the thread blocks
    unsigned int numBlocks = (numElements + 2 * blockSize - 1) / (2 * blockSize);
    unsigned int numThreads;
    if (numBlocks > 1)
        numThreads = blockSize;
    else if (isPowerOfTwo(numElements))
        numThreads = numElements / 2 > 0 ? numElements / 2 : 1;
    else
        numThreads = floorPow2(numElements);
    unsigned int numEltsPerBlock = numThreads * 2;

    // if this is a non-power-of-2 array, the last block will be non-full
    unsigned int numEltsLastBlock = numElements - (numBlocks-1) * numEltsPerBlock;
    unsigned int numThreadsLastBlock = numEltsLastBlock / 2 > 0 ? numEltsLastBlock / 2 : 1;
    unsigned int np2LastBlock = 0;
    unsigned int sharedMemLastBlock = 0;
    if (numEltsLastBlock != numEltsPerBlock)
    {
        np2LastBlock = 1;
        if(!isPowerOfTwo(numEltsLastBlock))
            numThreadsLastBlock = floorPow2(numEltsLastBlock);
        unsigned int extraSpace = (2 * numThreadsLastBlock) / NUM_BANKS;
        sharedMemLastBlock = sizeof(float) * (2 * numThreadsLastBlock + extraSpace);
    }
    // padding space is used to avoid shared memory bank conflicts
    unsigned int extraSpace = numEltsPerBlock / NUM_BANKS;
    unsigned int sharedMemSize = sizeof(float) * (numEltsPerBlock + extraSpace);

    dim3  grid(max(1, (int)(numBlocks - np2LastBlock)), 1, 1);
    dim3  threads(numThreads, 1, 1);

    if (numBlocks > 1)
    {
        prescan<true, false><<< grid, threads, sharedMemSize >>>(outArray, inArray, g_scanBlockSums[level], numThreads * 2, 0, 0);
        if (np2LastBlock)
            prescan<true, true><<< 1, numThreadsLastBlock, sharedMemLastBlock >>>
                (outArray, inArray, g_scanBlockSums[level], numEltsLastBlock, numBlocks - 1, numElements - numEltsLastBlock);

        // scan the sums of the blocks, and add them to the blocks
        prescanArrayRecursive(g_scanBlockSums[level], g_scanBlockSums[level], numBlocks, level+1);
        uniformAdd<<< grid, threads >>>(outArray, g_scanBlockSums[level], numElements - numEltsLastBlock, 0, 0);
        if (np2LastBlock)
            uniformAdd<<< 1, numThreadsLastBlock >>>(outArray, g_scanBlockSums[level], numEltsLastBlock, numBlocks - 1, numElements - numEltsLastBlock);
    }
    else if (isPowerOfTwo(numElements))
        prescan<false, false><<< grid, threads, sharedMemSize >>>(outArray, inArray, 0, numThreads * 2, 0, 0);
    else
        prescan<false, true><<< grid, threads, sharedMemSize >>>(outArray, inArray, 0, numElements, 0, 0);
}

void prescanArray(float *outArray, float *inArray, int numElements)
{
    prescanArrayRecursive(outArray, inArray, numElements, 0);
}

int main(int argc, char **argv)
{
    static const int sizes[] = { 2, 100, 128, 1000, 128 * 128, 20000 };
    int failed = 0;
    for (unsigned s = 0; s < sizeof(sizes) / sizeof(sizes[0]); s++)
    {
        int num_elements = sizes[s];
        unsigned int mem_size = sizeof(float) * num_elements;
        float* h_data = (float*) malloc(mem_size);
        float* reference = (float*) malloc(mem_size);
        for (int i = 0; i < num_elements; ++i)
            h_data[i] = (float)(i * 7 % 5);
        computeGold(reference, h_data, num_elements);

        float *d_idata = NULL, *d_odata = NULL;
        cudaMalloc((void**) &d_idata, mem_size);
        cudaMalloc((void**) &d_odata, mem_size);
        cudaMemcpy(d_idata, h_data, mem_size, cudaMemcpyHostToDevice);
        preallocBlockSums(num_elements);
        prescanArray(d_odata, d_idata, num_elements);
        deallocBlockSums();
        cudaMemcpy(h_data, d_odata, mem_size, cudaMemcpyDeviceToHost);
        unsigned int result_regtest = compare(reference, h_data, num_elements);
        printf("%d elements: last %.0f, test %s\n", num_elements, h_data[num_elements - 1], (1 == result_regtest) ? "PASSED" : "FAILED");
        failed += !result_regtest;
        cudaFree(d_odata);
        cudaFree(d_idata);
        free(h_data);
        free(reference);
    }
    puts(failed ? "FAIL" : "PASS");
    return failed;
}
