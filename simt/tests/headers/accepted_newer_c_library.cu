/* A C library that declares, as glibc 2.41 and 2.42 do, functions of C23 that CUDA has too. */
extern "C" {
extern double sinpi(double) noexcept(true);
extern float sinpif(float) noexcept(true);
extern double cospi(double) noexcept(true);
extern float cospif(float) noexcept(true);
extern double rsqrt(double) noexcept(true);
extern float rsqrtf(float) noexcept(true);
}
#include <cuda_runtime.h>

__global__ void waves(float *f, double *d)
{
    f[0] = sinpif(0.5f) + cospif(0.5f) + rsqrtf(4.0f) + sinpi(0.5f) + cospi(0.5f) + rsqrt(4.0f);
    d[0] = sinpi(0.5) + cospi(0.5) + rsqrt(4.0);
}
