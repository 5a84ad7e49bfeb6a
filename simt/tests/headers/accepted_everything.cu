/* Every header that a .cu file may include, twice, between those of the standard library. */
#include <vector>
#include <memory>
#include <cuda.h>
#include <cuda_runtime_api.h>
#include <cuda_runtime.h>
#include <cuda_profiler_api.h>
#include <device_launch_parameters.h>
#include <driver_types.h>
#include <math_constants.h>
#include <vector_functions.h>
#include <vector_types.h>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuComplex.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda/std/atomic>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#include <device_functions.h>
#include <driver_functions.h>
#include <host_defines.h>
#include <nvToolsExt.h>
#include <nvtx3/nvToolsExt.h>
#include <cuda/atomic>
#include <algorithm>
#include <array>
#include <assert.h>
#include <atomic>
#include <chrono>
#include <cmath>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <functional>
#include <iostream>
#include <limits>
#include <map>
#include <math.h>
#include <numeric>
#include <random>
#include <shared_mutex>
#include <sstream>
#include <stdlib.h>
#include <string>
#include <thread>
#include <time.h>
#include <tuple>
#include <unordered_map>
#include <cuda_runtime.h>
#include <cooperative_groups.h>
#include <cuda/atomic>

using namespace std;
using namespace cooperative_groups;

__global__ void uses(float *out, int n)
{
    out[0] = min(out[1], out[2]) + max(n, 3) + abs(out[3]) + fabs(out[4]) + std::abs(out[5]) + pow(out[6], 2);
    out[7] = CUDART_INF_F + sqrt(out[8]) + sqrtf(out[9]) + isnan(out[10]) + (float)clock();
    this_thread_block().sync();
}

int main()
{
    clock_t start = clock();
    unique_ptr<int[]> owned(new int[4]);
    vector<string> words(3, "a word that is too long for its own object");
    uses<<<1, 1>>>(nullptr, (int)words.size() + owned[0] + min(1, 2) + std::max(3, numeric_limits<int>::min()));
    return clock() < start;
}
