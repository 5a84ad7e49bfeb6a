// Copies that overlap kernels: pinned memory, priorities, old and new callbacks, and streams that wait for events.
#include "cudacheck.h"
#include "pipeline.hpp"

int main()
{
    const int n = 4 * 256, bytes = n * sizeof(float);
    float *a, *d_a;
    checkCuda(cudaMallocHost((void **)&a, bytes));
    checkCuda(cudaMalloc((void **)&d_a, bytes));
    int bad = 0;
    for (int streams = 1; streams <= 4; streams *= 2) {
        int stages = 0;
        for (int i = 0; i < n; i++)
            a[i] = (float)(i % 10);
        Pipeline pipeline(streams);
        int done = pipeline.run(a, d_a, n, [&](const Stage &s) { stages += s.count == n / streams; });
        for (int i = 0; i < n; i++)
            bad += a[i] != (float)(i % 10) * 4.0f + 3.0f * i;
        bad += done != n + 1000000 || stages != streams;
        std::printf("%d streams: %d done, %d bad\n", streams, done, bad);
    }
    checkCuda(cudaFree(d_a));
    checkCuda(cudaFreeHost(a));
    std::puts(bad ? "FAIL" : "PASS");
    return bad != 0;
}
