/* printf and assert on the device, by one thread at a time in stream order, so that the lines have one order. */
#include "program.h"

#include <assert.h>

struct Triangle {
    int a, b, c;
};

__global__ void tell(Triangle triangle, const char *name, const char *from_device_memory)
{
    assert(triangle.a <= triangle.b && triangle.b <= triangle.c);
    printf("triangle %d %d %d\n", triangle.a, triangle.b, triangle.c);
    if (triangle.a * triangle.a + triangle.b * triangle.b == triangle.c * triangle.c)
        printf("  %s right angle%c\n", "has a", '!');
    if (name == NULL && from_device_memory != NULL)
        printf("  text %s\n", from_device_memory);
}

__global__ void formats(int i, unsigned u, long long big, float f, double d)
{
    printf("[%d] [%5d] [%-5d] [%05d] [%+d]\n", i, i, i, i, i);
    printf("[%u] [%x] [%X] [%#x] [%o]\n", u, u, u, u, u);
    printf("[%lld] [%llx] [%c] [%%] [%i]\n", big, (unsigned long long)big, 'c', (int)sizeof(float4));
    printf("[%f] [%.2f] [%8.3f] [%e] [%g]\n", f, f, d, d, d);
    printf("[%10s] [%-10s] [%.3s]\n", "right", "left", "truncated");
}

/* Each thread in turn: the order of the loop is the order of the lines. */
__global__ void in_turn(const int *values)
{
    for (unsigned t = 0; t < blockDim.x; t++) {
        if (threadIdx.x == t)
            printf("thread %u of block %u holds %d\n", threadIdx.x, blockIdx.x, values[threadIdx.x]);
        __syncthreads();
    }
}

__global__ void only_if_wrong(const int *values, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        if (values[i] < 0)
            printf("a negative value at %d\n", i);
        assert(values[i] >= 0);
    }
}

int main()
{
    const char text[] = "in device memory";
    char *copy;
    CUDA_CHECK(cudaMalloc(&copy, sizeof text));
    CUDA_CHECK(cudaMemcpy(copy, text, sizeof text, cudaMemcpyHostToDevice));
    std::vector<int> values;
    for (int i = 0; i < 300; i++)
        values.push_back(i * i % 17);
    int *device_values = to_device(values);

    printf("before\n");
    fflush(stdout);
    tell<<<1, 1>>>(Triangle{3, 4, 5}, NULL, NULL);
    tell<<<1, 1>>>(Triangle{4, 5, 6}, NULL, copy);
    formats<<<1, 1>>>(-42, 3000000000u, -1234567890123456789ll, 1.5f, -2.25);
    in_turn<<<1, 7>>>(device_values);
    only_if_wrong<<<3, 128>>>(device_values, 300);
    CUDA_CHECK(cudaDeviceSynchronize());
    fflush(stdout);
    printf("after\n");
    in_turn<<<1, 2>>>(device_values + 100);
    CUDA_CHECK(cudaDeviceSynchronize());
    CUDA_CHECK(cudaFree(copy));
    CUDA_CHECK(cudaFree(device_values));
    return program_end();
}
