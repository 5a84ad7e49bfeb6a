__global__ void write_left(int *out, int i)
{
    out[i - 1] = 1;
}

int main()
{
    int *out;
    cudaMalloc(&out, 64);
    write_left<<<1, 1>>>(out, 0);
}

//= before_first_allocation.cu:3  write_left: write out of bounds: 4 bytes before out[0]
//=     thread 0 of block 0 writes 4 bytes; out has 16 elements
//=     the kernel ends here
//=     try: check the index arithmetic: is the index below 0?
