/* check_work_efficient_scan.c: the public suite of lab 3. What it tests is in check_work_efficient_scan.h and
 * suite_tests.h. */
#include "check_work_efficient_scan.h"

int main(int count, char **words)
{
    static const struct suite_lab lab = {WORK_EFFICIENT_SCAN_LAB};
    return suite_main(&lab, count, words);
}
