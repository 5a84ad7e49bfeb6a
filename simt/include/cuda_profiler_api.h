/* cuda_profiler_api.h: cudaProfilerStart and cudaProfilerStop, which cuda_runtime_api.h declares. */
#include "cuda_runtime_api.h"
