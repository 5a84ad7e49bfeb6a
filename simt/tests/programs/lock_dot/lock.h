#ifndef __LOCK_H__
#define __LOCK_H__

/* A lock in device memory that is passed to kernels by value: all copies share its pointer. */
struct Lock {
    int *mutex;
    Lock(void)
    {
        int state = 0;
        HANDLE_ERROR(cudaMalloc((void **)&mutex, sizeof(int)));
        HANDLE_ERROR(cudaMemcpy(mutex, &state, sizeof(int), cudaMemcpyHostToDevice));
    }

    void release(void)
    {
        HANDLE_ERROR(cudaFree(mutex));
    }

    __device__ void lock(void)
    {
        while (atomicCAS(mutex, 0, 1) != 0)
            ;
        __threadfence();
    }

    __device__ void unlock(void)
    {
        __threadfence();
        atomicExch(mutex, 0);
    }
};

#endif
