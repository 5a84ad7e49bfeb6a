#include <cuda.h>
#include <cuda_runtime.h>
#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/remove.h>
#include <thrust/scan.h>
#include <thrust/sort.h>
#include "common.h"
#include "thrust.h"

namespace StreamCompaction {
namespace Thrust {

using StreamCompaction::Common::PerformanceTimer;

PerformanceTimer &timer()
{
    static PerformanceTimer timer;
    return timer;
}

struct is_zero {
    __host__ __device__ bool operator()(const int x) const { return x == 0; }
};

void scan(int n, int *odata, const int *idata)
{
    thrust::host_vector<int> host_in(idata, idata + n);
    thrust::device_vector<int> dv_in = host_in;
    thrust::device_vector<int> dv_out(n);

    timer().startGpuTimer();
    thrust::exclusive_scan(dv_in.begin(), dv_in.end(), dv_out.begin());
    timer().endGpuTimer();

    thrust::copy(dv_out.begin(), dv_out.end(), odata);
}

int compact(int n, int *odata, const int *idata)
{
    thrust::device_vector<int> dv_data(idata, idata + n);

    timer().startGpuTimer();
    auto new_end = thrust::remove_if(dv_data.begin(), dv_data.end(), is_zero());
    timer().endGpuTimer();

    thrust::copy(dv_data.begin(), new_end, odata);
    return static_cast<int>(new_end - dv_data.begin());
}

void sort(int n, int *odata, const int *idata)
{
    thrust::device_vector<int> dv_data(idata, idata + n);

    timer().startGpuTimer();
    thrust::sort(dv_data.begin(), dv_data.end());
    timer().endGpuTimer();

    thrust::copy(dv_data.begin(), dv_data.end(), odata);
}

} // namespace Thrust
} // namespace StreamCompaction
