#include <assert.h>
#include "comparator.cuh"

// Bottom level of the sort: every second pair of halves is sorted in the other direction
__global__ void bitonicSortShared1(uint *d_DstKey, uint *d_DstVal, uint *d_SrcKey, uint *d_SrcVal)
{
    __shared__ uint s_key[SHARED_SIZE_LIMIT];
    __shared__ uint s_val[SHARED_SIZE_LIMIT];
    d_SrcKey += blockIdx.x * SHARED_SIZE_LIMIT + threadIdx.x;
    d_SrcVal += blockIdx.x * SHARED_SIZE_LIMIT + threadIdx.x;
    d_DstKey += blockIdx.x * SHARED_SIZE_LIMIT + threadIdx.x;
    d_DstVal += blockIdx.x * SHARED_SIZE_LIMIT + threadIdx.x;
    s_key[threadIdx.x + 0] = d_SrcKey[0];
    s_val[threadIdx.x + 0] = d_SrcVal[0];
    s_key[threadIdx.x + (SHARED_SIZE_LIMIT / 2)] = d_SrcKey[(SHARED_SIZE_LIMIT / 2)];
    s_val[threadIdx.x + (SHARED_SIZE_LIMIT / 2)] = d_SrcVal[(SHARED_SIZE_LIMIT / 2)];

    for (uint size = 2; size < SHARED_SIZE_LIMIT; size <<= 1) {
        uint ddd = (threadIdx.x & (size / 2)) != 0;
        for (uint stride = size / 2; stride > 0; stride >>= 1) {
            __syncthreads();
            uint pos = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
            Comparator(s_key[pos + 0], s_val[pos + 0], s_key[pos + stride], s_val[pos + stride], ddd);
        }
    }
    // Odd / even arrays of SHARED_SIZE_LIMIT elements sorted in opposite directions
    uint ddd = blockIdx.x & 1;
    for (uint stride = SHARED_SIZE_LIMIT / 2; stride > 0; stride >>= 1) {
        __syncthreads();
        uint pos = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
        Comparator(s_key[pos + 0], s_val[pos + 0], s_key[pos + stride], s_val[pos + stride], ddd);
    }
    __syncthreads();
    d_DstKey[0] = s_key[threadIdx.x];
    d_DstVal[0] = s_val[threadIdx.x];
    d_DstKey[SHARED_SIZE_LIMIT / 2] = s_key[threadIdx.x + SHARED_SIZE_LIMIT / 2];
    d_DstVal[SHARED_SIZE_LIMIT / 2] = s_val[threadIdx.x + SHARED_SIZE_LIMIT / 2];
}

// Bitonic merge iteration for stride >= SHARED_SIZE_LIMIT, and also for all smaller strides in global memory
__global__ void bitonicMergeGlobal(uint *d_DstKey, uint *d_DstVal, uint *d_SrcKey, uint *d_SrcVal, uint arrayLength, uint size, uint stride, uint dir)
{
    uint global_comparatorI = blockIdx.x * blockDim.x + threadIdx.x;
    uint comparatorI = global_comparatorI & (arrayLength / 2 - 1);
    uint ddd = dir ^ ((comparatorI & (size / 2)) != 0);
    uint pos = 2 * global_comparatorI - (global_comparatorI & (stride - 1));
    uint keyA = d_SrcKey[pos + 0], valA = d_SrcVal[pos + 0];
    uint keyB = d_SrcKey[pos + stride], valB = d_SrcVal[pos + stride];
    Comparator(keyA, valA, keyB, valB, ddd);
    d_DstKey[pos + 0] = keyA, d_DstVal[pos + 0] = valA;
    d_DstKey[pos + stride] = keyB, d_DstVal[pos + stride] = valB;
}

extern "C" uint bitonicSort(uint *d_DstKey, uint *d_DstVal, uint *d_SrcKey, uint *d_SrcVal, uint batchSize, uint arrayLength, uint dir)
{
    uint log2L = 0;
    if (arrayLength < 2) return 0;
    while ((1u << log2L) < arrayLength) log2L++;
    assert(1u << log2L == arrayLength);
    dir = (dir != 0);
    uint blockCount = batchSize * arrayLength / SHARED_SIZE_LIMIT, threadCount = SHARED_SIZE_LIMIT / 2;
    bitonicSortShared1<<<blockCount, threadCount>>>(d_DstKey, d_DstVal, d_SrcKey, d_SrcVal);
    for (uint size = 2 * SHARED_SIZE_LIMIT; size <= arrayLength; size <<= 1)
        for (unsigned stride = size / 2; stride > 0; stride >>= 1)
            bitonicMergeGlobal<<<(batchSize * arrayLength) / 256, 128>>>(d_DstKey, d_DstVal, d_DstKey, d_DstVal, arrayLength, size, stride, size == arrayLength ? dir : !dir ^ 1);
    return threadCount;
}
