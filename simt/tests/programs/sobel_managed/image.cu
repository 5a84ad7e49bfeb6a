// Unified memory for the picture and for its header, with hints about where it will be used.
#include "image.h"
#include <cstdio>
#include <cstdlib>

#define gpuErrchk(ans) { gpuAssert((ans), __FILE__, __LINE__); }
inline void gpuAssert(cudaError_t code, const char *file, int line, bool abort=true)
{
   if (code != cudaSuccess)
   {
      fprintf(stderr,"GPUassert: %s %s %d\n", cudaGetErrorString(code), file, line);
      if (abort) exit(code);
   }
}

// a picture whose coordinates are clamped, as a texture's would be
class Clamped
{
    const uint8_t *p;
    int w, h;
public:
    __device__ Clamped(const image_t &i) : p(i.pixels), w(i.width), h(i.height) {}
    __device__ __forceinline__ int operator()(int x, int y) const
    {
        x = min(max(x, 0), w - 1);
        y = min(max(y, 0), h - 1);
        return __ldg(&p[y * w + x]);
    }
};

__device__ __managed__ unsigned int edges = 0;

__device__ static inline uint8_t magnitude(int horz, int vert)
{
    int sum = abs(horz) + abs(vert);
    return sum > 0xff ? 0xff : (uint8_t)sum;
}

__global__ void SobelKernel(const image_t *in, image_t *out, int threshold)
{
    const Clamped at(*in);
    for (int y = blockIdx.y; y < in->height; y += gridDim.y)
        for (int x = blockIdx.x * blockDim.x + threadIdx.x; x < in->width; x += gridDim.x * blockDim.x) {
            int horz = at(x + 1, y - 1) + 2 * at(x + 1, y) + at(x + 1, y + 1) - at(x - 1, y - 1) - 2 * at(x - 1, y) - at(x - 1, y + 1);
            int vert = at(x - 1, y - 1) + 2 * at(x, y - 1) + at(x + 1, y - 1) - at(x - 1, y + 1) - 2 * at(x, y + 1) - at(x + 1, y + 1);
            uint8_t m = magnitude(horz, vert);
            out->pixels[y * out->width + x] = m;
            if (m >= threshold)
                atomicInc(&edges, ~0u);
        }
}

extern "C" image_t *image_new(int width, int height)
{
    image_t *image;
    gpuErrchk(cudaMallocManaged(&image, sizeof(image_t)));
    image->width = width;
    image->height = height;
    gpuErrchk(cudaMallocManaged(&image->pixels, width * height, cudaMemAttachGlobal));
    return image;
}

extern "C" void image_delete(image_t *image)
{
    gpuErrchk(cudaFree(image->pixels));
    gpuErrchk(cudaFree(image));
}

extern "C" void sobel(const image_t *in, image_t *out, int threshold)
{
    static int runs;
    edges = 0;
    SobelKernel << <dim3(2, 5), 32>> >(in, out, threshold);
    gpuErrchk( cudaPeekAtLastError() );
    gpuErrchk( cudaDeviceSynchronize() );
    printf("run %d: %u edges\n", ++runs, edges);
}
