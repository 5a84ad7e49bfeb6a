// Kernel parameters of classes with constructors and destructors: constructed once, in host code, and passed as bytes.
#include <cstdio>
#include <cuda_runtime.h>
#include <utility>

static int alive;

struct view { // its copies share the memory
    int *data, n;
    view(int *data_, int n_) : data(data_), n(n_) { alive++; }
    view(const view &other) : data(other.data), n(other.n) { alive++; }
    ~view() { alive--; }
};

struct owner { // can only be moved
    int *data, add;
    owner(int *data_, int add_) : data(data_), add(add_) {}
    owner(const owner &) = default;
    owner(owner &&other) : data(other.data), add(other.add) { other.data = nullptr; }
};

__global__ void fill(view v)
{
    for (int i = threadIdx.x; i < v.n; i += blockDim.x)
        v.data[i] = 10 * i;
}

template <class T> __global__ void increase(T by)
{
    by.data[threadIdx.x] += by.add;
}

int main()
{
    int *data, host[6];
    cudaMalloc(&data, sizeof host);
    {
        view all(data, 6), half(data, 3);
        fill<<<1, 4>>>(all);
        fill<<<1, 1>>>(view(data, 2));
        fill<<<1, 1>>>(half);
    }
    cudaDeviceSynchronize();
    printf("alive: %d\n", alive);
    owner one(data, 1);
    increase<<<1, 6>>>(one);
    increase<<<1, 3>>>(owner(data, 2));
    increase<owner><<<1, 2>>>(std::move(one));
    printf("moved: %d\n", one.data == nullptr);
    cudaMemcpy(host, data, sizeof host, cudaMemcpyDeviceToHost);
    for (int value : host)
        printf("%d\n", value);
    cudaFree(data);
    printf("PASS\n");
}
