/* The struct is copied to the device, but not the targets of its pointers. */
#include "model/energy.cuh"
#include <stdlib.h>

int main()
{
    particles host = {32, (double *)malloc(32 * sizeof(double)), (double *)malloc(32 * sizeof(double))}, *device;
    double *out;
    for (int i = 0; i < 32; i++)
        host.mass[i] = host.speed[i] = i;
    cudaMalloc(&device, sizeof host);
    cudaMalloc(&out, 32 * sizeof(double));
    cudaMemcpy(device, &host, sizeof host, cudaMemcpyHostToDevice);
    energies<<<1, 32>>>(device, out);
    cudaDeviceSynchronize();
    cudaFree(device);
    cudaFree(out);
    free(host.mass);
    free(host.speed);
    return 0;
}
