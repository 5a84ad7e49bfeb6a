// Kernel parameters of classes with constructors and destructors: constructed once, in host code, and passed as bytes. And
// owners of memory that are passed for pointers, to kernels whose other parameters are deduced.
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

template <class T> struct array { // frees its memory at its end, so a copy of it would free the memory twice
    T *data;
    explicit array(size_t n) { cudaMalloc(&data, n * sizeof(T)); }
    ~array() { cudaFree(data); }
    operator T *() const { return data; }
};

template <class T> struct unique_array : array<T> {
    using array<T>::array;
    unique_array(const unique_array &) = delete;
};

struct twice {
    __device__ int operator()(int x) const { return 2 * x; }
};

template <class T> struct range {
    T *begin, *end;
    range(T *data, int n) : begin(data), end(data + n) {}
};

template <class F, class = decltype(F()(1))> __global__ void apply(const int *in, F f, int *out, int first)
{
    out[threadIdx.x] = f(in[threadIdx.x] + first);
}

template <int by, class T> __global__ void shift(range<T> all, T *out)
{
    out[(threadIdx.x + by) % blockDim.x] = all.begin[threadIdx.x];
}

static void pass_owners()
{
    array<int> in(4), out(4);
    unique_array<int> moved(4);
    int host[4];
    fill<<<1, 4>>>(view(in, 4));
    apply<<<1, 4>>>(in, twice(), out, {5});
    shift<1><<<1, 4>>>(range<int>(out, 4), moved.data);
    apply<<<1, 4>>>(moved, twice(), moved, 0);
    cudaMemcpy(host, moved, sizeof host, cudaMemcpyDeviceToHost);
    printf("owners: %d %d %d %d\n", host[0], host[1], host[2], host[3]);
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
    pass_owners();
    printf("PASS\n");
}
