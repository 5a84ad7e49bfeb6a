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

//= too_many_allocations.cu:9  sweep: host code does not end
//=     after SOME executed instructions (the budget: 10,000,000) it is still at work here
//=     try: check that every loop's condition changes on each pass
