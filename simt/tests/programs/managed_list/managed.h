#pragma once
#include <cuda_runtime.h>
#include <cstddef>
class Managed
{
  public:
    void *operator new(size_t len)
    {
        void *ptr;
        cudaMallocManaged(&ptr, len);
        cudaDeviceSynchronize();
        return ptr;
    }
    void operator delete(void *ptr)
    {
        cudaDeviceSynchronize();
        cudaFree(ptr);
    }
};
struct Node : public Managed {
    int value;
    Node *next;
    Node(int v, Node *n) : value(v), next(n)
    {
    }
    __host__ __device__ int sum() const
    {
        int total = 0;
        for (const Node *node = this; node; node = node->next)
            total += node->value;
        return total;
    }
};
struct Result {
    int sum, length;
    float mean;
};
Result walk(Node *list);
