/* device_launch_parameters.h: threadIdx and its like, which cuda_runtime.h declares. */
#include "cuda_runtime.h"
