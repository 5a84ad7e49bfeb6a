#include "cutil_mini.h"
#include <math.h>
#include <time.h>

#define TIMERS 4
static struct {
    clock_t started;
    double milliseconds;
} timers[TIMERS];
static unsigned int used;

CUTBoolean cutComparefe(const float *reference, const float *data, unsigned int len, float epsilon)
{
    for (unsigned int i = 0; i < len; ++i)
        if (fabsf(reference[i] - data[i]) > epsilon)
            return CUTFalse;
    return CUTTrue;
}

CUTBoolean cutCreateTimer(unsigned int *name)
{
    *name = used;
    return used++ < TIMERS ? CUTTrue : CUTFalse;
}

CUTBoolean cutStartTimer(unsigned int name)
{
    timers[name].started = clock();
    return CUTTrue;
}

CUTBoolean cutStopTimer(unsigned int name)
{
    timers[name].milliseconds += 1000.0 * (double)(clock() - timers[name].started) / CLOCKS_PER_SEC;
    return CUTTrue;
}

float cutGetTimerValue(unsigned int name)
{
    return (float)timers[name].milliseconds;
}
