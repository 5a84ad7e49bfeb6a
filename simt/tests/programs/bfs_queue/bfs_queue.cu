// The later way: queues of frontier nodes, filled a block at a time.
#include "graph.h"
#include <cstdio>
#include <utility>

namespace {

constexpr int kBlockQueue = 64;

struct DeviceGraph {
	const Node *nodes;
	const int *edges;
};

__device__ int visitedCount;	// of this file only

__global__ void expand(DeviceGraph g, const int *frontier, int frontierSize, int *next, int *nextSize, int *cost, int level)
{
	__shared__ int queue[kBlockQueue];
	__shared__ int queued, base;

	if (threadIdx.x == 0)
		queued = 0;
	__syncthreads();
	const int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < frontierSize) {
		const Node node = g.nodes[frontier[i]];
		for (int e = node.starting; e < node.starting + node.no_of_edges; e++) {
			const int to = g.edges[e];
			if (atomicCAS(&cost[to], -1, level) == -1) {
				const int at = atomicAdd(&queued, 1);
				if (at < kBlockQueue)
					queue[at] = to;
				else			// spilled
					next[atomicAdd(nextSize, 1)] = to;
			}
		}
	}
	__syncthreads();
	const int kept = min(queued, kBlockQueue);
	if (threadIdx.x == 0) {
		base = atomicAdd(nextSize, kept);
		atomicAdd(&visitedCount, queued);
	}
	__syncthreads();
	for (int k = threadIdx.x; k < kept; k += blockDim.x)
		next[base + k] = queue[k];
}

template <typename T> T *copied(const T *host, size_t n)
{
	T *device;
	cudaMalloc(&device, n * sizeof(T));
	cudaMemcpy(device, host, n * sizeof(T), cudaMemcpyHostToDevice);
	return device;
}

}

int BFSQueue(const Graph *g, int source, int *cost, int queue_size)
{
	if (queue_size == 0)
		queue_size = g->no_of_nodes;
	for (int i = 0; i < g->no_of_nodes; i++)
		cost[i] = i == source ? 0 : -1;
	DeviceGraph d = {copied(g->nodes, g->no_of_nodes), copied(g->edges, g->edge_list_size)};
	int *dcost = copied(cost, g->no_of_nodes), *from = copied(&source, 1), *to, size = 1, zero = 0, *dsize = copied(&zero, 1);
	cudaFree(from);
	cudaMalloc(&from, queue_size * sizeof(int));
	cudaMalloc(&to, queue_size * sizeof(int));
	cudaMemcpy(from, &source, sizeof source, cudaMemcpyHostToDevice);
	for (int level = 1; size > 0; level++) {
		cudaMemset(dsize, 0, sizeof(int));
		expand<<<(size + 31) / 32, 32>>>(d, from, size, to, dsize, dcost, level);
		cudaMemcpy(&size, dsize, sizeof(int), cudaMemcpyDeviceToHost);
		std::swap(from, to);
	}
	cudaMemcpy(cost, dcost, g->no_of_nodes * sizeof(int), cudaMemcpyDeviceToHost);
	int visited = -1;
	cudaMemcpyFromSymbol(&visited, visitedCount, sizeof visited);
	for (void *p : {(void *)d.nodes, (void *)d.edges, (void *)dcost, (void *)from, (void *)to, (void *)dsize})
		cudaFree(p);
	return visited;
}
