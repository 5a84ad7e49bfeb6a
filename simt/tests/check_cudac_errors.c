/* check_cudac_errors.c: which texts the source translator refuses, where, and with what words. */
#include "cudac.h"
#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* ---- errors ---------------------------------------------------------------------------------------- */

struct refusal {
    const char *input;
    size_t line, column;
    const char *message;
};

static void expect_error(const struct refusal *row)
{
    struct cudac_error error;
    size_t size;
    char *output = cudac_translate(row->input, strlen(row->input), "a.cu", &size, &error);

    ck_assert_msg(output == NULL, "of\n%s\ncame\n%.*s", row->input, (int)size, output);
    ck_assert_msg(error.line == row->line && error.column == row->column &&
                      strcmp(error.message, row->message) == 0,
                  "%s\nis refused with %zu:%zu: %s", row->input, error.line, error.column, error.message);
}

#define EXPECT_ERROR(...)                                                                                    \
    do {                                                                                                     \
        static const struct refusal rows[] = {__VA_ARGS__};                                                  \
        for (size_t row = 0; row < COUNT(rows); row++)                                                       \
            expect_error(&rows[row]);                                                                        \
    } while (0)

START_TEST(empty_configuration_is_refused)
{
    EXPECT_ERROR({"k<<<>>>(x);", 1, 2, "this launch has nothing between '<<<' and '>>>'"},
                 {"int a;\n  k<<< /* 1 */ >>>();", 2, 4, "this launch has nothing between '<<<' and '>>>'"});
}
END_TEST

START_TEST(empty_configuration_argument_is_refused)
{
    EXPECT_ERROR({"k<<<1,>>>();", 1, 7, "an argument between '<<<' and '>>>' is empty"},
                 {"k<<<1,\n ,2>>>();", 2, 2, "an argument between '<<<' and '>>>' is empty"},
                 {"k<<<,1>>>();", 1, 5, "an argument between '<<<' and '>>>' is empty"});
}
END_TEST

START_TEST(fifth_configuration_argument_is_refused)
{
    EXPECT_ERROR({"k<<<1,2,3,4,\n 5>>>(x);", 2, 2, "more than 4 arguments between '<<<' and '>>>'"},
                 {"k<<<a<1,2,3,4,5>>>(x);", 1, 15, "more than 4 arguments between '<<<' and '>>>'"});
}
END_TEST

START_TEST(launch_without_end_is_refused)
{
    EXPECT_ERROR({"\n  k<<<1,2>>(x);", 2, 4, "this '<<<' is never closed by '>>>'"},
                 {"k<<<1,2;\nf<g<h<int>>>(x);", 1, 2, "this '<<<' is never closed by '>>>'"},
                 {"k<<<1,2(x);", 1, 2, "this '<<<' is never closed by '>>>'"},
                 {"{ k<<<1,2 } j<<<1,2>>>();", 1, 4, "this '<<<' is never closed by '>>>'"},
                 {"#define L k<<<1,2\nint x;", 1, 12, "this '<<<' is never closed by '>>>'"});
}
END_TEST

START_TEST(end_without_launch_is_refused)
{
    EXPECT_ERROR(
        {"k<<1,2>>>(x);", 1, 7, "this '>>>' has no '<<<' before it"},
        {"k<<<1,\n#if A\n2>>>(x);\n#else\n3>>>(x);\n#endif", 5, 2, "this '>>>' has no '<<<' before it"});
}
END_TEST

START_TEST(launch_without_argument_list_is_refused)
{
    EXPECT_ERROR({"k<<<1,2>>>;", 1, 11, "this launch has no argument list after '>>>'"},
                 {"k<<<1,2>>>x;", 1, 11, "this launch has no argument list after '>>>'"},
                 {"k<<<1,2>>>\n#if A\n(x);", 1, 11, "this launch has no argument list after '>>>'"},
                 {"#define L(k) k<<<1,2>>>\n", 1, 24, "this launch has no argument list after '>>>'"});
}
END_TEST

START_TEST(unclosed_bracket_of_a_launch_is_refused)
{
    EXPECT_ERROR(
        {"k<<<1,2>>>(f(x);", 1, 11, "this argument list is never closed"},
        {"{ k<<<1,2>>>(x; }\nf();", 1, 13, "this argument list is never closed"},
        {"k<<<1,\n dim3(2>>>(x);", 2, 6, "this bracket is not closed before the '>>>' of its launch"});
}
END_TEST

START_TEST(launch_without_kernel_is_refused)
{
    EXPECT_ERROR({"<<<1,2>>>(x);", 1, 1, "no kernel stands before this '<<<'"},
                 {"return <<<1,2>>>(x);", 1, 8, "no kernel stands before this '<<<'"},
                 {"x = 3<<<1,2>>>();", 1, 6, "no kernel stands before this '<<<'"},
                 {"()<<<1,2>>>();", 1, 3, "no kernel stands before this '<<<'"},
                 {"k<<<1,2>>>(x)<<<1,2>>>();", 1, 14, "no kernel stands before this '<<<'"},
                 {"k\n#if A\n<<<1,2>>>();\n#endif", 3, 1, "no kernel stands before this '<<<'"},
                 {"#define ARROWS <<<1,2>>>\n", 1, 16, "no kernel stands before this '<<<'"});
}
END_TEST

START_TEST(callee_that_cannot_be_copied_is_refused)
{
    static const char message[] = "this cannot stand within the name of the kernel that a launch starts";

    EXPECT_ERROR({"(j<<<1,2>>>(), k)<<<1,2>>>();", 1, 3, message},
                 {"k<\n#if A\n1\n#endif\n><<<1,2>>>();", 2, 1, message},
                 {"k[R\"(\n)\"[0]]<<<1,2>>>();", 1, 3, message});
}
END_TEST

