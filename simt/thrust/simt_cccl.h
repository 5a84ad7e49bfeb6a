/* simt_cccl.h: configures NVIDIA's headers of Thrust and cuda::std for g++. C++, read by simtcc before a source that
 * includes one of them. */
#ifndef SIMT_CCCL_H
#define SIMT_CCCL_H

#include "../include/cuda_runtime.h"

/* These macros choose nvcc's code in the headers when they are configured. */
#pragma push_macro("__CUDACC__")
#pragma push_macro("__CUDA_ARCH__")
#undef __CUDACC__
#undef __CUDA_ARCH__
#define CCCL_DISABLE_FP16_SUPPORT /* else they need the toolkit's formats of 8 bits and less */
/* Messages name a function without the version and the architectures. */
#define CUB_DISABLE_NAMESPACE_MAGIC
#define CUB_IGNORE_NAMESPACE_MAGIC_ERROR
#include <cuda/__cccl_config>
#include <nv/target>
#pragma pop_macro("__CUDACC__")
#pragma pop_macro("__CUDA_ARCH__")

#endif
