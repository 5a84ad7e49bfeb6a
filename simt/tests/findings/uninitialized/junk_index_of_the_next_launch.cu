/* The first kernel stores numbers that it has read from memory without contents. The second one's index is one of them, so
 * its fault may follow from the first kernel's. */
__global__ void number(const int *lengths, int *places)
{
    places[threadIdx.x] = lengths[threadIdx.x];
}

__global__ void put(const int *places, char *out)
{
    out[places[threadIdx.x]] = 1;
}

int main()
{
    int *lengths, *places;
    char *out;
    cudaMalloc(&lengths, 32 * sizeof *lengths);
    cudaMalloc(&places, 32 * sizeof *places);
    cudaMalloc(&out, 32);
    cudaMemset(lengths, 0, 32);
    number<<<1, 32>>>(lengths, places);
    put<<<1, 32>>>(places, out);
    return cudaDeviceSynchronize() != cudaErrorIllegalAddress;
}

//= junk_index_of_the_next_launch.cu:5  number: read of uninitialized lengths[8]
//=     thread 8 of block 0 reads 4 bytes that nothing has written since they were allocated at junk_index_of_the_next_launch.cu:17
//=     written so far: 32 of the 128 bytes of lengths
//=     try: the count of cudaMemset and cudaMemcpy is in bytes: elements times sizeof(element)
//= junk_index_of_the_next_launch.cu:10  put: warning: the same value is written several times to out[0]
//=     thread 0 writes it at line 10, thread 1 writes it at line 10, the same value, and nothing orders them
//=     try: let one thread write it; then it does not matter whether all threads have the same value
//= junk_index_of_the_next_launch.cu:10  put: write through a wild pointer
//=     thread 8 of block 0 writes 1 byte; the address belongs to no allocation and no variable
//=     the kernel ends here
//=     an earlier finding may be the reason
//=     try: check the index arithmetic: an unsigned index below 0 wraps to a huge one
