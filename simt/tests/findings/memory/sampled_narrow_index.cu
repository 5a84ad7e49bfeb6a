/* Indices and lengths of 32 bits in arrays of more than 2^32 elements, of which only some blocks run. */
extern "C" void simt_sample(size_t far_index);
extern "C" void simt_sample_judge(void);
extern "C" bool simt_sample_expect(const void *pointer, bool written);
extern "C" bool simt_name_allocation(const void *pointer, size_t offset, const char *name, size_t element_size);

const size_t WRAP = (size_t)1 << 32, N = WRAP + (1 << 24) + 77;

__global__ void unsigned_product(const int *in, int *out, size_t n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i];
}

__global__ void signed_index(const int *in, int *out, size_t n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i];
}

__global__ void chunk_of_four(const int *in, int *out, size_t n)
{
    unsigned base = blockIdx.x * (4 * blockDim.x);
    for (unsigned k = 0; k < 4; k++)
        if (base + k * blockDim.x + threadIdx.x < n)
            out[base + k * blockDim.x + threadIdx.x] = in[0];
}

__global__ void loop_that_wraps(const int *in, int *out, size_t n)
{
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        out[i] = in[0];
}

__global__ void narrow_length(const int *in, int *out, unsigned n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[0];
}

__global__ void narrow_grid(const int *in, int *out, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i];
}

int main()
{
    int *in, *out;
    const unsigned blocks = (N + 255) / 256;
    simt_sample(WRAP);
    cudaMalloc(&in, N * sizeof *in);
    cudaMalloc(&out, N * sizeof *out);
    simt_name_allocation(in, 0, "in", sizeof *in);
    simt_name_allocation(out, 0, "out", sizeof *out);
    unsigned_product<<<blocks, 256>>>(in, out, N);
    signed_index<<<blocks, 256>>>(in, out, N);
    chunk_of_four<<<(N + 1023) / 1024, 256>>>(in, out, N);
    loop_that_wraps<<<1024, 256>>>(in, out, N);
    narrow_length<<<blocks, 256>>>(in, out, N);
    narrow_grid<<<((unsigned)N + 255) / 256, 256>>>(in, out, N);
    simt_sample_judge();
    return cudaDeviceSynchronize() != cudaSuccess;
}

//= sampled_narrow_index.cu:13  unsigned_product: index of 32 bits: in[16777216] instead of in[4311744512]
//=     thread 0 of block 16842752 reads there; the blocks before it tell where it should be. A product, a sum or a variable of 32 bits has wrapped around
//=     try: compute the whole index as a size_t: (size_t)blockIdx.x * blockDim.x + threadIdx.x
//= sampled_narrow_index.cu:20  signed_index: index of 32 bits: in[16777216] instead of in[4311744512]
//=     thread 0 of block 16842752 reads there; the blocks before it tell where it should be. A product, a sum or a variable of 32 bits has wrapped around
//=     try: compute the whole index as a size_t: (size_t)blockIdx.x * blockDim.x + threadIdx.x
//= sampled_narrow_index.cu:28  chunk_of_four: index of 32 bits: out[16777216] instead of out[4311744512]
//=     thread 0 of block 4210688 writes there; the blocks before it tell where it should be. A product, a sum or a variable of 32 bits has wrapped around
//=     try: compute the whole index as a size_t: (size_t)blockIdx.x * blockDim.x + threadIdx.x
//= sampled_narrow_index.cu:34  loop_that_wraps: index of 32 bits: out[0] instead of out[4294967296]
//=     thread 0 of block 0 writes there; the turns of the loop before tell where it should be. A product, a sum or a variable of 32 bits has wrapped around
//=     try: compute the whole index as a size_t: (size_t)blockIdx.x * blockDim.x + threadIdx.x
//= sampled_narrow_index.cu:64  main: length of 32 bits: narrow_length gets 4311744589 in a parameter of 32 bits
//=     try: make the parameter a size_t, and what is computed from it
//= sampled_narrow_index.cu:41  narrow_length: length of 32 bits: narrow_length stops at element 16777293 of out
//=     out has 4311744589 elements, and the grid has blocks for all of them
//=     try: keep lengths, and what they are compared with, in a size_t, in the kernel and on the host
//= sampled_narrow_index.cu:48  narrow_grid: length of 32 bits: narrow_grid stops at element 16777472 of in
//=     in has 4311744589 elements, and the grid has blocks for the lower 32 bits of that number
//=     try: keep lengths, and what they are compared with, in a size_t, in the kernel and on the host
