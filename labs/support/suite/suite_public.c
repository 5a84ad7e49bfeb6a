/* suite_public.c: main of a lab's public suite, which tests the parts of `this_lab`. A program with its own main
 * does not link it. */
#include "suite.h"

int main(int count, char **words)
{
    return suite_main(&this_lab, count, words);
}
