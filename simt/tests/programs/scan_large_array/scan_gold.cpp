/* The SDK's scan of 2007, of any length by recursion; the reference is in a file of its own. */
#include "scan.h"

void computeGold(float *reference, const float *idata, const unsigned int len)
{
    double total_sum = 0;
    reference[0] = 0;
    for (unsigned int i = 1; i < len; ++i) {
        total_sum += idata[i - 1];
        reference[i] = (float)total_sum;
    }
}

unsigned int compare(const float *reference, const float *data, const unsigned int len)
{
    for (unsigned int i = 0; i < len; ++i)
        if (reference[i] != data[i])
            return 0;
    return 1;
}
