/* check_support.c: runs the tests of labs/support.
 *
 *     check_support build/bin      the folder with fake_runner and toy_suite */
#include "check_support.h"
#include "closing_check.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

const char *programs;

int main(int count, char **words)
{
    if (count != 2) {
        fprintf(stderr, "usage: check_support FOLDER, where fake_runner and toy_suite are\n");
        return 2;
    }
    programs = words[1];
    signal(SIGPIPE, SIG_IGN);
    SRunner *runner = srunner_create(monoid_suite());
    srunner_add_suite(runner, npy_suite());
    srunner_add_suite(runner, value_suite());
    srunner_add_suite(runner, call_suite());
    srunner_add_suite(runner, message_suite());
    srunner_add_suite(runner, show_suite());
    srunner_add_suite(runner, option_suite());
    srunner_add_suite(runner, report_suite());
    srunner_add_suite(runner, shape_suite());
    srunner_add_suite(runner, tile_suite());
    srunner_add_suite(runner, look_again_suite());
    return closing_run("labs/support", runner);
}
