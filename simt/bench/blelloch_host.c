/* Runs blelloch.cl and prints elements a second: what Oclgrind does on the kernel of blelloch.cu.
 *
 * usage: oclgrind blelloch_host path/to/blelloch.cl [elements [runs]]     elements a multiple of 512
 *
 * Times the launch until the queue is empty, by a steady clock: one warm-up, then the median of the runs. */
#define CL_TARGET_OPENCL_VERSION 120

#include <CL/cl.h>

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum {
    THREADS = 256,
    TILE = 2 * THREADS,
    DEFAULT_ELEMENTS = 1 << 16,
    DEFAULT_RUNS = 3,
    MAX_RUNS = 101,
    MAX_SOURCE = 1 << 16
};

static void check(cl_int status, const char *what)
{
    if (status != CL_SUCCESS) {
        fprintf(stderr, "%s: OpenCL error %d\n", what, (int)status);
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

static int input_at(size_t i)
{
    return (int)((unsigned)i * 2654435761u >> 12);
}

/* The program in the file at path, built; never NULL. */
static cl_program load(cl_context context, cl_device_id device, const char *path)
{
    static char source[MAX_SOURCE];
    const char *text = source;
    cl_int status;

    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        perror(path);
        exit(EXIT_FAILURE);
    }
    size_t length = fread(source, 1, sizeof source, file);
    fclose(file);
    cl_program program = clCreateProgramWithSource(context, 1, &text, &length, &status);
    check(status, "clCreateProgramWithSource");
    check(clBuildProgram(program, 1, &device, "", NULL, NULL), "clBuildProgram");
    return program;
}

/* True if out contains the exclusive scan of every tile. */
static int is_scanned(const int *out, size_t n)
{
    unsigned sum = 0;
    for (size_t i = 0; i < n; i++) {
        if (i % TILE == 0)
            sum = 0;
        if ((unsigned)out[i] != sum) {
            fprintf(stderr, "wrong at %zu: %d, expected %u\n", i, out[i], sum);
            return 0;
        }
        sum += (unsigned)input_at(i);
    }
    return 1;
}

int main(int argc, char **argv)
{
    const size_t n = argc > 2 ? strtoull(argv[2], NULL, 10) : DEFAULT_ELEMENTS;
    const int runs = argc > 3 ? atoi(argv[3]) : DEFAULT_RUNS;
    if (argc < 2 || n == 0 || n % TILE != 0 || runs < 1 || runs > MAX_RUNS) {
        fprintf(stderr, "usage: %s blelloch.cl [elements, a multiple of %d [runs, 1 to %d]]\n", argv[0],
                (int)TILE, (int)MAX_RUNS);
        return 2;
    }

    cl_platform_id platform;
    cl_device_id device;
    cl_int status;
    check(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "clGetDeviceIDs");
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    check(status, "clCreateContext");
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &status);
    check(status, "clCreateCommandQueue");
    cl_program program = load(context, device, argv[1]);
    cl_kernel kernel = clCreateKernel(program, "scan_blelloch", &status);
    check(status, "clCreateKernel");

    const size_t bytes = n * sizeof(int);
    int *host = malloc(bytes);
    if (host == NULL)
        return EXIT_FAILURE;
    for (size_t i = 0; i < n; i++)
        host[i] = input_at(i);
    cl_mem in = clCreateBuffer(context, CL_MEM_READ_ONLY, bytes, NULL, &status);
    check(status, "clCreateBuffer");
    cl_mem out = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, NULL, &status);
    check(status, "clCreateBuffer");
    check(clEnqueueWriteBuffer(queue, in, CL_TRUE, 0, bytes, host, 0, NULL, NULL), "clEnqueueWriteBuffer");
    check(clSetKernelArg(kernel, 0, sizeof in, &in), "clSetKernelArg");
    check(clSetKernelArg(kernel, 1, sizeof out, &out), "clSetKernelArg");

    const size_t local = THREADS, global = n / 2;
    double times[MAX_RUNS];
    for (int run = -1; run < runs; run++) { /* run -1 warms up */
        double begin = seconds();
        check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL),
              "clEnqueueNDRangeKernel");
        check(clFinish(queue), "clFinish");
        if (run >= 0)
            times[run] = seconds() - begin;
    }

    check(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, bytes, host, 0, NULL, NULL), "clEnqueueReadBuffer");
    if (!is_scanned(host, n))
        return EXIT_FAILURE;
    qsort(times, (size_t)runs, sizeof times[0], ascending);
    printf("%.0f elements/s\n", (double)n / times[runs / 2]);

    clReleaseMemObject(in);
    clReleaseMemObject(out);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    free(host);
    return EXIT_SUCCESS;
}
