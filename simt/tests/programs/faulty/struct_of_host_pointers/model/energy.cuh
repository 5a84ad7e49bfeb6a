#pragma once
#include "particles.h"

#define ENERGY(p, i) (0.5 * (p)->mass[i] * (p)->speed[i] * (p)->speed[i])

__global__ void energies(const particles *p, double *out)
{
    const int i = threadIdx.x;
    if (i < p->count)
        out[i] = ENERGY(p, i);
}
