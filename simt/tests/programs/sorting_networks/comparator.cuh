#ifndef COMPARATOR_CUH
#define COMPARATOR_CUH
#include "sortingNetworks_common.h"

__device__ inline void Comparator(uint &keyA, uint &valA, uint &keyB, uint &valB, uint dir)
{
    uint t;
    if ((keyA > keyB) == dir) {
        t = keyA; keyA = keyB; keyB = t;
        t = valA; valA = valB; valB = t;
    }
}
#endif
