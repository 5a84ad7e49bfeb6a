/* check_compaction.c: the public suite of lab 4. What it tests is in check_compaction.h and suite_tests.h. */
#include "check_compaction.h"

int main(int count, char **words)
{
    static const struct suite_lab lab = {COMPACTION_LAB};
    return suite_main(&lab, count, words);
}
