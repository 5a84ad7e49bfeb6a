__device__ int counter;
__constant__ int table[4];

__global__ void add(int *data)
{
    int *own = new int[2];
    own[0] = table[threadIdx.x % 4];
    data[threadIdx.x] += own[0];
    delete[] own;
    atomicAdd(&counter, 1);
}

int main()
{
    int host[32] = {0}, count = 0, *pinned, *managed, *data;
    int steps[4] = {1, 2, 3, 4};
    cudaStream_t stream;
    cudaEvent_t begin, end;
    float milliseconds = -1;

    cudaStreamCreate(&stream);
    cudaEventCreate(&begin);
    cudaEventCreate(&end);
    cudaMalloc(&data, sizeof host);
    cudaMallocHost(&pinned, sizeof host);
    cudaMallocManaged(&managed, sizeof host);
    memset(pinned, 0, sizeof host);
    memcpy(managed, pinned, sizeof host);
    cudaMemcpyToSymbol(table, steps, sizeof steps);
    cudaMemcpyAsync(data, pinned, sizeof host, cudaMemcpyHostToDevice, stream);
    cudaEventRecord(begin, stream);
    add<<<1, 32, 0, stream>>>(data);
    add<<<1, 32, 0, stream>>>(managed);
    add<<<1, 32, 0, stream>>>(pinned);
    cudaEventRecord(end, stream);
    cudaMemcpy(host, data, sizeof host, cudaMemcpyDeviceToHost);
    cudaMemcpyFromSymbol(&count, counter, sizeof count);
    cudaEventElapsedTime(&milliseconds, begin, end);
    bool right = count == 96 && milliseconds >= 0;
    for (int i = 0; i < 32; i++)
        right = right && host[i] == i % 4 + 1 && managed[i] == host[i] && pinned[i] == host[i];
    cudaFree(data);
    cudaFree(managed);
    cudaFreeHost(pinned);
    cudaEventDestroy(begin);
    cudaEventDestroy(end);
    cudaStreamDestroy(stream);
    return !right || cudaGetLastError() != cudaSuccess;
}

//= (nothing)
