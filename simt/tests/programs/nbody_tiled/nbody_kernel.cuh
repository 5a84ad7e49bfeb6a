#pragma once
#include "vector_ops.cuh"

__constant__ float softeningSquared = 0.00125f;

// Macros to simplify shared memory addressing
#define SX(i) sharedPos[i+blockDim.x*threadIdx.y]
#define SX_SUM(i,j) sharedPos[i+blockDim.x*j]

__device__ float3
bodyBodyInteraction(float3 ai, float4 bi, float4 bj)
{
    float3 r = xyz(bj) - xyz(bi);                        // [3 FLOPS]
    float distSqr = dot(r, r);
    distSqr += softeningSquared;
    float invDist = 1.0f / sqrtf(distSqr);
    float invDistCube = invDist * invDist * invDist;
    float s = bj.w * invDistCube;
    ai += r * s;
    return ai;
}

// This is the "tile_calculation" function from the GPU Gems 3 chapter's kind of code
__device__ float3
gravitation(float4 myPos, float3 accel)
{
    extern __shared__ float4 sharedPos[];
    unsigned long i = 0;
    for (unsigned int counter = 0; counter < blockDim.x; )
    {
        accel = bodyBodyInteraction(accel, SX(i++), myPos);
        counter++;
    }
    return accel;
}

template <bool multithreadBodies>
__device__ float3 computeBodyAccel(float4 bodyPos, const float4 *positions, int numBodies)
{
    extern __shared__ float4 sharedPos[];
    float3 acc = make_float3(0.0f, 0.0f, 0.0f);
    const int p = blockDim.x, q = blockDim.y;
    const int n = numBodies;
    const int start = n/q * threadIdx.y;
    int tile0 = start/(n/q);
    int tile = 0;
    int finish = start + n/q;

    for (int i = start; i < finish; i += p, tile++)
    {
        sharedPos[threadIdx.x+blockDim.x*threadIdx.y] =
            positions[(blockIdx.x + tile) * 0 + (tile0 * (n/q)) + tile * p + threadIdx.x];
        __syncthreads();
        acc = gravitation(bodyPos, acc);
        __syncthreads();
    }

    // When the numBodies / thread block size is < # multiprocessors, several threads share a body
    if (multithreadBodies)
    {
        SX_SUM(threadIdx.x, threadIdx.y).x = acc.x;
        SX_SUM(threadIdx.x, threadIdx.y).y = acc.y;
        SX_SUM(threadIdx.x, threadIdx.y).z = acc.z;
        __syncthreads();
        if (threadIdx.y == 0)
        {
            for (int i = 1; i < blockDim.y; i++)
            {
                acc.x += SX_SUM(threadIdx.x,i).x;
                acc.y += SX_SUM(threadIdx.x,i).y;
                acc.z += SX_SUM(threadIdx.x,i).z;
            }
        }
    }
    return acc;
}

// Writes to arrays of its own, because a block must not read a position that another one has already moved.
template<bool multithreadBodies>
__global__ void
integrate(float4 *newPos, const float4 *oldPos, float4 *vel, float deltaTime, int numBodies)
{
    int index = blockIdx.x * blockDim.x + threadIdx.x;
    float4 position = oldPos[index];
    float3 accel = computeBodyAccel<multithreadBodies>(position, oldPos, numBodies);
    if (!multithreadBodies || (threadIdx.y == 0))
    {
        float4 velocity = vel[index];
        velocity.x += accel.x * deltaTime;
        velocity.y += accel.y * deltaTime;
        velocity.z += accel.z * deltaTime;
        position.x += velocity.x * deltaTime;
        position.y += velocity.y * deltaTime;
        position.z += velocity.z * deltaTime;
        newPos[index] = position;
        vel[index]    = velocity;
    }
}
