/* Shared values that were never written, but make no difference: lanes that take no part copy and add them. If they make a
 * difference, the read is an error, also if other values would keep the kernel busy for hours. */
__global__ void copies(const int *in, int *out)
{
    __shared__ int tile[2][64];
    int t = threadIdx.x;
    if (t < 32)
        tile[0][t] = in[t];
    __syncthreads();
    tile[1][t] = tile[0][t];
    __syncthreads();
    if (t < 32)
        out[t] = tile[1][t];
}

__global__ void branches(const int *in, int *out)
{
    __shared__ int flag[64];
    int t = threadIdx.x;
    if (t < 32)
        flag[t] = 0;
    __syncthreads();
    if (flag[t] != 0)
        out[t] = 1;
}

__global__ void loops(int *out)
{
    __shared__ int count;
    for (int i = 0; i < count; i++)
        out[i % 64] += i;
}

int main()
{
    int *in, *out;
    cudaMalloc(&in, 64 * sizeof *in);
    cudaMalloc(&out, 64 * sizeof *out);
    cudaMemset(in, 0, 64 * sizeof *in);
    for (int i = 0; i < 3; i++)
        copies<<<1, 64>>>(in, out);
    branches<<<1, 64>>>(in, out);
    loops<<<1, 1>>>(out);
    cudaFree(in);
    cudaFree(out);
    return 0;
}

//= junk_that_nobody_uses.cu:10  copies: warning: read of uninitialized shared tile[0][32]
//=     thread 32 of block 0 reads 4 bytes that nothing has written since the block began
//=     written so far: 64 of the 128 elements of tile
//=     run again with other values there, the kernel did the same and stored the same results
//=     try: is this the index that is meant? Then some thread must store this element first, past the end of the input a value that changes no result, with a __syncthreads() between that store and this read
//= junk_that_nobody_uses.cu:23  branches: read of uninitialized shared flag[32]
//=     thread 32 of block 0 reads 4 bytes that nothing has written since the block began
//=     written so far: elements 0-31 of the 64 of flag
//=     try: is this the index that is meant? Then some thread must store this element first, past the end of the input a value that changes no result, with a __syncthreads() between that store and this read
//= junk_that_nobody_uses.cu:30  loops: read of uninitialized shared count
//=     thread 0 of block 0 reads 4 bytes that nothing has written since the block began
//=     try: shared memory begins as junk, not 0: let one thread set it, and all wait at a __syncthreads()
