/* Copies in three dimensions whose extent is wider or deeper than the memory. */
#include "pair.h"

static cudaMemcpy3DParms into(cudaPitchedPtr volume, float *host, size_t depth, cudaExtent extent)
{
    cudaMemcpy3DParms all = {};
    all.srcPtr = make_cudaPitchedPtr(host, 5 * sizeof(float), 5, 4);
    all.dstPtr = volume;
    all.extent = make_cudaExtent(extent.width, extent.height, depth);
    all.kind = cudaMemcpyHostToDevice;
    return all;
}

__global__ void add(cudaPitchedPtr volume, unsigned height)
{
    char *slice = (char *)volume.ptr + blockIdx.x * volume.pitch * height;
    ((float *)(slice + threadIdx.y * volume.pitch))[threadIdx.x] += 1;
}

/* expect: cudaMemcpy2D: dst has */
PAIR(volume_copied_too_deep)
{
    static float host[4][4][5];
    const cudaExtent extent = make_cudaExtent(5 * sizeof(float), 4, 3);
    cudaPitchedPtr volume;
    must(cudaMalloc3D(&volume, extent));
    must(cudaMemset3D(volume, 1, extent)), must(cudaMemset3DAsync(volume, 0, extent));
    const cudaMemcpy3DParms parms = into(volume, &host[0][0][0], faulty ? 4 : 3, extent);
    cudaMemcpy3D(&parms); //! copies
    add<<<3, dim3(5, 4)>>>(volume, 4);
    cudaMemcpy3DParms back = {};
    back.srcPtr = volume;
    back.srcPos = make_cudaPos(sizeof(float), 1, 2);
    back.dstPtr = make_cudaPitchedPtr(host, 5 * sizeof(float), 5, 4);
    back.extent = make_cudaExtent(3 * sizeof(float), 2, 1);
    back.kind = cudaMemcpyDeviceToHost;
    must(cudaMemcpy3DAsync(&back));
    must(cudaDeviceSynchronize());
    if (host[0][1][2] != 1)
        fprintf(stderr, "the copy is wrong\n");
}
