#include "operations.h"

__device__ int add(int a, int b)
{
    return a + b;
}
__device__ int power(int base, int exponent)
{
    return exponent == 0 ? 1 : base * power(base, exponent - 1);
}
__device__ int fibonacci(int n)
{
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}
__device__ int fibonacci_of_sum(int a, int b)
{
    return fibonacci(a + b);
}

__device__ operation_t table[OP_COUNT] = {add, power, fibonacci_of_sum};
