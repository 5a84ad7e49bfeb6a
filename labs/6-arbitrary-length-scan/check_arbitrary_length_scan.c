/* check_arbitrary_length_scan.c: the public suite of lab 6. What it tests is in check_arbitrary_length_scan.h
 * and suite_tests.h. */
#include "check_arbitrary_length_scan.h"

int main(int count, char **words)
{
    static const struct suite_lab lab = {ARBITRARY_LENGTH_SCAN_LAB};
    return suite_main(&lab, count, words);
}
