/* stock_cub_block.h: stock_block_scan on a GPU, by CUB. stock_scan.h includes it. */
#ifndef LABS_STOCK_CUB_BLOCK_H
#define LABS_STOCK_CUB_BLOCK_H

#include <cub/block/block_scan.cuh>

template <int threads>
static __device__ __forceinline__ unsigned stock_block_scan_of(unsigned value, unsigned *total)
{
    typedef cub::BlockScan<unsigned, threads> scan;
    __shared__ typename scan::TempStorage storage;
    unsigned before, all;
    __syncthreads(); /* all threads have read the results of the previous call */
    scan(storage).ExclusiveSum(value, before, all);
    __syncthreads();
    *total = all;
    return before;
}

/* CUB needs the number of threads of a block at compile time. */
static __device__ __forceinline__ unsigned stock_block_scan(unsigned value, unsigned *total)
{
    switch (blockDim.x) {
    case 32:
        return stock_block_scan_of<32>(value, total);
    case 64:
        return stock_block_scan_of<64>(value, total);
    case 128:
        return stock_block_scan_of<128>(value, total);
    case 256:
        return stock_block_scan_of<256>(value, total);
    case 512:
        return stock_block_scan_of<512>(value, total);
    case 1024:
        return stock_block_scan_of<1024>(value, total);
    }
    __shared__ unsigned values[STOCK_BLOCK_MOST];
    __syncthreads();
    values[threadIdx.x] = value;
    __syncthreads();
    unsigned before = 0, all = 0;
    for (unsigned t = 0; t < blockDim.x; t++) {
        before += t < threadIdx.x ? values[t] : 0;
        all += values[t];
    }
    *total = all;
    return before;
}
#endif
