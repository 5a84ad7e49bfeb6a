/* cuda.h: the driver API. The CPU device has nothing of it but the version; programs often include this header next
 * to cuda_runtime.h without using more. */
#ifndef SIMT_CUDA_H
#define SIMT_CUDA_H

#define CUDA_VERSION 13000

#endif
