/* check_reduction.c: the public suite of lab 1. What it tests is in check_reduction.h and suite_tests.h. */
#include "check_reduction.h"

int main(int count, char **words)
{
    static const struct suite_lab lab = {REDUCTION_LAB};
    return suite_main(&lab, count, words);
}
