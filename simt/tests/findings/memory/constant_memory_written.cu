__constant__ float weights[8];

__global__ void spoil(float value)
{
    float *w = const_cast<float *>(weights);
    w[threadIdx.x] = value;
}

int main()
{
    spoil<<<1, 8>>>(1.0f);
    return cudaDeviceSynchronize() != cudaErrorIllegalAddress;
}
