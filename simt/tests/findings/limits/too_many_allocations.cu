/* The loop executes few instructions, but the device prepares 128 MiB for it. */
extern "C" bool simt_call(void (*body)(void *), void *context);

static void sweep(void *)
{
    for (int i = 0; i < 64; i++) {
        char *scratch;
        cudaMalloc(&scratch, 1 << 21);
        cudaFree(scratch);
    }
}

int main()
{
    return simt_call(sweep, NULL);
}

//= too_many_allocations.cu:9  sweep: too much memory is allocated
//=     SOME bytes in allocations use up SOME of the 10,000,000 instructions that may be executed: an allocated byte counts as one instruction
//=     try: is the size right? Allocate an array once, before the loop that uses it
