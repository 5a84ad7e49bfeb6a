extern int on_the_host[4];

__global__ void write_there()
{
    on_the_host[1] = 3;
}

int main()
{
    write_there<<<1, 1>>>();
    cudaDeviceSynchronize();
    return 0;
}
