/* The loop executes few instructions, but each turn calls a function of the C library. */
#include <math.h>

extern "C" bool simt_call(void (*body)(void *), void *context);

static void sweep(void *sum)
{
    for (int i = 0; i < 1 << 18; i++)
        *(double *)sum += exp(-i);
}

int main()
{
    double sum = 0;
    return simt_call(sweep, &sum);
}

//= long_library_calls.cu:9  sweep: host code does not end
//=     after SOME executed instructions (the budget: 10,000,000) it is still at work here
//=     try: check that every loop's condition changes on each pass
