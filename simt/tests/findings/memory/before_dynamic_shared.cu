__global__ void read_left(int *out, int i)
{
    extern __shared__ int buffer[];
    buffer[threadIdx.x] = 1;
    out[0]              = buffer[i - 1];
}

int main()
{
    int *out;
    cudaMalloc(&out, sizeof *out);
    read_left<<<1, 1, 32>>>(out, 0);
}

//= before_dynamic_shared.cu:5  read_left: read out of bounds: dynamic shared memory, byte -4
//=     thread 0 of block 0 reads 4 bytes; the launch gives the block 32 bytes
//=     the kernel ends here
//=     try: check the index arithmetic: is the index below 0?
