#include "physics.cuh"

__device__ unsigned steps;

__device__ int kick(int velocity, int by)
{
    return velocity + by;
}
