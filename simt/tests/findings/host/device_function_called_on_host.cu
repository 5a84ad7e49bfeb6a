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

//= device_function_called_on_host.cu:5  count: atomicAdd is for kernels, and host code calls it
//=     try: move it into a __global__ or __device__ function that a kernel runs
