#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "graph.h"

#define MAX_THREADS_PER_BLOCK 128

__device__ static __forceinline__ int level_cost(int cost) { return cost + 1; }

#include "kernel.inc"

void BFSGraph(const Graph *g, int source, int *cost)
{
	int no_of_nodes = g->no_of_nodes, num_of_blocks = 1, num_of_threads_per_block = no_of_nodes;

	//Make execution Parameters according to the number of nodes
	if(no_of_nodes>MAX_THREADS_PER_BLOCK)
	{
		num_of_blocks = (no_of_nodes + MAX_THREADS_PER_BLOCK - 1)/MAX_THREADS_PER_BLOCK;
		num_of_threads_per_block = MAX_THREADS_PER_BLOCK;
	}
	size_t masks = (no_of_nodes + 3) / 4 * 4;
	bool *h_mask = (bool*) calloc(masks, sizeof(bool));
	h_mask[source] = true;
	for (int i = 0; i < no_of_nodes; i++)
		cost[i] = -1;
	cost[source] = 0;

	Node* d_graph_nodes;
	int *d_graph_edges, *d_cost, *d_over;
	bool *d_graph_mask, *d_updating_graph_mask, *d_graph_visited;
	cudaMalloc( (void**) &d_graph_nodes, sizeof(Node)*no_of_nodes) ;
	cudaMalloc( (void**) &d_graph_edges, sizeof(int)*g->edge_list_size) ;
	cudaMalloc( (void**) &d_cost, sizeof(int)*no_of_nodes) ;
	cudaMalloc( (void**) &d_over, sizeof(int)) ;
	cudaMalloc( (void**) &d_graph_mask, masks) ;
	cudaMalloc( (void**) &d_updating_graph_mask, masks) ;
	cudaMalloc( (void**) &d_graph_visited, masks) ;
	cudaMemcpy( d_graph_nodes, g->nodes, sizeof(Node)*no_of_nodes, cudaMemcpyHostToDevice) ;
	cudaMemcpy( d_graph_edges, g->edges, sizeof(int)*g->edge_list_size, cudaMemcpyHostToDevice) ;
	cudaMemcpy( d_cost, cost, sizeof(int)*no_of_nodes, cudaMemcpyHostToDevice) ;
	cudaMemcpy( d_graph_mask, h_mask, masks, cudaMemcpyHostToDevice) ;
	cudaMemcpy( d_graph_visited, h_mask, masks, cudaMemcpyHostToDevice) ;
	cudaMemset( d_updating_graph_mask, 0, masks) ;

	// setup execution parameters
	dim3  grid( num_of_blocks, 1, 1);
	dim3  threads( num_of_threads_per_block, 1, 1);
	int k=0, stop;
	//Call the Kernel untill all the elements of Frontier are not false
	do
	{
		//if no thread changes this value then the loop stops
		stop=0;
		cudaMemcpy( d_over, &stop, sizeof(int), cudaMemcpyHostToDevice) ;
		Kernel<<< grid, threads, 0 >>>( d_graph_nodes, d_graph_edges, d_graph_mask, d_updating_graph_mask, d_graph_visited, d_cost, no_of_nodes);
		// check if kernel execution generated and error
		Kernel2<<< grid, threads, 0 >>>( d_graph_mask, d_updating_graph_mask, d_graph_visited, d_over, no_of_nodes);
		cudaMemcpy( &stop, d_over, sizeof(int), cudaMemcpyDeviceToHost) ;
		k++;
	}
	while(stop);
	printf("Kernel Executed %d times\n",k);

	cudaMemcpy( cost, d_cost, sizeof(int)*no_of_nodes, cudaMemcpyDeviceToHost) ;
	free( h_mask);
	cudaFree(d_graph_nodes); cudaFree(d_graph_edges); cudaFree(d_cost); cudaFree(d_over);
	cudaFree(d_graph_mask); cudaFree(d_updating_graph_mask); cudaFree(d_graph_visited);
}
