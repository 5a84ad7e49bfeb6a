/* Segmented scans: pairs of (flag, value) under a lifted operator in shared memory, and by warp ballots that find
 * the head of each lane's segment. */
#include "program.h"

template <typename T> struct Flagged {
    T value;
    int flag;
};

template <typename T> __host__ __device__ Flagged<T> operator*(const Flagged<T> &left, const Flagged<T> &right)
{
    Flagged<T> both;
    both.value = right.flag ? right.value : left.value + right.value;
    both.flag = left.flag | right.flag;
    return both;
}

/* One tile for each block; carries[b] is the tile's total, for the next level. */
template <typename T>
__global__ void scan_flagged(const T *values, const unsigned char *heads, T *out, Flagged<T> *carries, int n)
{
    extern __shared__ unsigned char raw[];
    Flagged<T> *buffer = reinterpret_cast<Flagged<T> *>(raw);
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;

    Flagged<T> mine = {T(), 0};
    if (i < n) {
        mine.value = values[i];
        mine.flag = heads[i];
    }
    buffer[t] = mine;
    for (int stride = 1; stride < (int)blockDim.x; stride *= 2) {
        __syncthreads();
        if (t >= stride)
            mine = buffer[t - stride] * mine;
        __syncthreads();
        buffer[t] = mine;
    }
    if (i < n)
        out[i] = mine.value;
    if (t == (int)blockDim.x - 1)
        carries[blockIdx.x] = mine;
}

/* One thread makes each carry include those before it; the tiles then add them up to their first head. */
template <typename T> __global__ void scan_carries(Flagged<T> *carries, int tiles)
{
    for (int b = 1; b < tiles; b++)
        carries[b] = carries[b - 1] * carries[b];
}

template <typename T>
__global__ void add_carries(const unsigned char *heads, T *out, const Flagged<T> *carries, int n)
{
    __shared__ int first_head;
    const int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (threadIdx.x == 0)
        first_head = blockDim.x;
    __syncthreads();
    if (i < n && heads[i])
        atomicMin(&first_head, (int)threadIdx.x);
    __syncthreads();
    if (blockIdx.x > 0 && i < n && (int)threadIdx.x < first_head)
        out[i] = carries[blockIdx.x - 1].value + out[i];
}

/* One warp: the lanes since the head are those above the last flag at or below this lane. */
__global__ void scan_in_warps(const int *values, const unsigned char *heads, int *out, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned lane = threadIdx.x & 31u;
    int value = i < n ? values[i] : 0;
    unsigned flags = __ballot_sync(~0u, i < n && heads[i]) | 1u;
    unsigned below = flags & (0xffffffffu >> (31 - lane));
    int head = 31 - __clz(below);

    for (int offset = 1; offset < 32; offset *= 2) {
        int left = __shfl_up_sync(~0u, value, offset);
        if ((int)lane - offset >= head)
            value += left;
    }
    if (i < n)
        out[i] = value;
}

template <typename T> void run(const char *name, const std::vector<T> &values, const std::vector<unsigned char> &heads)
{
    const int n = (int)values.size(), block = 64, tiles = (int)blocks_for(n, block);
    T *in = to_device(values), *out = device_alloc<T>(n);
    unsigned char *flags = to_device(heads);
    Flagged<T> *carries = device_alloc<Flagged<T>>(tiles);
    std::vector<T> want(n);

    for (int i = 0; i < n; i++)
        want[i] = i == 0 || heads[i] ? values[i] : want[i - 1] + values[i];
    scan_flagged<<<tiles, block, block * sizeof(Flagged<T>)>>>(in, flags, out, carries, n);
    scan_carries<<<1, 1>>>(carries, tiles);
    add_carries<<<tiles, block>>>(flags, out, carries, n);
    CUDA_CHECK(cudaGetLastError());
    expect_equal(name, from_device(out, n), want);
    CUDA_CHECK(cudaFree(in));
    CUDA_CHECK(cudaFree(out));
    CUDA_CHECK(cudaFree(flags));
    CUDA_CHECK(cudaFree(carries));
}

int main()
{
    for (int n : {1, 64, 500, 10001}) {
        for (unsigned length : {1u, 7u, 300u}) {
            std::vector<unsigned> dice = random_keys(n, length, n + length);
            std::vector<int> values = random_ints(n, 10000, n);
            std::vector<unsigned char> heads(n);
            std::vector<long long> wide(n);
            for (int i = 0; i < n; i++) {
                heads[i] = dice[i] == 0;
                wide[i] = values[i] * 10000000000ll;
            }
            printf("n = %d, segments of about %u\n", n, length);
            run("int", values, heads);
            run("long long", wide, heads);

            int *in = to_device(values), *out = device_alloc<int>(n);
            unsigned char *flags = to_device(heads);
            scan_in_warps<<<blocks_for(n, 96), 96>>>(in, flags, out, n);
            CUDA_CHECK(cudaGetLastError());
            std::vector<int> want(n);
            for (int i = 0; i < n; i++)
                want[i] = i % 96 % 32 == 0 || heads[i] ? values[i] : want[i - 1] + values[i];
            expect_equal("int by warps", from_device(out, n), want);
            CUDA_CHECK(cudaFree(in));
            CUDA_CHECK(cudaFree(out));
            CUDA_CHECK(cudaFree(flags));
        }
    }
    return program_end();
}
