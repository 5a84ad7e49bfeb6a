#include <cstdio>
#include <cstdlib>
#include <utility>
#include "bodies.h"
#include "nbody_kernel.cuh"

#define cutilSafeCall(err) __cudaSafeCall(err, __FILE__, __LINE__)
inline void __cudaSafeCall(cudaError err, const char *file, const int line)
{
    if (cudaSuccess != err) {
        fprintf(stderr, "cudaSafeCall() Runtime API error in file <%s>, line %i : %s.\n", file, line, cudaGetErrorString(err));
        exit(-1);
    }
}

static float *spare = 0;

extern "C"
{
void allocateNBodyArrays(BodyArrays *device, int count)
{
    unsigned int memSize = sizeof(float) * 4 * count;
    cutilSafeCall(cudaMalloc((void **)&device->position, memSize));
    cutilSafeCall(cudaMalloc((void **)&device->velocity, memSize));
    cutilSafeCall(cudaMalloc((void **)&spare, memSize));
    device->count = count;
}

void deleteNBodyArrays(BodyArrays *device)
{
    cutilSafeCall(cudaFree(device->position));
    cutilSafeCall(cudaFree(device->velocity));
    cutilSafeCall(cudaFree(spare));
}

void setSoftening(float softening)
{
    float squared = softening * softening;
    cutilSafeCall(cudaMemcpyToSymbol(softeningSquared, &squared, sizeof(float), 0, cudaMemcpyHostToDevice));
}

void copyArrayToDevice(float *device, const float *host, int count)
{
    cutilSafeCall(cudaMemcpy(device, host, count * 4 * sizeof(float), cudaMemcpyHostToDevice));
}

void copyArrayFromDevice(float *host, const float *device, int count)
{
    cutilSafeCall(cudaMemcpy(host, device, count * 4 * sizeof(float), cudaMemcpyDeviceToHost));
}

void integrateBodies(BodyArrays *device, float dt, int p, int q)
{
    int sharedMemSize = p * q * sizeof(float4);
    dim3 threads(p, q, 1);
    dim3 grid(device->count / p, 1, 1);
    float4 *to = (float4 *)spare, *from = (float4 *)device->position, *velocity = (float4 *)device->velocity;
    if (grid.x > 0 && threads.y == 1)
        integrate<false><<< grid, threads, sharedMemSize >>>(to, from, velocity, dt, device->count);
    else
        integrate<true><<< grid, threads, sharedMemSize >>>(to, from, velocity, dt, device->count);
    cutilSafeCall(cudaGetLastError());
    std::swap(spare, device->position);
}
}
