#include "comparator.cuh"

__global__ void oddEvenMergeGlobal(uint *d_DstKey, uint *d_DstVal, const uint *d_SrcKey, const uint *d_SrcVal, uint arrayLength, uint size, uint stride, uint dir)
{
    uint global_comparatorI = blockIdx.x * blockDim.x + threadIdx.x;
    // Odd-even merge
    uint pos = 2 * global_comparatorI - (global_comparatorI & (stride - 1));
    if (stride < size / 2) {
        uint offset = global_comparatorI & ((size / 2) - 1);
        if (offset >= stride) {
            uint keyA = d_SrcKey[pos - stride], valA = d_SrcVal[pos - stride];
            uint keyB = d_SrcKey[pos + 0], valB = d_SrcVal[pos + 0];
            Comparator(keyA, valA, keyB, valB, dir);
            d_DstKey[pos - stride] = keyA, d_DstVal[pos - stride] = valA;
            d_DstKey[pos + 0] = keyB, d_DstVal[pos + 0] = valB;
        }
    } else {
        uint keyA = d_SrcKey[pos + 0], valA = d_SrcVal[pos + 0];
        uint keyB = d_SrcKey[pos + stride], valB = d_SrcVal[pos + stride];
        Comparator(keyA, valA, keyB, valB, dir);
        d_DstKey[pos + 0] = keyA, d_DstVal[pos + 0] = valA;
        d_DstKey[pos + stride] = keyB, d_DstVal[pos + stride] = valB;
    }
}

extern "C" void oddEvenMergeSort(uint *d_DstKey, uint *d_DstVal, uint *d_SrcKey, uint *d_SrcVal, uint batchSize, uint arrayLength, uint dir)
{
    cudaMemcpy(d_DstKey, d_SrcKey, batchSize * arrayLength * sizeof(uint), cudaMemcpyDeviceToDevice);
    cudaMemcpy(d_DstVal, d_SrcVal, batchSize * arrayLength * sizeof(uint), cudaMemcpyDeviceToDevice);
    for (uint size = 2; size <= arrayLength; size <<= 1)
        for (uint stride = size / 2; stride > 0; stride >>= 1)
            oddEvenMergeGlobal << <(batchSize * arrayLength) / 256, 128 >> >(d_DstKey, d_DstVal, d_DstKey, d_DstVal, arrayLength, size, stride, dir != 0);
}
