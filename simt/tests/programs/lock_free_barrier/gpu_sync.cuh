#ifndef GPU_SYNC_CUH
#define GPU_SYNC_CUH

// Barriers for the blocks of a grid that fits on the device, in the two ways of the papers.

__device__ unsigned int g_mutex;

// goalVal: blocks times the number of this barrier
__device__ __noinline__ void __gpu_sync_simple(unsigned int goalVal)
{
	__syncthreads();
	if (threadIdx.x == 0) {
		__threadfence();
		atomicAdd(&g_mutex, 1);
		while (*(volatile unsigned int *)&g_mutex < goalVal)
			;
		__threadfence();
	}
	__syncthreads();
}

// Each block has a flag for arrival and one for departure, and block 0 reads all arrivals
__device__ void __gpu_sync_lock_free(unsigned int goalVal, volatile unsigned int *Arrayin, volatile unsigned int *Arrayout)
{
	const unsigned int tid = threadIdx.x, nBlocks = gridDim.x, bid = blockIdx.x;

	__syncthreads();
	if (tid == 0) {
		__threadfence();
		Arrayin[bid] = goalVal;
	}
	if (bid == 0) {
		if (tid < nBlocks) {
			while (Arrayin[tid] != goalVal)
				;
			__threadfence();
		}
		__syncthreads();
		if (tid < nBlocks) {
			__threadfence();
			Arrayout[tid] = goalVal;
		}
	}
	if (tid == 0) {
		while (Arrayout[bid] != goalVal)
			;
		__threadfence();
	}
	__syncthreads();
}

#endif
