__device__ int counter;

__host__ __device__ void count()
{
    atomicAdd(&counter, 1);
}

int main()
{
    count();
    return 0;
}
