/* check_applications.c: the public suite of lab 8. What it tests is in check_applications.h, app_inputs.h and
 * suite_tests.h. */
#include "check_applications.h"

int main(int count, char **words)
{
    static const struct suite_lab lab = {APPLICATIONS_LAB};
    return suite_main(&lab, count, words);
}
