/* cuda.h: the driver API, of which the CPU device has nothing but the version; programs often include it
 * next to cuda_runtime.h and use no more. */
#ifndef SIMT_CUDA_H
#define SIMT_CUDA_H

#define CUDA_VERSION 13000

#endif
