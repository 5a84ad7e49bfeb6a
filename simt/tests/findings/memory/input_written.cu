/* Each of these kernels changes the input and restores it later. */
extern "C" bool simt_name_allocation(const void *pointer, size_t offset, const char *name, size_t element_size);
extern "C" bool simt_mark_input(const void *pointer);

__global__ void borrow(const int *in, int *out)
{
    int *scratch = const_cast<int *>(in);
    int mine = in[threadIdx.x];
    scratch[threadIdx.x] = 2 * mine;
    out[threadIdx.x] = scratch[threadIdx.x];
    scratch[threadIdx.x] = mine;
}

__global__ void read_by_an_addition(const int *in, int *out)
{
    out[threadIdx.x] = atomicAdd(const_cast<int *>(&in[threadIdx.x]), 0);
}

int main()
{
    int host[4] = {1, 2, 3, 4}, *in, *out;
    cudaMalloc(&in, sizeof host);
    cudaMalloc(&out, sizeof host);
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    simt_name_allocation(in, 0, "in", sizeof *in);
    simt_mark_input(in);
    borrow<<<1, 4>>>(in, out);
    read_by_an_addition<<<1, 4>>>(in, out);
    cudaMemset(in, 0, sizeof host);
    cudaMemcpy(in, out, sizeof host, cudaMemcpyDeviceToDevice);
    cudaMemcpy(host, in, sizeof host, cudaMemcpyDeviceToHost);
    return cudaDeviceSynchronize() != cudaSuccess || host[3] != 4;
}

//= input_written.cu:9  borrow: write to in[0], which is an input
//=     thread 0 of block 0 writes 4 bytes; inputs stay as they are, also while the kernel runs
//=     try: work in shared memory, in the output, or in scratch memory from cudaMalloc
//= input_written.cu:11  borrow: write to in[0], which is an input
//=     thread 0 of block 0 writes 4 bytes; inputs stay as they are, also while the kernel runs
//=     try: work in shared memory, in the output, or in scratch memory from cudaMalloc
//= input_written.cu:16  read_by_an_addition: atomic operation on in[0], which is an input
//=     thread 0 of block 0 writes 4 bytes; inputs stay as they are, also while the kernel runs
//=     try: work in shared memory, in the output, or in scratch memory from cudaMalloc
//= input_written.cu:29  main: cudaMemset writes to in, which is an input
//=     try: is the destination the array that is meant? Inputs stay as they are
//= input_written.cu:30  main: cudaMemcpy writes to in, which is an input
//=     try: is the destination the array that is meant? Inputs stay as they are
