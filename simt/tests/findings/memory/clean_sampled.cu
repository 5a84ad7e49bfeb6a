/* Right kernels past 2^32 elements. Only some of their blocks run. They have grids of one and two dimensions; loops over
 * the grid, where the last turn may have work for the first blocks only; chunks with a 32-bit index within each; a 32-bit
 * index for an array that needs no more; an array that ends at 2^32; and blocks that wait for others. One grid has 2^30
 * threads, so that a turn of its loop is 2^32 bytes, and the last blocks add one turn earlier than the first ones. */
extern "C" void simt_sample(size_t far_index);
extern "C" void simt_sample_judge(void);
extern "C" bool simt_sample_expect(const void *pointer, bool written);
extern "C" bool simt_name_allocation(const void *pointer, size_t offset, const char *name, size_t element_size);

const size_t WRAP = (size_t)1 << 32, N = WRAP + (1 << 24) + 77, CHUNK = 1 << 30;

__global__ void wide(const int *in, int *out, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i];
}

__global__ void in_two_dimensions(const int *in, int *out, size_t n)
{
    size_t i = ((size_t)blockIdx.y * gridDim.x + blockIdx.x) * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i];
}

__global__ void from_the_end(const int *in, int *out, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[n - 1 - i] = in[n - 1 - i];
}

__global__ void loop(const int *in, int *out, size_t n)
{
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x)
        out[i] = in[i];
}

__global__ void within_a_chunk(const int *in, int *out, unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i];
}

__global__ void add_neighbour(const int *in, int *out, size_t n, size_t stride)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i + stride < n)
        out[i] = in[i] + in[i + stride];
}

__global__ void add_left_in_a_loop(const int *in, int *out, size_t n, size_t stride)
{
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x)
        out[i] = i < stride ? in[i] : in[i - stride] + in[i];
}

__global__ void add_pairs(const int *in, int *out, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[2 * i] + in[2 * i + 1];
}

__global__ void wait_for_the_block_before(volatile int *flags)
{
    if (threadIdx.x == 0) {
        while (blockIdx.x > 0 && !flags[blockIdx.x - 1])
            ;
        flags[blockIdx.x] = 1;
    }
}

static void call_of_one_loop()
{
    int *in, *out;
    simt_sample(WRAP);
    cudaMalloc(&in, N * sizeof *in);
    cudaMalloc(&out, N * sizeof *out);
    simt_name_allocation(out, 0, "out", sizeof *out);
    simt_sample_expect(in, false);
    simt_sample_expect(out, true);
    loop<<<(N + 1023) / 1024, 256>>>(in, out, N);
    simt_sample_judge();
    cudaFree(in);
    cudaFree(out);
    simt_sample(0);
}

int main()
{
    int *in, *out, *flags, *leaves, *sums;
    const unsigned blocks = (N + 255) / 256;
    simt_sample(WRAP);
    cudaMalloc(&in, N * sizeof *in);
    cudaMalloc(&out, N * sizeof *out);
    cudaMalloc(&flags, blocks * sizeof *flags);
    cudaMalloc(&leaves, WRAP * sizeof *leaves);
    cudaMalloc(&sums, WRAP / 2 * sizeof *sums);
    simt_name_allocation(in, 0, "in", sizeof *in);
    simt_name_allocation(out, 0, "out", sizeof *out);
    simt_sample_expect(in, false);
    simt_sample_expect(out, true);
    wide<<<blocks, 256>>>(in, out, N);
    in_two_dimensions<<<dim3(65535, (blocks + 65534) / 65535), 256>>>(in, out, N);
    from_the_end<<<blocks, 256>>>(in, out, N);
    loop<<<1024, 256>>>(in, out, N);
    for (size_t begin = 0; begin < N; begin += CHUNK) {
        const unsigned n = N - begin < CHUNK ? N - begin : CHUNK;
        within_a_chunk<<<(n + 255) / 256, 256>>>(in + begin, out + begin, n);
    }
    for (size_t stride = 1; stride < N; stride *= 2)
        add_neighbour<<<blocks, 256>>>(in, out, N, stride);
    for (size_t stride = 1; stride < N; stride *= 2)
        add_left_in_a_loop<<<WRAP / 4 / 256, 256>>>(in, out, N, stride);
    add_pairs<<<WRAP / 512, 256>>>(leaves, sums, WRAP / 2);
    wait_for_the_block_before<<<blocks, 256>>>(flags);
    cudaMemcpy(out, in, N * sizeof *in, cudaMemcpyDeviceToDevice);
    simt_sample_judge();
    cudaFree(in);
    simt_sample(0);
    call_of_one_loop();
    return cudaDeviceSynchronize() != cudaSuccess;
}

//= (nothing)
