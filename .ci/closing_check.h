/* closing_check.h: prints the closing line (closing.h) of tests that use the Check framework. */
#ifndef CLOSING_CHECK_H
#define CLOSING_CHECK_H

#include "closing.h"
#include <check.h>

/* Runs all suites of the runner, frees it, and prints the closing line. Returns the exit status. */
static inline int closing_run(const char *name, SRunner *runner)
{
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner), run = srunner_ntests_run(runner);
    srunner_free(runner);
    return closing_line(name, run - failed, failed);
}

#endif
