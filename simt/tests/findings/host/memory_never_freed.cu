#include <stdlib.h>

/* The early return leaks the second allocation, and a loop leaks one in each iteration. */
extern "C" size_t simt_report_leaks(void);

static int sum(int n)
{
    int *in, *sums;
    cudaMalloc(&in, 64 * sizeof *in);
    cudaMalloc(&sums, 16 * sizeof *sums);
    if (n == 0) {
        cudaFree(in);
        return 0;
    }
    for (int i = 0; i < n; i++) {
        int *scratch;
        cudaMalloc(&scratch, sizeof *scratch);
    }
    cudaFree(in);
    cudaFree(sums);
    return n;
}

int main()
{
    int *pinned;
    cudaStream_t stream;
    cudaEvent_t first, second;
    sum(0);
    sum(3);
    cudaMallocHost(&pinned, 128);
    cudaStreamCreate(&stream);
    cudaEventCreate(&first);
    cudaEventCreate(&second);
    cudaEventDestroy(first);
    return simt_report_leaks() != 7;
}

//= memory_never_freed.cu:31  main: leak: 128 bytes of pinned host memory are never freed
//=     they are allocated here
//=     try: cudaFreeHost it after its last use, on every way out of the function
//= memory_never_freed.cu:17  sum: leak: 4 bytes of device memory are never freed
//=     they are allocated here
//=     try: cudaFree it after its last use, on every way out of the function
//= memory_never_freed.cu:10  sum: leak: 64 bytes of device memory are never freed
//=     they are allocated here
//=     try: cudaFree it after its last use, on every way out of the function
//= memory_never_freed.cu:32  main: leak: a stream is never destroyed
//=     it is made here
//=     try: cudaStreamDestroy it after its last use, on every way out of the function
//= memory_never_freed.cu:34  main: warning: leak: an event is never destroyed
//=     it is made here
//=     try: cudaEventDestroy it after its last use, on every way out of the function
