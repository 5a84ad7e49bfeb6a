__constant__ float table[16];
__device__ int counter;

int main()
{
    float host[20] = {0};
    int value[2];
    return cudaMemcpyToSymbol(table, host, sizeof host) != cudaErrorInvalidValue ||
           cudaMemcpyFromSymbol(value, counter, sizeof(int), 2) != cudaErrorInvalidValue;
}
