#pragma once
/* Exclusive scan of one flag per thread. The caller provides the storage: BlockScan<128>::Storage in shared memory. */
template <int THREADS> class BlockScan {
public:
    struct Storage { unsigned warps[THREADS / 32], total; };

    __device__ explicit BlockScan(Storage &shared) : s(shared) {}

    __device__ unsigned exclusive(bool flag, unsigned &total)
    {
        const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
        const unsigned votes = __ballot_sync(0xffffffffu, flag);
        if (lane == 0)
            s.warps[warp] = __popc(votes);
        __syncthreads();
        if (threadIdx.x == 0) {
            unsigned sum = 0;
            for (unsigned &w : s.warps) {
                const unsigned here = w;
                w = sum;
                sum += here;
            }
            s.total = sum;
        }
        __syncthreads();
        total = s.total;
        return s.warps[warp] + __popc(votes & ((1u << lane) - 1));
    }

private:
    Storage &s;
};
