/* check_cudac_delays.c: where cudac --delays lets threads wait, and what must stay as it is. */
#include "cudac.h"
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEADER "#include \"delays.cuh\"\n#line 1 \"a.cu\"\n"

/* The source with delays, in which `!` stands for a delay after a statement and `@` for the begin of one before an
 * access. The caller frees it. */
static char *delayed(const char *source, unsigned long seed, bool short_form)
{
    struct cudac_error error;
    size_t size;
    char *output = cudac_delay(source, strlen(source), "a.cu", seed, &size, &error);
    ck_assert_msg(output != NULL, "%s: %s", source, error.message);
    char *text = calloc(size + 1, 1), *to = text;
    for (size_t i = 0; i < size; i++) {
        const bool here = short_form && strncmp(output + i, "delays::here(", 13) == 0,
                   at = short_form && strncmp(output + i, "delays::at(", 11) == 0;
        if (here || at) {
            const char *end = strstr(output + i, here ? "u);" : "u, (");
            ck_assert_ptr_nonnull(end);
            i = (size_t)(end - output) + (here ? 2 : 3);
            *to++ = here ? '!' : '@';
        } else
            *to++ = output[i];
    }
    free(output);
    ck_assert_msg(strncmp(text, HEADER, strlen(HEADER)) == 0, "%s", text);
    char *body = strdup(text + strlen(HEADER));
    free(text);
    return body;
}

static const struct {
    const char *input, *output;
} rows[] = {
    /* after statements, and before accesses */
    {"void k() { a[i] = b[i + 1]; }", "void k() {! a[@i))] = b[@i + 1))];! }"},
    {"void k() { __syncthreads(); }", "void k() {! __syncthreads();! }"},
    {"void k() { a[b[i]][2] = f(p)[i]; }", "void k() {! a[@b[@i))]))][@2))] = f(p)[@i))];! }"},
    {"void k() { atomicAdd(&a[i], 1); }", "void k() {! atomicAdd(&a[@i))], 1);! }"},
    {"void k() { for (int i = 0; i < n; i++) { x = 1; } }",
     "void k() {! for (int i = 0; i < n; i++) {! x = 1;! } }"},
    {"template <class T> void k() { __shared__ T a[8]; }",
     "template <class T> void k() {! __shared__ T a[@8))];! }"},
    {"struct s { int a[2]; void f() { x = 1; } };", "struct s { int a[2]; void f() {! x = 1;! } };"},
    /* a statement that another one needs to follow at once */
    {"void k() { if (x) a = 1; else b = 2; }", "void k() {! if (x) a = 1; else b = 2;! }"},
    {"void k() { do x = 1; while (x < n); }", "void k() {! do x = 1; while (x < n);! }"},
    {"void k() { switch (x) { case 1: y = 1; break; default: y = 2; } }",
     "void k() {! switch (x) {! case 1: y = 1;! break;! default: y = 2;! } }"},
    /* lambdas have statements; types and lists of values have none */
    {"void k() { auto f = [&](int i) { return a[i]; }; }",
     "void k() {! auto f = [&](int i) {! return a[@i))];! };! }"},
    {"void k() { struct pair { int a; int b[2]; } p = {1, {2, 3}}; }",
     "void k() {! struct pair { int a; int b[@2))]; } p = {1, {2, 3}};! }"},
    {"void k() { auto [a, b] = p; int c[] = {1, 2}; }", "void k() {! auto [a, b] = p;! int c[] = {1, 2};! }"},
    {"void k() { delete[] p; [[maybe_unused]] int x; }",
     "void k() {! delete[] p;! [[maybe_unused]] int x;! }"},
    /* outside of functions, in directives and in comments nothing changes */
    {"#define N a[1];\nint a[N]; /* b[1]; */\nnamespace x { int b[2]; }",
     "#define N a[1];\nint a[N]; /* b[1]; */\nnamespace x { int b[2]; }"},
    {"\xEF\xBB\xBFint a;", "int a;"},
    {"const char *s = \"a[1];\";", "const char *s = \"a[1];\";"},
};

START_TEST(delays_are_put_in)
{
    char *text = delayed(rows[_i].input, 1, true);
    ck_assert_str_eq(text, rows[_i].output);
    free(text);
}
END_TEST

START_TEST(lines_stay_in_their_places)
{
    char *text = delayed("void k()\n{\n    a[i] = 1;\n\n    b[i] = 2;\n}\n", 1, true);
    ck_assert_str_eq(text, "void k()\n{!\n    a[@i))] = 1;!\n\n    b[@i))] = 2;!\n}\n");
    free(text);
}
END_TEST

START_TEST(each_place_and_each_seed_has_a_number_of_its_own)
{
    char *one = delayed("void k() { x = 1; }", 1, false), *two = delayed("void k() { x = 1; }", 2, false);
    const char *first = strstr(one, "here("), *second = strstr(first + 1, "here(");
    ck_assert_str_ne(one, two);
    ck_assert_int_ne(strncmp(first, second, 12), 0);
    free(one);
    free(two);
}
END_TEST

START_TEST(brackets_deeper_than_the_record_are_left_alone)
{
    enum { DEPTH = 300, RECORDED = 256 };
    char text[2 * DEPTH + 64];
    size_t at = (size_t)snprintf(text, sizeof text, "void k() ");
    memset(text + at, '{', DEPTH);
    at += DEPTH;
    at += (size_t)snprintf(text + at, sizeof text - at, "x; {y;}");
    memset(text + at, '}', DEPTH);
    text[at + DEPTH] = '\0';
    char *output = delayed(text, 1, true);
    size_t places = 0;
    for (const char *mark = strchr(output, '!'); mark != NULL; mark = strchr(mark + 1, '!'))
        places++;
    ck_assert_uint_eq(places, RECORDED);
    free(output);
}
END_TEST

START_TEST(a_broken_source_is_refused_with_its_line)
{
    struct cudac_error error;
    size_t size;
    ck_assert_ptr_null(cudac_delay("int a;\n/* b", 11, "a.cu", 1, &size, &error));
    ck_assert_uint_eq(error.line, 2);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("cudac delays");
    TCase *tcase = tcase_create("delays");
    tcase_add_loop_test(tcase, delays_are_put_in, 0, sizeof rows / sizeof *rows);
    tcase_add_test(tcase, lines_stay_in_their_places);
    tcase_add_test(tcase, each_place_and_each_seed_has_a_number_of_its_own);
    tcase_add_test(tcase, brackets_deeper_than_the_record_are_left_alone);
    tcase_add_test(tcase, a_broken_source_is_refused_with_its_line);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
