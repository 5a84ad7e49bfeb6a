/* The loop ends, but only after it has printed 12 million characters. */
#include <stdio.h>

extern "C" bool simt_call(void (*body)(void *), void *context);

__global__ void talk(int lines)
{
    for (int i = 0; i < lines; i++)
        printf("a line that is printed over and over: %7d\n", i);
}

static void sweep(void *)
{
    talk<<<1, 1>>>(1 << 18);
}

int main()
{
    simt_call(sweep, NULL);
    return 0;
}

//= too_much_printed.cu:8  talk: too much is printed
//=     SOME characters use up SOME of the 10,000,000 instructions that may be executed: a character counts as 256 instructions
//=     try: print only for debugging: a few lines, of a short input; does the loop around it end?
