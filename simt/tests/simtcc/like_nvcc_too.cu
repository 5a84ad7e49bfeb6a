__device__ int counter = 9;

__global__ void read_other(int *out)
{
    *out = 2 * counter;
}
void launch_other(int *out)
{
    read_other<<<1, 1>>>(out);
}
