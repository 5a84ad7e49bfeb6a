/* check_summed_area_table.c: the public suite of lab 7. What it tests is in check_summed_area_table.h,
 * images.h and suite_tests.h. */
#include "check_summed_area_table.h"

int main(int count, char **words)
{
    static const struct suite_lab lab = {SUMMED_AREA_TABLE_LAB};
    return suite_main(&lab, count, words);
}
