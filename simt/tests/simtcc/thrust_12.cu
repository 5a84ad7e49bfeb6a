/* What Thrust and CUB have lost with CUDA 13. */
#include <cub/cub.cuh>
#include <thrust/device_vector.h>
#include <thrust/functional.h>
#include <thrust/transform_reduce.h>
#include <cstdio>

struct twice : public thrust::unary_function<int, int> {
    __host__ __device__ result_type operator()(argument_type x) const { return 2 * x; }
};

int main()
{
    thrust::device_vector<int> ones(10, 1);
    int *sum;
    void *storage = nullptr;
    size_t bytes = 0;
    cub::TransformInputIterator<int, twice, cub::CountingInputIterator<int>> even(cub::CountingInputIterator<int>(1), twice());
    cudaMallocManaged(&sum, sizeof(int));
    cub::DeviceReduce::Reduce(storage, bytes, even, sum, 4, cub::Max(), 0);
    cudaMalloc(&storage, bytes);
    cub::DeviceReduce::Reduce(storage, bytes, even, sum, 4, cub::Max(), 0);
    cudaDeviceSynchronize();
    printf("%d %d %d\n", *sum, thrust::transform_reduce(ones.begin(), ones.end(), twice(), 0, thrust::plus<int>()),
           thrust::transform_reduce(ones.begin(), ones.end(), thrust::identity<int>(), 0, thrust::plus<int>()));
}
