// On one line: machines differ in whether a function's entry or its call is the first to need more stack.
__device__ int depth(const int *in, int n) { return in[n & 31] + depth(in, n + 1) + 1; }

__global__ void recurse(const int *in, int *out)
{
    out[threadIdx.x] = depth(in, 0);
}

int main()
{
    int *in, *out;
    cudaMalloc(&in, 32 * sizeof(int));
    cudaMemset(in, 0, 32 * sizeof(int));
    cudaMalloc(&out, 32 * sizeof(int));
    recurse<<<1, 32>>>(in, out);
    return cudaDeviceSynchronize() == cudaSuccess;
}

//= stack_overflow.cu:2  depth: stack overflow
//=     thread 0 of block 0 uses more than 65536 bytes of local memory
//=     try: is there a recursion without an end, or a large local array?
