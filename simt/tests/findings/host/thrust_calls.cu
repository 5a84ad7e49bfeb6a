/* Mistakes in calls of Thrust: a finding names the line of the call, or that of the functor. */
#include "pair.h"

#include <stdlib.h>
#include <thrust/copy.h>
#include <thrust/device_ptr.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/reduce.h>
#include <thrust/system_error.h>
#include <thrust/transform.h>

/* expect: read of uninitialized */
PAIR(reduce_of_what_was_not_written)
{
    int *raw = NULL;
    must(cudaMalloc((void **)&raw, 40));
    if (!faulty)
        must(cudaMemset(raw, 0, 40));
    const thrust::device_ptr<int> begin = thrust::device_pointer_cast(raw);
    thrust::reduce(begin, begin + 10); //!
}

/* expect: write out of bounds */
PAIR(copy_into_a_short_vector)
{
    thrust::device_vector<int> from(20, 1);
    thrust::device_vector<int> to(faulty ? 10 : 20);
    try {
        thrust::copy(from.begin(), from.end(), to.begin()); //!
    } catch (const thrust::system_error &error) {
        printf("%s\n", error.what());
        exit(EXIT_SUCCESS); /* the vectors cannot be freed after an error */
    }
}

struct look_up {
    const int *table;
    int n;

    __device__ int operator()(int i) const
    {
        return i < n ? table[i] : -1; //!
    }
};

/* expect: read out of bounds */
PAIR(functor_reads_past_the_end)
{
    thrust::device_vector<int> table(8, 5), indices(10, 8);
    const look_up functor = {thrust::raw_pointer_cast(table.data()), faulty ? 9 : 8};
    try {
        thrust::transform(indices.begin(), indices.end(), indices.begin(), functor);
    } catch (const thrust::system_error &error) {
        printf("%s\n", error.what());
        exit(EXIT_SUCCESS); /* the vectors cannot be freed after an error */
    }
}

__global__ void write(int *out)
{
    out[threadIdx.x] = 1; //!
}

/* expect: race on */
PAIR(reduce_in_another_stream)
{
    cudaStream_t one, two;
    int *out = zeros<int>(32);
    must(cudaStreamCreate(&one));
    must(cudaStreamCreate(&two));
    write<<<1, 32, 0, one>>>(out);
    if (!faulty)
        must(cudaStreamSynchronize(one));
    thrust::reduce(thrust::cuda::par.on(two), out, out + 32); //!
}
