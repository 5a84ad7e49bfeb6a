#ifndef _SCAN_BEST_KERNEL_CUH_
#define _SCAN_BEST_KERNEL_CUH_

// Define this to more rigorously avoid bank conflicts, even at the lower (root) levels of the tree
#define NUM_BANKS 32
#define LOG_NUM_BANKS 5
//#define ZERO_BANK_CONFLICTS
#ifdef ZERO_BANK_CONFLICTS
#define CONFLICT_FREE_OFFSET(index) ((index) >> LOG_NUM_BANKS + (index) >> (2*LOG_NUM_BANKS))
#else
#define CONFLICT_FREE_OFFSET(index) ((index) >> LOG_NUM_BANKS)
#endif

template <bool isNP2>
__device__ void loadSharedChunkFromMem(float *s_data, const float *g_idata, int n, int baseIndex, int& ai, int& bi, int& mem_ai, int& mem_bi, int& bankOffsetA, int& bankOffsetB)
{
    int thid = threadIdx.x;
    mem_ai = baseIndex + threadIdx.x;
    mem_bi = mem_ai + blockDim.x;
    ai = thid;
    bi = thid + blockDim.x;
    bankOffsetA = CONFLICT_FREE_OFFSET(ai);
    bankOffsetB = CONFLICT_FREE_OFFSET(bi);
    s_data[ai + bankOffsetA] = g_idata[mem_ai];
    if (isNP2) { // compile-time decision
        s_data[bi + bankOffsetB] = (bi < n) ? g_idata[mem_bi] : 0;
    } else {
        s_data[bi + bankOffsetB] = g_idata[mem_bi];
    }
}

template <bool isNP2>
__device__ void storeSharedChunkToMem(float* g_odata, const float* s_data, int n, int ai, int bi, int mem_ai, int mem_bi, int bankOffsetA, int bankOffsetB)
{
    __syncthreads();
    g_odata[mem_ai] = s_data[ai + bankOffsetA];
    if (isNP2) {
        if (bi < n) g_odata[mem_bi] = s_data[bi + bankOffsetB];
    } else {
        g_odata[mem_bi] = s_data[bi + bankOffsetB];
    }
}

template <bool storeSum>
__device__ void clearLastElement(float* s_data, float *g_blockSums, int blockIndex)
{
    if (threadIdx.x == 0)
    {
        int index = (blockDim.x << 1) - 1;
        index += CONFLICT_FREE_OFFSET(index);
        if (storeSum) g_blockSums[blockIndex] = s_data[index];
        s_data[index] = 0;
    }
}

__device__ unsigned int buildSum(float *s_data)
{
    unsigned int thid = threadIdx.x;
    unsigned int stride = 1;
    for (int d = blockDim.x; d > 0; d >>= 1)
    {
        __syncthreads();
        if (thid < d)
        {
            int i  = __mul24(__mul24(2, stride), thid);
            int ai = i + stride - 1;
            int bi = ai + stride;
            ai += CONFLICT_FREE_OFFSET(ai);
            bi += CONFLICT_FREE_OFFSET(bi);
            s_data[bi] += s_data[ai];
        }
        stride *= 2;
    }
    return stride;
}

__device__ void scanRootToLeaves(float *s_data, unsigned int stride)
{
    unsigned int thid = threadIdx.x;
    for (int d = 1; d <= blockDim.x; d *= 2)
    {
        stride >>= 1;
        __syncthreads();
        if (thid < d)
        {
            int i  = __mul24(__mul24(2, stride), thid);
            int ai = i + stride - 1;
            int bi = ai + stride;
            ai += CONFLICT_FREE_OFFSET(ai);
            bi += CONFLICT_FREE_OFFSET(bi);
            float t  = s_data[ai];
            s_data[ai] = s_data[bi];
            s_data[bi] += t;
        }
    }
}

template <bool storeSum>
__device__ void prescanBlock(float *data, int blockIndex, float *blockSums)
{
    int stride = buildSum(data);
    clearLastElement<storeSum>(data, blockSums, (blockIndex == 0) ? blockIdx.x : blockIndex);
    scanRootToLeaves(data, stride);
}

template <bool storeSum, bool isNP2>
__global__ void prescan(float *g_odata, const float *g_idata, float *g_blockSums, int n, int blockIndex, int baseIndex)
{
    int ai, bi, mem_ai, mem_bi, bankOffsetA, bankOffsetB;
    extern __shared__ float s_data[];
    loadSharedChunkFromMem<isNP2>(s_data, g_idata, n,
                                  (baseIndex == 0) ? __mul24(blockIdx.x, (blockDim.x << 1)) : baseIndex,
                                  ai, bi, mem_ai, mem_bi, bankOffsetA, bankOffsetB);
    prescanBlock<storeSum>(s_data, blockIndex, g_blockSums);
    storeSharedChunkToMem<isNP2>(g_odata, s_data, n, ai, bi, mem_ai, mem_bi, bankOffsetA, bankOffsetB);
}

__global__ void uniformAdd(float *g_data, float *uniforms, int n, int blockOffset, int baseIndex)
{
    __shared__ float uni;
    if (threadIdx.x == 0)
        uni = uniforms[blockIdx.x + blockOffset];
    unsigned int address = __mul24(blockIdx.x, (blockDim.x << 1)) + baseIndex + threadIdx.x;
    __syncthreads();
    // note two adds per thread
    g_data[address]              += uni;
    if (threadIdx.x + blockDim.x < n)
        g_data[address + blockDim.x] += uni;
}

#endif // #ifndef _SCAN_BEST_KERNEL_CUH_
