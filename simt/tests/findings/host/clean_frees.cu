#include <stdlib.h>

/* Everything is freed, in one way or another; this is also checked at the exit. */
extern "C" size_t simt_report_leaks(void);

__global__ void own(int *out)
{
    int *mine = (int *)malloc(sizeof *mine);
    *mine = 1;
    out[threadIdx.x] = *mine;
    free(mine);
}

int main()
{
    int *out, *pinned;
    cudaStream_t stream;
    cudaEvent_t event;
    cudaMalloc(&out, 32 * sizeof *out);
    cudaMallocHost(&pinned, 128);
    cudaStreamCreate(&stream);
    cudaEventCreate(&event);
    own<<<1, 32, 0, stream>>>(out);
    cudaEventDestroy(event);
    cudaStreamDestroy(stream);
    cudaFree(out);
    cudaFreeHost(pinned);
    size_t leaks = simt_report_leaks();
    cudaMalloc(&out, 64);
    cudaDeviceReset();
    return leaks != 0 || simt_report_leaks() != 0;
}

//= (nothing)
