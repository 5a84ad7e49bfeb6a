/* stock by hand: the harness's scans without their header. The device has them, for other labs.
 *
 * parts: reduce_tile reduce_tile_packed reduce mean
 * says: and its contract allows no stock function */
#include "reduction.h"

/* What the harness links to the labs that have it. */
extern "C" void stock_scan_values(const void *in, void *out, size_t n, size_t size, void (*add)(void *, const void *),
                                  const void *identity);
extern "C" void stock_reduce_values(const void *in, size_t n, size_t size, void (*add)(void *, const void *),
                                    void *result);

static void add(void *left, const void *right)
{
    *(elem_t *)left = combine(*(elem_t *)left, *(const elem_t *)right);
}

static const elem_t identity = IDENTITY;

void reduce_tile(const elem_t *in, elem_t *out, size_t n)
{
    elem_t sum = IDENTITY;
    stock_reduce_values(in, n, sizeof *in, add, &sum);
    cudaMemcpy(out, &sum, sizeof sum, cudaMemcpyHostToDevice);
}

void reduce_tile_packed(const elem_t *in, elem_t *out, size_t n)
{
    elem_t sum = IDENTITY;
    stock_reduce_values(in, n, sizeof *in, add, &sum);
    cudaMemcpy(out, &sum, sizeof sum, cudaMemcpyHostToDevice);
}

void reduce(const elem_t *in, elem_t *out, size_t n)
{
    elem_t sum = IDENTITY;
    stock_reduce_values(in, n, sizeof *in, add, &sum);
    cudaMemcpy(out, &sum, sizeof sum, cudaMemcpyHostToDevice);
}

#if MONOID == MONOID_FLOAT_SUM
void mean(const float *in, float *out, size_t n)
{
    float sum;
    reduce(in, out, n);
    cudaMemcpy(&sum, out, sizeof sum, cudaMemcpyDeviceToHost);
    sum /= (float)n;
    cudaMemcpy(out, &sum, sizeof sum, cudaMemcpyHostToDevice);
}
#endif
