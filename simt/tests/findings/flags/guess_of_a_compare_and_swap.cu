/* atomicAdd for double by atomicCAS, as in the CUDA C++ Programming Guide: the first read is plain. Where it reads too early, the
 * compare-and-swap fails and the loop goes on, so this is a warning.
 * expect: warning: a plain read of */
#include "pair.h"

__global__ void sum(double *total, bool faulty)
{
    unsigned long long *bits = (unsigned long long *)total, assumed, old;
    if (faulty)
        old = *bits; //! read
    else
        old = *(volatile unsigned long long *)bits;
    do {
        assumed = old;
        old = atomicCAS(bits, assumed, __double_as_longlong(1.0 + __longlong_as_double(assumed))); //! swap
    } while (assumed != old);
}

PAIR(guess_of_a_compare_and_swap)
{
    sum<<<4, 64>>>(zeros<double>(1), faulty);
}
