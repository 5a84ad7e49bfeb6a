/* A matrix that is passed to kernels by value, row by row; a part of another matrix has that matrix's stride. */
#ifndef MATRIX_H
#define MATRIX_H

#define BLOCK_SIZE 16

typedef struct {
    int width, height, stride;
    float *elements;
} Matrix;

#ifdef __cplusplus
extern "C"
#endif
    void
    MatMul(const Matrix A, const Matrix B, Matrix C);

#endif
