#include <cstdio>
#include "cpu.h"

#include "common.h"

namespace StreamCompaction {
namespace CPU {

using StreamCompaction::Common::PerformanceTimer;

PerformanceTimer &timer()
{
    static PerformanceTimer timer;
    return timer;
}

static void scanImpl(int n, int *odata, const int *idata)
{
    int sum = 0;
    for (int i = 0; i < n; ++i) {
        odata[i] = sum;
        sum += idata[i];
    }
}

void scan(int n, int *odata, const int *idata)
{
    timer().startCpuTimer();
    scanImpl(n, odata, idata);
    timer().endCpuTimer();
}

int compactWithoutScan(int n, int *odata, const int *idata)
{
    timer().startCpuTimer();
    int count = 0;
    for (int i = 0; i < n; ++i)
        if (idata[i] != 0)
            odata[count++] = idata[i];
    timer().endCpuTimer();
    return count;
}

int compactWithScan(int n, int *odata, const int *idata)
{
    int *bools = new int[n];
    int *indices = new int[n];
    timer().startCpuTimer();
    for (int i = 0; i < n; ++i)
        bools[i] = idata[i] != 0;
    scanImpl(n, indices, bools);
    for (int i = 0; i < n; ++i)
        if (bools[i])
            odata[indices[i]] = idata[i];
    const int count = indices[n - 1] + bools[n - 1];
    timer().endCpuTimer();
    delete[] bools;
    delete[] indices;
    return count;
}

} // namespace CPU
} // namespace StreamCompaction
