#ifndef OPERATIONS_H
#define OPERATIONS_H
typedef int (*operation_t)(int, int);
enum { OP_ADD, OP_POWER, OP_FIB, OP_COUNT };
extern __device__ operation_t table[OP_COUNT];
extern __device__ int fibonacci(int n);
#endif
