/* One allocation takes all of the device's memory, but only two of its bytes are used. */
#include <cstdio>
#include <sys/resource.h>

__global__ void ends(char *data, size_t n)
{
    data[0]     = 1;
    data[n - 1] = 2;
}

int main()
{
    const size_t n = (size_t)8 << 30;
    char *data = nullptr, last = 0;
    if (cudaMalloc(&data, n) != cudaSuccess)
        return 1;
    ends<<<1, 1>>>(data, n);
    cudaMemcpy(&last, data + n - 1, 1, cudaMemcpyDeviceToHost);
    cudaFree(data);
    rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    printf("the last byte is %d, 8 GiB took %s 1\n", last, usage.ru_maxrss < 1 << 20 ? "less than" : "more than");
    return 0;
}
