/* A matrix that goes to kernels by value. Row by row; a part of another one has its stride. */
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
