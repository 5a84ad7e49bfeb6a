/* cases.h: runs the test cases of a suite of Check's; main returns the result. */
#ifndef SIMT_TESTS_CASES_H
#define SIMT_TESTS_CASES_H

#include <check.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* Cases with the same name are consecutive. */
struct test_case {
    const char *tcase;
    const TTest *test;
};

/* `begin` runs before each test; it may be null. */
static int run_cases(const char *name, const struct test_case *tests, size_t count, void (*begin)(void))
{
    Suite *suite = suite_create(name);
    TCase *tcase = NULL;

    for (size_t i = 0; i < count; i++) {
        if (i == 0 || strcmp(tests[i].tcase, tests[i - 1].tcase) != 0) {
            tcase = tcase_create(tests[i].tcase);
            tcase_add_checked_fixture(tcase, begin, NULL);
            suite_add_tcase(suite, tcase);
        }
        tcase_add_test(tcase, tests[i].test);
    }
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

#endif
