/* Arrays of indices past 2^31, of which only some blocks run: one kernel reads a slot as an int, another is right. */
extern "C" void simt_sample(size_t far_index);
extern "C" void simt_sample_judge(void);
extern "C" bool simt_sample_expect(const void *pointer, bool written);
extern "C" bool simt_sample_fill(const void *pointer, int values);
extern "C" bool simt_name_allocation(const void *pointer, size_t offset, const char *name, size_t element_size);

const size_t N = ((size_t)1 << 32) - 5;
enum { ONES = 1, INDICES = 2 };

__global__ void scatter(const unsigned *flags, const unsigned *slots, int *out, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && flags[i])
        out[slots[i]] = 1;
}

__global__ void signed_slot(const unsigned *flags, const unsigned *slots, int *out, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && flags[i]) {
        int slot  = slots[i];
        out[slot] = 1;
    }
}

int main()
{
    unsigned *flags, *slots;
    int *out;
    simt_sample((size_t)1 << 31);
    cudaMalloc(&flags, N * sizeof *flags);
    cudaMalloc(&slots, N * sizeof *slots);
    cudaMalloc(&out, N * sizeof *out);
    simt_sample_fill(flags, ONES);
    simt_sample_fill(slots, INDICES);
    simt_sample_expect(out, true);
    simt_name_allocation(slots, 0, "slots", sizeof *slots);
    simt_name_allocation(out, 0, "out", sizeof *out);
    scatter<<<(N + 255) / 256, 256>>>(flags, slots, out, N);
    signed_slot<<<(N + 255) / 256, 256>>>(flags, slots, out, N);
    simt_sample_judge();
    return cudaDeviceSynchronize() != cudaSuccess;
}

//= sampled_slots.cu:23  signed_slot: index of 32 bits: out[-256] instead of out[4294967040]
//=     thread 0 of block 16777215 writes there; the blocks before it tell where it should be. A product, a sum or a variable of 32 bits has wrapped around
//=     try: compute the whole index as a size_t: (size_t)blockIdx.x * blockDim.x + threadIdx.x
