/* check_support.h: the tests of labs/support, with one Suite for each file. */
#ifndef CHECK_SUPPORT_H
#define CHECK_SUPPORT_H

#include <check.h>

Suite *monoid_suite(void);
Suite *npy_suite(void);
Suite *value_suite(void);
Suite *call_suite(void);
Suite *message_suite(void);
Suite *show_suite(void);
Suite *option_suite(void);
Suite *report_suite(void);
Suite *shape_suite(void);
Suite *tile_suite(void);
Suite *look_again_suite(void);

/* The folder of the programs that the tests start: fake_runner, toy_suite and toy_images. */
extern const char *programs;

#endif
