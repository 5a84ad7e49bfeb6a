/* Each block writes one number. A race of blocks 500 and 501 is outside the sample, that of 998 and 999 is in it. With an
 * argument the progress is shown from the first block on. */
extern "C" void progress_show(int file, double after);

__global__ void write_numbers(int *numbers, int racing)
{
    const int block = blockIdx.x;
    numbers[block == racing + 1 ? racing : block] = block;
}

int main(int argc, char **argv)
{
    enum { BLOCKS = 1000 };
    if (argc > 2)
        progress_show(2, 0);
    int *numbers;
    cudaMalloc(&numbers, BLOCKS * sizeof *numbers);
    write_numbers<<<BLOCKS, 1>>>(numbers, atoi(argv[1]));
    cudaDeviceSynchronize();
    cudaFree(numbers);
}
