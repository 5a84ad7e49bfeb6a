/* sm_20_atomic_functions.h: a part of cuda_runtime.h. */
#include <cuda_runtime.h>
