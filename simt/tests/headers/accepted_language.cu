/* Qualifiers in all the places where CUDA allows them. */
__device__ int counter;
__device__ const int nine = 9;
static __device__ const float weights[3] = {0.25f, 0.5f, 0.25f};
__device__ constexpr int constants[2] = {1, 2};
__constant__ float table[16];
__constant__ const int fixed[2] = {3, 4};
static __constant__ int own = 5;
__device__ __constant__ int both = 6;
__managed__ int seen;
__device__ __managed__ float also_seen[4];
__device__ float4 vector_variable;
__device__ volatile int flag;
namespace inner
{
__device__ int counter;
}
template <class T> struct holder {
    T value;
    __host__ __device__ holder(T v) : value(v) {}
    __device__ __forceinline__ T twice() const { return value + value; }
};

__host__ __device__ inline int both_sides(int x)
{
#ifdef __CUDA_ARCH__
    return __popc(x);
#else
    return __builtin_popcount(x);
#endif
}
__device__ __noinline__ int not_inlined(int x) { return x + nine; }
static __device__ __forceinline__ int inlined(const int *__restrict__ p) { return *p; }

#if __CUDA_ARCH__ < 600
__device__ double atomicAdd(double *address, double value);
#endif

template <int N, class T> __global__ void __launch_bounds__(N, 2) generic(T *__restrict__ out, const __grid_constant__ int n)
{
    __shared__ T tile[N];
    static __shared__ int count;
    __shared__ volatile int spin;
    __shared__ __align__(16) char bytes[64];
    __shared__ float4 vectors[2];
    extern __shared__ __align__(8) unsigned char dynamic[];

    tile[threadIdx.x] = (T)n;
    vectors[0] = make_float4(1, 2, 3, 4);
    if (threadIdx.x == 0) {
        count = spin = flag;
        bytes[0] = (char)dynamic[0];
    }
    __syncthreads();
    dim3 size = blockDim, grid(gridDim), made = dim3(blockIdx);
    uint3 place = threadIdx, extent = blockDim;
    auto copied = blockDim;
    const int lane = threadIdx.x % warpSize;
    out[threadIdx.x] = tile[0] + (T)(size.x + grid.y + made.z + place.x + extent.x + copied.x + lane + count + bytes[0] + (int)vectors[0].x);
    out[0] += (T)(table[1] + fixed[0] + own + both + seen + also_seen[1] + vector_variable.x + weights[1] + constants[0] + inner::counter +
                  not_inlined(3) + inlined(&counter) + both_sides(n) + holder<int>(4).twice());
}

__global__ void with_lambda(int *out)
{
    auto square = [=](int x) { return x * x; };
    out[threadIdx.x] = square((int)threadIdx.x);
}

struct __align__(8) pair_of_ints {
    int a, b;
};

int main()
{
    int *out;
    pair_of_ints p = {1, 2};
    cudaMalloc(&out, 4 * sizeof(int));
    cudaMalloc((void **)&out, 4 * sizeof(int));
    generic<32><<<1, 32, 64>>>(out, p.a);
    generic<64, float><<<dim3(1), dim3(64), 64, 0>>>((float *)out, 2);
    with_lambda<<<1, 4>>>(out);
    int blocks, threads;
    cudaOccupancyMaxPotentialBlockSize(&blocks, &threads, with_lambda, 0, 0);
    cudaOccupancyMaxPotentialBlockSizeVariableSMem(&blocks, &threads, with_lambda, [](int n) { return n * sizeof(int); });
    cudaFuncSetAttribute(generic<32, int>, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536);
    cudaFuncSetAttribute((const void *)with_lambda, cudaFuncAttributePreferredSharedMemoryCarveout, cudaSharedmemCarveoutMaxShared);
    void *arguments[] = {&out};
    cudaLaunchKernel((const void *)with_lambda, dim3(1), dim3(4), arguments, 0, 0);
    cudaLaunchCooperativeKernel(with_lambda, dim3(1), dim3(4), arguments);
    float host[16];
    cudaMemcpyToSymbol(table, host, sizeof host);
    cudaMemcpyToSymbolAsync(table, host, sizeof host, 0, cudaMemcpyHostToDevice, 0);
    void *address;
    size_t size;
    cudaGetSymbolAddress(&address, counter);
    cudaGetSymbolSize(&size, table);
    cudaEvent_t event;
    cudaEventCreate(&event, cudaEventBlockingSync);
    return 0;
}
