/* The alignment of two sequences as in a benchmark suite of 2009: tiles along the diagonals, one launch for each
 * diagonal, and two loops of launches for the two triangles. */
#define LIMIT -999
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#undef LIMIT
#include "needle.h"
#include "needle_kernel.cuh"

int
main(int argc, char **argv)
{
	int max_rows = 80, max_cols = 80, penalty = 10, seed = 7;
	int *input_itemsets, *referrence, *output;
	int *matrix_cuda, *referrence_cuda;
	max_rows = max_rows + 1;
	max_cols = max_cols + 1;
	int size = max_cols * max_rows;
	referrence = (int *)malloc(size * sizeof(int));
	input_itemsets = (int *)calloc(size, sizeof(int));
	output = (int *)malloc(size * sizeof(int));

	for (int i = 1; i < max_rows; i++)
		input_itemsets[i * max_cols] = (seed = seed * 31 % 1009) % 6;
	for (int j = 1; j < max_cols; j++)
		input_itemsets[j] = (seed = seed * 17 % 1013) % 6;
	for (int i = 0; i < size; i++)
		referrence[i] = 0;
	for (int i = 1; i < max_cols; i++)
		for (int j = 1; j < max_rows; j++)
			referrence[i * max_cols + j] = blosum(input_itemsets[i * max_cols], input_itemsets[j]);
	for (int i = 1; i < max_rows; i++)
		input_itemsets[i * max_cols] = -i * penalty;
	for (int j = 1; j < max_cols; j++)
		input_itemsets[j] = -j * penalty;

	cudaMalloc((void **)&referrence_cuda, sizeof(int) * size);
	cudaMalloc((void **)&matrix_cuda, sizeof(int) * size);
	cudaMemcpy(referrence_cuda, referrence, sizeof(int) * size, cudaMemcpyHostToDevice);
	cudaMemcpy(matrix_cuda, input_itemsets, sizeof(int) * size, cudaMemcpyHostToDevice);

	dim3 dimGrid;
	dim3 dimBlock(BLOCK_SIZE, 1);
	int block_width = (max_cols - 1) / BLOCK_SIZE;
	// process top-left matrix
	for (int i = 1; i <= block_width; i++) {
		dimGrid.x = i;
		dimGrid.y = 1;
		needle_cuda_shared_1<<<dimGrid, dimBlock>>>(referrence_cuda, matrix_cuda, max_cols, penalty, i, block_width);
	}
	// process bottom-right matrix
	for (int i = block_width - 1; i >= 1; i--) {
		dimGrid.x = i;
		dimGrid.y = 1;
		needle_cuda_shared_2<<<dimGrid, dimBlock>>>(referrence_cuda, matrix_cuda, max_cols, penalty, i, block_width);
	}
	cudaMemcpy(output, matrix_cuda, sizeof(int) * size, cudaMemcpyDeviceToHost);
	cudaFree(referrence_cuda);
	cudaFree(matrix_cuda);

	for (int i = 1; i < max_rows; i++)
		for (int j = 1; j < max_cols; j++)
			input_itemsets[i * max_cols + j] = maximum(input_itemsets[(i - 1) * max_cols + j - 1] + referrence[i * max_cols + j],
				input_itemsets[i * max_cols + j - 1] - penalty, input_itemsets[(i - 1) * max_cols + j] - penalty);
	int wrong = memcmp(output, input_itemsets, size * sizeof(int)) != 0;
	printf("score %d\n%s\n", output[size - 1], wrong ? "FAIL" : "PASS");
	free(referrence);
	free(input_itemsets);
	free(output);
	return wrong;
}
