#ifndef BUFFERS_H
#define BUFFERS_H
#include <cuda_runtime.h>
#include <stddef.h>

/* A buffer that grows: its old memory is forgotten, not freed. */
struct buffer {
    float *data;
    size_t capacity;
};

static inline float *buffer_reserve(struct buffer *b, size_t floats)
{
    if (floats > b->capacity) {
        cudaMalloc((void **)&b->data, floats * sizeof(float));
        b->capacity = floats;
    }
    return b->data;
}

#endif
