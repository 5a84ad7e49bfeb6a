#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>

/* Scans by BlockScan what follows a sum by BlockReduce, with storage of both that is the same memory. */
template <int THREADS> __global__ void sum_and_scan(const int *in, int *out)
{
    using Reduce = cub::BlockReduce<int, THREADS>;
    using Scan = cub::BlockScan<int, THREADS, cub::BLOCK_SCAN_WARP_SCANS>;
    __shared__ union {
        typename Reduce::TempStorage reduce;
        typename Scan::TempStorage scan;
    } storage;
    int x = in[threadIdx.x];
    const int sum = Reduce(storage.reduce).Sum(x);
    Scan(storage.scan).ExclusiveSum(x, x); /* no barrier before it */
    out[threadIdx.x] = x;
    if (threadIdx.x == 0)
        out[THREADS] = sum;
}
