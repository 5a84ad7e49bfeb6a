/* device_launch_parameters.h: threadIdx and similar variables, which cuda_runtime.h declares. */
#include "cuda_runtime.h"
