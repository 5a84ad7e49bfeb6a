__global__ void write_left(int *out, int i)
{
    out[i - 1] = 1;
}

int main()
{
    int *out;
    cudaMalloc(&out, 64);
    write_left<<<1, 1>>>(out, 0);
}
