// What the files share: device code that another file defines, and a class template of host and device functions.
#ifndef PHYSICS_CUH
#define PHYSICS_CUH
#include <vector>

extern __device__ unsigned steps;
__device__ int kick(int velocity, int by);

template <typename T> class buffer {
    T *data;
    int length;

public:
    explicit buffer(int n) : length(n) { cudaMallocManaged(&data, n * sizeof(T)); }
    void release() { cudaFree(data); }
    std::vector<T> download() const
    {
        if (cudaDeviceSynchronize() != cudaSuccess)
            throw 1;
        return std::vector<T>(data, data + length);
    }
    T *at_host(int i) const { return data + i; }
    __device__ T &operator()(int i) const { return data[i]; }
    __host__ __device__ int size() const { return length; }
};
#endif
