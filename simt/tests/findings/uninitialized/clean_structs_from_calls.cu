/* Structs that a call returns directly into shared and global memory: from functions that can be inlined, and from some
 * that cannot (a recursion, and a pointer to a function). */
struct range {
    int first, last;
};
struct list {
    int items[6];
};

__device__ range join(const range *from, unsigned n)
{
    range all = from[0];
    for (unsigned i = 1; i < n; i++)
        all.last = from[i].last;
    return all;
}

__device__ range halves(const range *from, unsigned n)
{
    if (n == 1)
        return from[0];
    range left = halves(from, n / 2), right = halves(from + n / 2, n - n / 2);
    return range{left.first, right.last};
}

__device__ list count(int from)
{
    list all;
    for (int i = 0; i < 6; i++)
        all.items[i] = from + i;
    return all;
}

__global__ void work(const range *in, range *out, list *lists)
{
    __shared__ range joined, halved, chosen;
    __shared__ list counted;
    range (*function)(const range *, unsigned) = in ? halves : join;
    if (threadIdx.x == 0) {
        joined = join(in, 32);
        halved = halves(in, 32);
        chosen = function(in, 32);
        counted = count(3);
    }
    __syncthreads();
    out[threadIdx.x] = threadIdx.x == 0 ? joined : threadIdx.x == 1 ? halved : chosen;
    lists[threadIdx.x] = counted;
    lists[threadIdx.x].items[0] += lists[threadIdx.x].items[5];
}

int main()
{
    range host[32], *in, *out;
    list *lists;
    for (int i = 0; i < 32; i++)
        host[i] = range{i, i};
    cudaMalloc(&in, sizeof host);
    cudaMalloc(&out, sizeof host);
    cudaMalloc(&lists, 32 * sizeof *lists);
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    work<<<1, 32>>>(in, out, lists);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int i = 0; i < 32; i++)
        wrong += host[i].first != 0 || host[i].last != 31;
    cudaFree(in);
    cudaFree(out);
    cudaFree(lists);
    return wrong;
}

//= (nothing)
