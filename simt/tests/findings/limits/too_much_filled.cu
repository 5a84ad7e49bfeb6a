/* The loop ends, but only after it has filled the array 4096 times. */
extern "C" bool simt_call(void (*body)(void *), void *context);

static void sweep(void *)
{
    char *array;
    cudaMalloc(&array, 1 << 18);
    for (int i = 0; i < 4096; i++)
        cudaMemset(array, i % 2, 1 << 18);
    cudaFree(array);
}

int main()
{
    return simt_call(sweep, NULL);
}

//= too_much_filled.cu:8  sweep: too much memory is copied or filled
//=     SOME bytes in calls use up SOME of the 10,000,000 instructions that may be executed: 16 bytes count as one instruction
//=     try: copy or fill an array once, only the elements that are needed; does the loop around it end?
