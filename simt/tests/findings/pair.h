/* pair.h: the main function of the pairs in this folder, which check_findings.py runs. A pair is a test that makes a
 * mistake when called with `faulty`, and is right when called with `clean`. A file has one or more pairs, each as
 *
 *     PAIR(its_name)
 *     {
 *         kernel<<<1, 32>>>(faulty);
 *     }
 *
 * and `PROGRAM faulty|clean NAME` runs one of them. */
#ifndef PAIR_H
#define PAIR_H

#include <cuda_runtime.h>

#include <stdio.h>
#include <string.h>

struct pair {
    const char *name;
    void (*run)(bool faulty);
    const struct pair *next;
};

static const struct pair *&pairs()
{
    static const struct pair *first = NULL;
    return first;
}

static bool pair_add(struct pair *pair)
{
    pair->next = pairs();
    pairs() = pair;
    return true;
}

#define PAIR(name)                                                                                           \
    static void pair_##name(bool faulty);                                                                    \
    static struct pair pair_of_##name = {#name, pair_##name, NULL};                                          \
    [[maybe_unused]] static const bool pair_added_##name = pair_add(&pair_of_##name);                        \
    static void pair_##name(bool faulty)

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
    const struct pair *pair = argc == 3 ? pairs() : NULL;
    while (pair != NULL && strcmp(pair->name, argv[2]) != 0)
        pair = pair->next;
    if (pair == NULL || (strcmp(argv[1], "faulty") != 0 && strcmp(argv[1], "clean") != 0)) {
        fprintf(stderr, "usage: %s faulty|clean NAME\n", argv[0]);
        return 2;
    }
    pair->run(strcmp(argv[1], "faulty") == 0);
    cudaDeviceSynchronize(); /* the faulty program may end in an error */
    return 0;
}

#endif
