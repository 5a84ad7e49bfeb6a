#include "rng.hpp"

template <class Engine> __global__ void setup(Engine *engines, unsigned seed, int n)
{
    int id = threadIdx.x + blockIdx.x * blockDim.x;
    if (id < n)
        engines[id] = Engine(seed, id);
}

template <class Engine> __global__ void throwDarts(Engine *engines, Estimate<Engine> *total, int n, int samples)
{
    __shared__ Estimate<Engine> ours;
    int id = threadIdx.x + blockIdx.x * blockDim.x;
    if (threadIdx.x == 0)
        ours = Estimate<Engine>();
    __syncthreads();
    if (id < n) {
        Engine local = engines[id]; /* Copy state to local memory for efficiency */
        unsigned long long inside = 0;
        for (int i = 0; i < samples; i++) {
            float x = local.uniform(), y = local.uniform();
            inside += x * x + y * y <= 1.0f;
            atomicAdd(&ours.dice[local.below(6)], 1ull);
        }
        engines[id] = local; /* Copy state back to global memory */
        atomicAdd(&ours.hits, inside);
    }
    __syncthreads();
    if (threadIdx.x < 6)
        atomicAdd(&total->dice[threadIdx.x], ours.dice[threadIdx.x]);
    else if (threadIdx.x == 6)
        atomicAdd(&total->hits, ours.hits);
}

template <class Engine> Estimate<Engine> Estimate<Engine>::onDevice(unsigned seed, int threads, int samples)
{
    Engine *engines;
    Estimate *total, host;
    cudaMalloc(&engines, threads * sizeof(Engine));
    cudaMalloc(&total, sizeof(Estimate));
    cudaMemset(total, 0, sizeof(Estimate));
    const int block = 64, grid = (threads + block - 1) / block;
    setup<<<grid, block>>>(engines, seed, threads);
    for (int half = 0; half < 2; half++)
        throwDarts<Engine><<<grid, block>>>(engines, total, threads, samples / 2);
    cudaMemcpy(&host, total, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(engines);
    cudaFree(total);
    return host;
}

template struct Estimate<rng::Lcg>;
template struct Estimate<rng::Xorshift128>;
