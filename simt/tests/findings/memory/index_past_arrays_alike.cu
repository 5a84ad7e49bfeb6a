/* Several arrays of one type on a line: the place of the bracket shows which one is accessed. */
#include <stdio.h>

struct bins {
    int count[8];
};

__device__ int first[8], second[8];
__device__ int planes[2][8];
__device__ bins all[2];

__global__ void of_second(int i)
{
    first[i] = second[i + second[0]
                      + 8];
}

__global__ void of_planes(int i)
{
    int local[8] = {}; planes[i][first[i] + 8] = first[local[i]] + second[i];
}

__global__ void of_member(int i)
{
    all[i].count[i + 8] = first[i];
}

int main()
{
    void (*const kernels[])(int) = {of_second, of_planes, of_member};
    int wrong = 0;
    for (auto kernel : kernels) {
        kernel<<<1, 1>>>(0);
        wrong += cudaDeviceSynchronize() == cudaSuccess;
        cudaDeviceReset();
    }
    return wrong;
}

//= index_past_arrays_alike.cu:15  of_second: index out of bounds: second[8]
//=     thread 0 of block 0; the array is int [8]
//=     the kernel ends here
//=     try: guard the access, or make the array as long as the largest index needs
//= index_past_arrays_alike.cu:20  of_planes: index out of bounds: planes[8]
//=     thread 0 of block 0; the array is int [8]
//=     the kernel ends here
//=     try: guard the access, or make the array as long as the largest index needs
//= index_past_arrays_alike.cu:25  of_member: index out of bounds: count[8]
//=     thread 0 of block 0; the array is int [8]
//=     the kernel ends here
//=     try: guard the access, or make the array as long as the largest index needs
