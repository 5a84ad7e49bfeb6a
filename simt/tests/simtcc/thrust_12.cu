/* What Thrust has lost with CUDA 13. */
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
    printf("%d %d\n", thrust::transform_reduce(ones.begin(), ones.end(), twice(), 0, thrust::plus<int>()),
           thrust::transform_reduce(ones.begin(), ones.end(), thrust::identity<int>(), 0, thrust::plus<int>()));
}
