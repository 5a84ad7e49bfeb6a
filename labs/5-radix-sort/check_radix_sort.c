/* check_radix_sort.c: the public suite of lab 5. What it tests is in check_radix_sort.h, sort_keys.h and
 * suite_tests.h. */
#include "check_radix_sort.h"

int main(int count, char **words)
{
    static const struct suite_lab lab = {RADIX_SORT_LAB};
    return suite_main(&lab, count, words);
}
