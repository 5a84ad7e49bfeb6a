/* The matrix product of the CUDA C++ Programming Guide: structs by value, kernels in a header, launches with blanks. */
#include "matrix_kernel.cuh"
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

#define SAFE_CALL(call)                                                                                      \
    {                                                                                                        \
        cudaError_t err = call;                                                                              \
        if (cudaSuccess != err) {                                                                            \
            fprintf(stderr, "Cuda error in file '%s' in line %i : %s.\n", __FILE__, __LINE__,                \
                    cudaGetErrorString(err));                                                                \
            exit(EXIT_FAILURE);                                                                              \
        }                                                                                                    \
    }

static Matrix OnDevice(const Matrix M, int copy)
{
    Matrix d = M;
    size_t size = M.width * M.height * sizeof(float);
    SAFE_CALL(cudaMalloc((void **)&d.elements, size));
    if (copy)
        SAFE_CALL(cudaMemcpy(d.elements, M.elements, size, cudaMemcpyHostToDevice));
    return d;
}

extern "C" void MatMul(const Matrix A, const Matrix B, Matrix C)
{
    Matrix d_A = OnDevice(A, 1), d_B = OnDevice(B, 1), d_C = OnDevice(C, 0);
    cudaEvent_t start, stop;
    float ms = -1;
    SAFE_CALL(cudaEventCreate(&start));
    SAFE_CALL(cudaEventCreate(&stop));

    dim3 dimBlock(BLOCK_SIZE, BLOCK_SIZE);
    dim3 dimGrid(B.width / dimBlock.x, A.height / dimBlock.y);
    SAFE_CALL(cudaEventRecord(start, 0));
    MatMulKernel<<<dimGrid, dimBlock>>>(d_A, d_B, d_C);
    SAFE_CALL(cudaEventRecord(stop, 0));
    SAFE_CALL(cudaEventSynchronize(stop));
    SAFE_CALL(cudaEventElapsedTime(&ms, start, stop));
    SAFE_CALL(cudaGetLastError());

    SAFE_CALL(
        cudaMemcpy(C.elements, d_C.elements, C.width * C.height * sizeof(float), cudaMemcpyDeviceToHost));
    SAFE_CALL(cudaFree(d_A.elements));
    SAFE_CALL(cudaFree(d_B.elements));
    SAFE_CALL(cudaFree(d_C.elements));
    SAFE_CALL(cudaEventDestroy(start));
    SAFE_CALL(cudaEventDestroy(stop));
    printf("time %s\n", ms >= 0 ? "measured" : "missing");
}
