__global__ void add_without_atomics(int *sum)
{
    *sum = *sum + 1;
}
