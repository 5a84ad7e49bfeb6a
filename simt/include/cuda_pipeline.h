/* cuda_pipeline.h: copies into shared memory that a thread waits for. They are done at once. C++. */
#ifndef SIMT_CUDA_PIPELINE_H
#define SIMT_CUDA_PIPELINE_H

#include "cuda/pipeline"

SIMT_DEVICE_INLINE void __pipeline_memcpy_async(void *to, const void *from, size_t bytes, size_t __zeros = 0)
{
    cuda::simt_copy_by(cuda::simt_one_thread(), to, from, bytes - __zeros);
    for (size_t i = bytes - __zeros; i < bytes; i++)
        ((char *)to)[i] = 0;
}
SIMT_DEVICE_INLINE void __pipeline_commit()
{
}
SIMT_DEVICE_INLINE void __pipeline_wait_prior(unsigned)
{
}

#endif