START_TEST(merge_conflict_is_named)
{
    EXPECT_ERROR({"int a;\n<<<<<<< HEAD\n", 2, 1, "this looks like the mark of a merge conflict"});
}
END_TEST

START_TEST(dynamic_shared_memory_with_a_size_is_refused)
{
    static const char message[] = "'extern __shared__' must declare an array without a size";

    EXPECT_ERROR(
        {"extern __shared__ int x[3];", 1, 23, message}, {"extern __shared__ float f;", 1, 25, message},
        {"extern __shared__ int x[], y;", 1, 28, message}, {"extern __shared__ int (*x)[];", 1, 19, message},
        {"\n#define D extern __shared__\n", 2, 18, message}, {"extern __shared__ [];", 1, 8, message});
}
END_TEST

START_TEST(unterminated_comment_is_refused)
{
    EXPECT_ERROR({"int a;\n /* b\nc", 2, 2, "this comment is never closed"},
                 {"#if 0\n/*\n#endif", 2, 1, "this comment is never closed"},
                 {"#define A /* b\n", 1, 11, "this comment is never closed"},
                 {"/*/", 1, 1, "this comment is never closed"});
}
END_TEST

START_TEST(unterminated_literal_is_refused)
{
    EXPECT_ERROR({"a;\n \"abc\n\"", 2, 2, "this string has no closing \" on its line"},
                 {"u8\"abc\\\"", 1, 1, "this string has no closing \" on its line"},
                 {"x = 'a;\n", 1, 5, "this character constant has no closing ' on its line"},
                 {"\nR\"d(x)e\"", 2, 1, "this raw string is never closed"},
                 {"R\"d x\"", 1, 1, "this raw string does not begin with R\"delimiter("},
                 {"R\"01234567890123456(x)01234567890123456\"", 1, 1,
                  "this raw string does not begin with R\"delimiter("});
}
END_TEST

START_TEST(error_says_what_to_try)
{
    struct cudac_error error;
    size_t size;

    ck_assert_ptr_null(cudac_translate("k<<<1,2>>>;", 11, "a.cu", &size, &error));
    ck_assert_str_eq(error.hint, "kernel<<<blocks, threads>>>() when it takes none");
}
END_TEST

/* ---- cost ------------------------------------------------------------------------------------------ */

/* Repetitions that cost many minutes of processor time if the step over one of them looked at all the others. */
START_TEST(cost_grows_with_the_size_only)
{
    static const struct {
        const char *head, *repeated, *tail;
    } rows[] = {{"", "k<<<1,1>>>(", ""},
                {"", "f(", ""},
                {"", "a<", ";"},
                {"", ">>>", ""},
                {"", "extern ", ""},
                {"", "__device__ x ", ""},
                {"", "\\\n", "x"},
                {"", "\\ ", "x"},
                {"#define X ", "R\"( ", ""},
                {"", "#if X\n(", ""},
                {"#if X\n(", "#else\n)(", ""},
                {"", "a::", "k<<<1,1>>>()"},
                {"f", "()", "<<<1,1>>>()"},
                {"", "a<b>(0);", ""},
                {"k<<<", "a<b,", ">>>()"},
                {"", "/*/", "*/"}};
    enum { REPEATS = 300000, PROCESSOR_SECONDS = 120 };
    const struct rlimit limit = {PROCESSOR_SECONDS, PROCESSOR_SECONDS};

    ck_assert_int_eq(setrlimit(RLIMIT_CPU, &limit), 0);

    for (size_t i = 0; i < COUNT(rows); i++) {
        size_t head = strlen(rows[i].head), step = strlen(rows[i].repeated), size;
        char *input = malloc(head + step * REPEATS + strlen(rows[i].tail) + 1);
        struct cudac_error error;
        memcpy(input, rows[i].head, head);
        for (size_t k = 0; k < REPEATS; k++)
            memcpy(input + head + k * step, rows[i].repeated, step);
        memcpy(input + head + step * REPEATS, rows[i].tail, strlen(rows[i].tail) + 1);
        char *output = cudac_translate(input, strlen(input), "a.cu", &size, &error);
        ck_assert(output != NULL || error.line > 0);
        free(output);
        free(input);
    }
}
END_TEST

int main(void)
{
    /* Tests of one case stand together. TTest objects are no constants, so this is no static table. */
    const struct {
        const char *tcase;
        const TTest *test;
    } tests[] = {
        {"errors", empty_configuration_is_refused},
        {"errors", empty_configuration_argument_is_refused},
        {"errors", fifth_configuration_argument_is_refused},
        {"errors", launch_without_end_is_refused},
        {"errors", end_without_launch_is_refused},
        {"errors", launch_without_argument_list_is_refused},
        {"errors", unclosed_bracket_of_a_launch_is_refused},
        {"errors", launch_without_kernel_is_refused},
        {"errors", callee_that_cannot_be_copied_is_refused},
        {"errors", merge_conflict_is_named},
        {"errors", dynamic_shared_memory_with_a_size_is_refused},
        {"errors", unterminated_comment_is_refused},
        {"errors", unterminated_literal_is_refused},
        {"errors", error_says_what_to_try},
        {"cost", cost_grows_with_the_size_only},
    };
    Suite *suite = suite_create("cudac errors");
    TCase *tcase = NULL;

    for (size_t i = 0; i < COUNT(tests); i++) {
        if (i == 0 || strcmp(tests[i].tcase, tests[i - 1].tcase) != 0) {
            tcase = tcase_create(tests[i].tcase);
            tcase_set_timeout(tcase, 0); /* processor time is what counts */
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
