/* suite_public.c: the public suite of a lab, whose parts are `this_lab`. A program with a main of its own does without it. */
#include "suite.h"

int main(int count, char **words)
{
    return suite_main(&this_lab, count, words);
}
