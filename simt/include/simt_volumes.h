/* simt_volumes.h: allocations and copies in three dimensions, made slice by slice. C++, internal to cuda_runtime.h.
 * There are no CUDA arrays, so positions and widths are in bytes. Findings name the two-dimensional call that
 * copies a slice. */
#ifndef SIMT_VOLUMES_H
#define SIMT_VOLUMES_H

#include "simt_host_arrays.h"

struct cudaExtent {
    size_t width, height, depth;
};
struct cudaPos {
    size_t x, y, z;
};
struct cudaPitchedPtr {
    void *ptr;
    size_t pitch, xsize, ysize;
};
struct cudaMemcpy3DParms {
    cudaArray_t srcArray;
    cudaPos srcPos;
    cudaPitchedPtr srcPtr;
    cudaArray_t dstArray;
    cudaPos dstPos;
    cudaPitchedPtr dstPtr;
    cudaExtent extent;
    cudaMemcpyKind kind;
};

inline cudaExtent make_cudaExtent(size_t w, size_t h, size_t d)
{
    return cudaExtent{w, h, d};
}
inline cudaPos make_cudaPos(size_t x, size_t y, size_t z)
{
    return cudaPos{x, y, z};
}
inline cudaPitchedPtr make_cudaPitchedPtr(void *d, size_t p, size_t xsz, size_t ysz)
{
    return cudaPitchedPtr{d, p, xsz, ysz};
}

namespace simt
{
inline char *__slice_of(const cudaPitchedPtr &__volume, size_t z)
{
    return (char *)__volume.ptr + z * __volume.pitch * __volume.ysize;
}
inline char *__place_in(const cudaPitchedPtr &__volume, const cudaPos &__at, size_t z)
{
    return __slice_of(__volume, __at.z + z) + __at.y * __volume.pitch + __at.x;
}
} // namespace simt

/* A finding names the caller's line. */
#define SIMT_SLICES inline __attribute__((__always_inline__, __artificial__)) cudaError_t

SIMT_SLICES cudaMalloc3D(cudaPitchedPtr *pitchedDevPtr, cudaExtent extent)
{
    *pitchedDevPtr = make_cudaPitchedPtr(NULL, 0, extent.width, extent.height);
    return cudaMallocPitch(&pitchedDevPtr->ptr, &pitchedDevPtr->pitch, extent.width,
                           extent.height * extent.depth);
}

SIMT_SLICES cudaMemset3D(cudaPitchedPtr pitchedDevPtr, int value, cudaExtent extent)
{
    cudaError_t error = cudaSuccess;
    for (size_t z = 0; !error && z < extent.depth; z++)
        error = cudaMemset2D(simt::__slice_of(pitchedDevPtr, z), pitchedDevPtr.pitch, value, extent.width,
                             extent.height);
    return error;
}

SIMT_SLICES cudaMemset3DAsync(cudaPitchedPtr pitchedDevPtr, int value, cudaExtent extent,
                              cudaStream_t stream = 0)
{
    cudaError_t error = cudaSuccess;
    for (size_t z = 0; !error && z < extent.depth; z++)
        error = cudaMemset2DAsync(simt::__slice_of(pitchedDevPtr, z), pitchedDevPtr.pitch, value,
                                  extent.width, extent.height, stream);
    return error;
}

SIMT_SLICES cudaMemcpy3D(const cudaMemcpy3DParms *p)
{
    cudaError_t error = cudaSuccess;
    for (size_t z = 0; !error && z < p->extent.depth; z++)
        error = cudaMemcpy2D(simt::__place_in(p->dstPtr, p->dstPos, z), p->dstPtr.pitch,
                             simt::__place_in(p->srcPtr, p->srcPos, z), p->srcPtr.pitch, p->extent.width,
                             p->extent.height, p->kind);
    return error;
}

SIMT_SLICES cudaMemcpy3DAsync(const cudaMemcpy3DParms *p, cudaStream_t stream = 0)
{
    cudaError_t error = cudaSuccess;
    for (size_t z = 0; !error && z < p->extent.depth; z++)
        error = cudaMemcpy2DAsync(simt::__place_in(p->dstPtr, p->dstPos, z), p->dstPtr.pitch,
                                  simt::__place_in(p->srcPtr, p->srcPos, z), p->srcPtr.pitch, p->extent.width,
                                  p->extent.height, p->kind, stream);
    return error;
}

#undef SIMT_SLICES

#endif
