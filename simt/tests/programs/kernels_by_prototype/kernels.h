/* Prototypes of kernels, which g++ and nvcc both read, for files that launch them. */
#ifndef KERNELS_H
#define KERNELS_H
#include <cuda_runtime.h>
#include <device_launch_parameters.h>
#ifndef __CUDACC__
#define KERNEL_FILE "g++"
#else
#define KERNEL_FILE "nvcc"
#endif
__global__ void fill(int *data, int n, int value = 7);
__global__ void scan_block(const int *in, int *out, int n);
__device__ int clamp_index(int i, int n);
int scan_on_device(int *data, int n);
#endif
