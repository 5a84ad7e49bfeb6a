/* A pitched image in bands, each in a stream of its own: uchar4 pixels, a 3D launch, pinned memory, a callback. */
#include "image.h"
#include <cuda_runtime.h>
#include <string.h>

#define OR_FAIL(call)                                                                                        \
    if ((call) != cudaSuccess)                                                                               \
    return -1

static inline __device__ uchar4 inverted(uchar4 p)
{
    return make_uchar4(255 - p.x, 255 - p.y, 255 - p.z, p.w);
}

__global__ static void invert(char *band, size_t pitch, int width, int rows)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= rows || blockIdx.z != 0)
        return;
    uchar4 *pixel = (uchar4 *)(band + y * pitch) + x;
    *pixel = inverted(*pixel);
}

static void CUDART_CB band_done(cudaStream_t stream, cudaError_t status, void *data)
{
    (void)stream;
    if (status == cudaSuccess)
        ++*(int *)data;
}

extern "C" int invert_by_bands(struct image *image, int bands)
{
    size_t pitch, row = (size_t)image->width * 4;
    char *device;
    unsigned char *pinned;
    int done = 0, rows = image->height / bands;
    cudaStream_t stream[8];
    OR_FAIL(cudaMallocPitch((void **)&device, &pitch, row, image->height));
    OR_FAIL(cudaHostAlloc((void **)&pinned, row * image->height, cudaHostAllocDefault));
    memcpy(pinned, image->pixels, row * image->height);
    for (int i = 0; i < bands; i++) {
        char *band = device + (size_t)i * rows * pitch;
        unsigned char *host = pinned + (size_t)i * rows * row;
        dim3 block(8, 4, 2), grid((image->width + 7) / 8, (rows + 3) / 4, 1);
        OR_FAIL(cudaStreamCreate(&stream[i]));
        OR_FAIL(cudaMemcpy2DAsync(band, pitch, host, row, row, rows, cudaMemcpyHostToDevice, stream[i]));
        block.z = 1;
        invert<<<grid, block, 0, stream[i]>>>(band, pitch, image->width, rows);
        OR_FAIL(cudaMemcpy2DAsync(host, row, band, pitch, row, rows, cudaMemcpyDeviceToHost, stream[i]));
        OR_FAIL(cudaStreamAddCallback(stream[i], band_done, &done, 0));
    }
    OR_FAIL(cudaDeviceSynchronize());
    memcpy(image->pixels, pinned, row * image->height);
    for (int i = 0; i < bands; i++)
        OR_FAIL(cudaStreamDestroy(stream[i]));
    OR_FAIL(cudaFreeHost(pinned));
    OR_FAIL(cudaFree(device));
    return done;
}
