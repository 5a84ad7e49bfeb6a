__device__ int sums[16];

__global__ void write_behind(int *to, int i)
{
    int *at = to ? to : sums;
    at[i]   = 1;
}

int main()
{
    write_behind<<<1, 1>>>(nullptr, 16);
}

//= behind_device_array.cu:6  write_behind: write out of bounds: behind __device__ sums[15]
//=     thread 0 of block 0 writes 4 bytes; it begins 0 bytes behind the end of a variable of 64 bytes
//=     the kernel ends here
//=     try: check the index against the length of the variable, and the type against its own
