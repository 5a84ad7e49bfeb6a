/* The loop over the input is in the operator of a reduction of two values, whose one combine does everything in a function of
 * the harness. Loads and stores of 16 bytes keep the span short.
 *
 * parts: write_lines polynomial_value
 * says: instructions */
#include "applications.h"
#include <initializer_list>

enum { THREADS = 256 };

static unsigned blocks_for(size_t n)
{
    return (unsigned)((n + THREADS - 1) / THREADS);
}

__device__ size_t own_element()
{
    return (size_t)blockIdx.x * THREADS + threadIdx.x;
}

/* A loop of the host's choice over quads: of four numbers, or of 16 lengths of a byte. */
struct job {
    enum { NONE, POLYNOMIAL, LINES } kind;
    const uint4 *in;
    uint4 *out;
    size_t quads;
    unsigned x, result;
};

struct does_a_job {
    typedef job value;
    static __host__ __device__ value identity() { return value{}; }
    static __host__ __device__ __forceinline__ value combine(value left, value right)
    {
        unsigned sum = 0;
        if (right.kind == job::POLYNOMIAL)
            for (size_t i = right.quads; i-- > 0;) {
                uint4 c = right.in[i];
                sum     = (((sum * right.x + c.w) * right.x + c.z) * right.x + c.y) * right.x + c.x;
            }
        if (right.kind == job::LINES)
            for (size_t i = 0; i < right.quads; i++) {
                uint4 lengths = right.in[i];
                for (unsigned four : {lengths.x, lengths.y, lengths.z, lengths.w}) {
                    uint4 ends;
                    ends.x = sum += four & 255;
                    ends.y = sum += four >> 8 & 255;
                    ends.z = sum += four >> 16 & 255;
                    ends.w = sum += four >> 24;
                    *right.out++ = ends;
                }
            }
        left.result = sum;
        return left;
    }
};

static unsigned result_of(job whole)
{
    job two[2] = {job{}, whole}, *jobs;
    cudaMalloc(&jobs, sizeof two);
    cudaMemcpy(jobs, two, sizeof two, cudaMemcpyHostToDevice);
    unsigned result = stock_reduce<does_a_job>(jobs, 2).result;
    cudaFree(jobs);
    return result;
}

__global__ void copy_kernel(const unsigned *from, unsigned *to, size_t n, size_t room)
{
    size_t i = own_element();
    if (i < room)
        to[i] = i < n ? from[i] : 0;
}

unsigned polynomial_value(const unsigned *c, size_t n, unsigned x)
{
    size_t room = (n + 3) / 4 * 4;
    unsigned *aligned;
    if (n == 0)
        return 0;
    cudaMalloc(&aligned, room * sizeof *aligned);
    copy_kernel<<<blocks_for(room), THREADS>>>(c, aligned, n, room);
    unsigned value = result_of(job{job::POLYNOMIAL, (const uint4 *)aligned, NULL, room / 4, x, 0});
    cudaFree(aligned);
    return value;
}

__global__ void measure_kernel(const unsigned *numbers, unsigned char *lengths, size_t n, size_t room)
{
    size_t i = own_element();
    if (i >= room)
        return;
    unsigned length = i < n ? 2 : 0;
    for (unsigned rest = i < n ? numbers[i] : 0; rest >= 10; rest /= 10)
        length++;
    lengths[i] = (unsigned char)length;
}

__global__ void write_kernel(const unsigned *numbers, const unsigned *ends, unsigned char *out, size_t n)
{
    size_t i = own_element();
    if (i >= n)
        return;
    unsigned rest = numbers[i], place = ends[i];
    out[--place]  = '\n';
    do {
        out[--place] = (unsigned char)('0' + rest % 10);
        rest /= 10;
    } while (rest > 0);
}

size_t write_lines(const unsigned *numbers, unsigned char *out, size_t n)
{
    size_t room = (n + 15) / 16 * 16;
    unsigned char *lengths;
    unsigned *ends;
    if (n == 0)
        return 0;
    cudaMalloc(&lengths, room);
    cudaMalloc(&ends, room * sizeof *ends);
    measure_kernel<<<blocks_for(room), THREADS>>>(numbers, lengths, n, room);
    unsigned length = result_of(job{job::LINES, (const uint4 *)lengths, (uint4 *)ends, room / 16, 0, 0});
    write_kernel<<<blocks_for(n), THREADS>>>(numbers, ends, out, n);
    cudaFree(lengths);
    cudaFree(ends);
    return length;
}
