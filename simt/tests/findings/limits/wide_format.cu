/* The program formats one number with two billion digits and keeps only the first seven characters. */
#include <stdio.h>

extern "C" bool simt_call(void (*body)(void *), void *context);

static void sweep(void *)
{
    char digits[8];
    snprintf(digits, sizeof digits, "%.*f", 2000000000, 0.5);
}

int main()
{
    return simt_call(sweep, NULL);
}

//= wide_format.cu:9  sweep: too much is printed
//=     SOME characters use up SOME of the 10,000,000 instructions that may be executed: a character counts as 256 instructions
//=     try: print only for debugging: a few lines, of a short input; does the loop around it end?
