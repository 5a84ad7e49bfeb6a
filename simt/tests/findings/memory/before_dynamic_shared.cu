__global__ void read_left(int *out, int i)
{
    extern __shared__ int buffer[];
    buffer[threadIdx.x] = 1;
    out[0]              = buffer[i - 1];
}

int main()
{
    int *out;
    cudaMalloc(&out, sizeof *out);
    read_left<<<1, 1, 32>>>(out, 0);
}
