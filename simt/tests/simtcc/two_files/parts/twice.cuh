__global__ void twice(int number, int *to)
{
    *to = 2 * number;
}
