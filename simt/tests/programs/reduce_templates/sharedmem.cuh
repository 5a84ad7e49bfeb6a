#ifndef _SHAREDMEM_H_
#define _SHAREDMEM_H_
/* Dynamic shared memory of any type: in a template, an extern array would give one name several types. */
template <typename T> struct SharedMemory {
    __device__ T *getPointer()
    {
        extern __device__ void error(void);
        error();
        return NULL;
    }
};
template <> struct SharedMemory<int> {
    __device__ int *getPointer()
    {
        extern __shared__ int s_int[];
        return s_int;
    }
};
template <> struct SharedMemory<double> {
    __device__ double *getPointer()
    {
        extern __shared__ double s_double[];
        return s_double;
    }
};
#endif
