/* check_naive_scan.c: the public suite of lab 2. What it tests is in check_naive_scan.h and suite_tests.h. */
#include "check_naive_scan.h"

int main(int count, char **words)
{
    static const struct suite_lab lab = {NAIVE_SCAN_LAB};
    return suite_main(&lab, count, words);
}
