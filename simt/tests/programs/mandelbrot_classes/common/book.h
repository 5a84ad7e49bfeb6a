#ifndef __BOOK_H__
#define __BOOK_H__
#include <stdio.h>
#include <stdlib.h>

static void HandleError(cudaError_t err, const char *file, int line)
{
    if (err != cudaSuccess) {
        printf("%s in %s at line %d\n", cudaGetErrorString(err), file, line);
        exit(EXIT_FAILURE);
    }
}
#define HANDLE_ERROR(err) (HandleError(err, __FILE__, __LINE__))

#define HANDLE_NULL(a)                                                                                       \
    {                                                                                                        \
        if (a == NULL) {                                                                                     \
            printf("Host memory failed in %s at line %d\n", __FILE__, __LINE__);                             \
            exit(EXIT_FAILURE);                                                                              \
        }                                                                                                    \
    }

template <typename T> void swap(T &a, T &b)
{
    T t = a;
    a = b;
    b = t;
}

/* Hue to colour: on the device and on the host. */
__device__ __host__ unsigned char value(float n1, float n2, int hue)
{
    if (hue > 360)
        hue -= 360;
    else if (hue < 0)
        hue += 360;

    if (hue < 60)
        return (unsigned char)(255 * (n1 + (n2 - n1) * hue / 60));
    if (hue < 180)
        return (unsigned char)(255 * n2);
    if (hue < 240)
        return (unsigned char)(255 * (n1 + (n2 - n1) * (240 - hue) / 60));
    return (unsigned char)(255 * n1);
}

#endif
