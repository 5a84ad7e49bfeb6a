/* How fast the CPU device runs a kernel: exclusive scan of 512-element tiles by up-sweep and down-sweep.
 *
 * usage: blelloch [elements [runs]]     elements a multiple of 512
 *
 * Times the launch until the device is idle, by a steady clock: one warm-up, then the median of the runs.
 * Prints elements a second. blelloch.cl is the same kernel for Oclgrind. */
#include <cuda_runtime.h>

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define THREADS 256
#define TILE (2 * THREADS)

enum { DEFAULT_ELEMENTS = 1 << 20, DEFAULT_RUNS = 5, MAX_RUNS = 101 };

__global__ void scan_blelloch(const int *in, int *out)
{
    __shared__ int tree[TILE];
    const unsigned t = threadIdx.x;
    const size_t first = (size_t)blockIdx.x * TILE;

    tree[2 * t] = in[first + 2 * t];
    tree[2 * t + 1] = in[first + 2 * t + 1];

    for (unsigned stride = 1; stride < TILE; stride *= 2) {     /* up-sweep: leaves to root */
        __syncthreads();
        unsigned right = (t + 1) * stride * 2 - 1;
        if (right < TILE)
            tree[right] = tree[right - stride] + tree[right];
    }
    __syncthreads();
    if (t == 0)
        tree[TILE - 1] = 0;
    for (unsigned stride = TILE / 2; stride > 0; stride /= 2) { /* down-sweep: root to leaves */
        __syncthreads();
        unsigned right = (t + 1) * stride * 2 - 1;
        if (right < TILE) {
            int left_sum = tree[right - stride];
            tree[right - stride] = tree[right];
            tree[right] = tree[right] + left_sum;
        }
    }
    __syncthreads();
    out[first + 2 * t] = tree[2 * t];
    out[first + 2 * t + 1] = tree[2 * t + 1];
}

static void check(cudaError_t status, const char *what)
{
    if (status != cudaSuccess) {
        fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(status));
        exit(EXIT_FAILURE);
    }
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static int input_at(size_t i) { return (int)((unsigned)i * 2654435761u >> 12); }

int main(int argc, char **argv)
{
    const size_t n = argc > 1 ? strtoull(argv[1], NULL, 10) : (size_t)DEFAULT_ELEMENTS;
    const int runs = argc > 2 ? atoi(argv[2]) : (int)DEFAULT_RUNS;
    if (n == 0 || n % TILE != 0 || runs < 1 || runs > MAX_RUNS) {
        fprintf(stderr, "usage: %s [elements, a multiple of %d [runs, 1 to %d]]\n", argv[0], TILE, MAX_RUNS);
        return 2;
    }
    const size_t bytes = n * sizeof(int);
    int *host = (int *)malloc(bytes), *in = NULL, *out = NULL;
    double times[MAX_RUNS];

    if (host == NULL)
        return EXIT_FAILURE;
    for (size_t i = 0; i < n; i++)
        host[i] = input_at(i);
    check(cudaMalloc((void **)&in, bytes), "cudaMalloc");
    check(cudaMalloc((void **)&out, bytes), "cudaMalloc");
    check(cudaMemcpy(in, host, bytes, cudaMemcpyHostToDevice), "cudaMemcpy");

    for (int run = -1; run < runs; run++) {                     /* run -1 warms up */
        double begin = seconds();
        scan_blelloch<<<(unsigned)(n / TILE), THREADS>>>(in, out);
        check(cudaDeviceSynchronize(), "scan_blelloch");
        if (run >= 0)
            times[run] = seconds() - begin;
    }

    check(cudaMemcpy(host, out, bytes, cudaMemcpyDeviceToHost), "cudaMemcpy");
    unsigned sum = 0;
    for (size_t i = 0; i < n; i++) {
        if (i % TILE == 0)
            sum = 0;
        if ((unsigned)host[i] != sum) {
            fprintf(stderr, "wrong at %zu: %d, expected %u\n", i, host[i], sum);
            return EXIT_FAILURE;
        }
        sum += (unsigned)input_at(i);
    }
    qsort(times, (size_t)runs, sizeof times[0], ascending);
    printf("%.0f elements/s\n", (double)n / times[runs / 2]);
    check(cudaFree(in), "cudaFree");
    check(cudaFree(out), "cudaFree");
    free(host);
    return EXIT_SUCCESS;
}
