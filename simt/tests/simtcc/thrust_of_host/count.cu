#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/sequence.h>

void count_down(thrust::device_vector<int> &values)
{
    values.resize(10);
    thrust::sequence(values.begin(), values.end(), 10, -1);
}

thrust::host_vector<int> fetched(const thrust::device_vector<int> &values)
{
    return values;
}
