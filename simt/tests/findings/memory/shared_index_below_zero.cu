/* The first thread has no neighbour on its left: its index is -1, or with an unsigned index 2^32 - 1. */
template <class Index> __global__ void from_the_left(int *out)
{
    __shared__ int sums[32];
    const Index t = (Index)threadIdx.x;
    sums[t] = (int)t;
    __syncthreads();
    out[t] = sums[t - 1];
}

template <class Index> static bool fails()
{
    int *out;
    cudaMalloc(&out, 32 * sizeof(int));
    from_the_left<Index><<<1, 32>>>(out);
    const bool illegal = cudaDeviceSynchronize() == cudaErrorIllegalAddress;
    cudaDeviceReset(); /* the fault is forgotten */
    return illegal;
}

int main()
{
    return !fails<int>() || !fails<unsigned>();
}

//= shared_index_below_zero.cu:8  from_the_left<int>: index out of bounds: sums[-1]
//=     thread 0 of block 0; the array is int [32]
//=     the kernel ends here
//=     try: check the index arithmetic: is the index below 0?
//= shared_index_below_zero.cu:8  from_the_left<unsigned int>: index out of bounds: sums[4294967295]
//=     thread 0 of block 0; the array is int [32]
//=     the kernel ends here
//=     try: an unsigned index below 0 wraps: -1 becomes 4294967295; test it before you subtract
