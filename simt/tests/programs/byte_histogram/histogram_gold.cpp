#include "common/histogram_common.h"
#include <assert.h>

extern "C" void histogram64CPU(uint *h_Histogram, const void *h_Data, uint byteCount)
{
    for (uint i = 0; i < HISTOGRAM64_BIN_COUNT; i++)
        h_Histogram[i] = 0;
    assert(sizeof(uint) == 4 && (byteCount % 4) == 0);
    for (uint i = 0; i < (byteCount / 4); i++)
        for (uint k = 2, data = ((const uint *)h_Data)[i]; k < 32; k += 8)
            h_Histogram[data >> k & 0x3FU]++;
}

extern "C" void histogram256CPU(uint *h_Histogram, const void *h_Data, uint byteCount)
{
    for (uint i = 0; i < HISTOGRAM256_BIN_COUNT; i++)
        h_Histogram[i] = 0;
    for (uint i = 0; i < byteCount; i++)
        h_Histogram[((const uchar *)h_Data)[i]]++;
}
