/* pair.h: what the programs of this folder share. Each is one pair: run with the argument `faulty` it makes a
 * mistake, with `clean` it does the same right. It defines run(); main() is here. */
#ifndef PAIR_H
#define PAIR_H

#include <cuda_runtime.h>

#include <stdio.h>
#include <string.h>

static void run(bool faulty);

static void must(cudaError_t status)
{
    if (status != cudaSuccess)
        printf("%s\n", cudaGetErrorString(status));
}

/* n elements in device memory, all 0. */
template <class T> static T *zeros(size_t n)
{
    T *array = NULL;
    must(cudaMalloc((void **)&array, n * sizeof(T)));
    must(cudaMemset(array, 0, n * sizeof(T)));
    return array;
}

int main(int argc, char **argv)
{
    if (argc != 2 || (strcmp(argv[1], "faulty") != 0 && strcmp(argv[1], "clean") != 0)) {
        fprintf(stderr, "usage: %s faulty|clean\n", argv[0]);
        return 2;
    }
    run(strcmp(argv[1], "faulty") == 0);
    cudaDeviceSynchronize(); /* a faulty one may end in an error */
    return 0;
}

#endif
