#ifndef _H_KMEANS
#define _H_KMEANS

#include <assert.h>

/* error-checked malloc of a 2-D array, rows in one piece */
#define malloc2D(name, xDim, yDim, type)                                                                     \
    do {                                                                                                     \
        name = (type **)malloc(xDim * sizeof(type *));                                                       \
        assert(name != NULL);                                                                                \
        name[0] = (type *)malloc(xDim * yDim * sizeof(type));                                                \
        assert(name[0] != NULL);                                                                             \
        for (size_t i = 1; i < (size_t)(xDim); i++)                                                          \
            name[i] = name[i - 1] + yDim;                                                                    \
    } while (0)

float **cuda_kmeans(float **, int, int, int, int, int *, int *);
float **seq_kmeans(float **, int, int, int, int, int *, int *);

extern int _debug;

#endif
