__global__ void fill(float *values, float with, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        values[i] = with;
}
