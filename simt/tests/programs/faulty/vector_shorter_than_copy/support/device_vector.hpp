#pragma once
#include <cuda_runtime.h>
#include <vector>

template <class T> class device_vector
{
public:
    explicit device_vector(size_t n) : size_(n)
    {
        cudaMalloc(&data_, n * sizeof(T));
    }
    ~device_vector()
    {
        cudaFree(data_);
    }
    T *data() const
    {
        return data_;
    }
    /* Takes all of the host's vector, however long this one is. */
    void assign(const std::vector<T> &host)
    {
        cudaMemcpy(data_, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice);
    }

private:
    T *data_;
    size_t size_;
};
