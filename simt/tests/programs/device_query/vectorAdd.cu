#include <cuda_runtime.h>
#include "helper_cuda.h"

/**
 * CUDA Kernel Device code
 *
 * Computes the vector addition of A and B into C. The 3 vectors have the same
 * number of elements numElements.
 */
__global__ void vectorAdd(const float *A, const float *B, float *C, int numElements) {
  int i = blockDim.x * blockIdx.x + threadIdx.x;

  if (i < numElements) {
    C[i] = A[i] + B[i] + 0.0f;
  }
}

int vectorAdd(int numElements) {
  size_t size = numElements * sizeof(float);
  float *h[3], *d[3];
  for (int k = 0; k < 3; ++k) {
    h[k] = (float *)malloc(size);
    checkCudaErrors(cudaMalloc((void **)&d[k], size));
  }
  for (int i = 0; i < numElements; ++i) {
    h[0][i] = i / 8.0f;
    h[1][i] = (numElements - i) / 4.0f;
  }
  for (int k = 0; k < 2; ++k)
    checkCudaErrors(cudaMemcpy(d[k], h[k], size, cudaMemcpyHostToDevice));

  // Launch the Vector Add CUDA Kernel
  int threadsPerBlock = 256;
  int blocksPerGrid = (numElements + threadsPerBlock - 1) / threadsPerBlock;
  printf("CUDA kernel launch with %d blocks of %d threads\n", blocksPerGrid, threadsPerBlock);
  vectorAdd<<<blocksPerGrid, threadsPerBlock>>>(d[0], d[1], d[2], numElements);
  getLastCudaError("Failed to launch vectorAdd kernel");
  checkCudaErrors(cudaMemcpy(h[2], d[2], size, cudaMemcpyDeviceToHost));
  int bad = 0;
  for (int i = 0; i < numElements; ++i)
    if (h[0][i] + h[1][i] != h[2][i])
      bad = 1;
  for (int k = 0; k < 3; ++k) {
    checkCudaErrors(cudaFree(d[k]));
    free(h[k]);
  }
  return bad;
}
