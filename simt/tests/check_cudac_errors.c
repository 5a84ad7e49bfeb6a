/* check_cudac_errors.c: the texts that the source translator refuses, with the places and messages of the errors. */
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
    char *output = cudac_translate(row->input, strlen(row->input), "a.cu", NULL, &size, &error);

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
                 {"#define ARROWS 3 <<<1,2>>>\n", 1, 18, "no kernel stands before this '<<<'"});
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

START_TEST(dynamic_shared_memory_beside_other_variables_is_refused)
{
    static const char message[] =
        "'extern __shared__' declares arrays without a size here, and nothing else beside them";

    EXPECT_ERROR({"extern __shared__ int x[], y;", 1, 28, message},
                 {"extern __shared__ int (*x)[];", 1, 19, message},
                 {"\n#define D extern __shared__\n", 2, 18, message},
                 {"extern __shared__ [];", 1, 8, message}, {"extern __shared__ int x, y[];", 1, 23, message},
                 {"extern __shared__ int x[2], y[];", 1, 23, message});
}
END_TEST

#define WITHIN      "a __device__ or __constant__ variable is declared within a function"
#define LAMBDA      "a __device__ lambda cannot capture by reference: a kernel runs elsewhere"
#define ON_HOST     "a __shared__ variable stands in a function that runs on the host"
#define INITIALIZED "a __shared__ variable cannot have an initializer"

START_TEST(shared_variable_that_nvcc_refuses_is_refused)
{
    EXPECT_ERROR({"__global__ void k() {\n __shared__ int a = 3; }", 2, 2, INITIALIZED},
                 {"__global__ void k() { __shared__ int a, b[2] = {1, 2}; }", 1, 23, INITIALIZED},
                 {"__device__ void f() { if (x) { static __shared__ int a{}; } }", 1, 39, INITIALIZED},
                 {"void f() { __shared__ int a[4]; }", 1, 12, ON_HOST},
                 {"__host__ __device__ void f() { __shared__ int a[4]; }", 1, 32, ON_HOST},
                 {"struct s { int x; void f() { __shared__ int a; } };", 1, 30, ON_HOST});
}
END_TEST

START_TEST(kernel_that_nvcc_refuses_is_refused)
{
    EXPECT_ERROR(
        {"struct s { __global__ void k(int *); };", 1, 12, "a kernel cannot be a member of a class"},
        {"class s {\npublic:\n static __global__ void k() {} };", 3, 9,
         "a kernel cannot be a member of a class"},
        {"__global__ __host__ void k();", 1, 1,
         "a function cannot be __global__ and __device__ or __host__ as well"},
        {"constexpr __global__ void k() {}", 1, 11, "a kernel cannot be constexpr"},
        {"__global__ auto k(int *p) {}", 1, 1, "a kernel's type has to be written: void"},
        {"__global__ void k(int *p, ...) {}", 1, 1, "a kernel cannot take a variable number of arguments"},
        {"__global__ void k(int &&x) {}", 1, 1, "a kernel cannot take an rvalue reference"},
        {"__launch_bounds__(256) void f() {}", 1, 1, "__launch_bounds__ is for kernels only"});
}
END_TEST

START_TEST(device_code_that_nvcc_refuses_is_refused)
{
    EXPECT_ERROR(
        {"void f() { int y; g([&] __device__ { return y; }); }", 1, 22, LAMBDA},
        {"void f() { int y; g([=, &y] __host__ __device__ { return y; }); }", 1, 25, LAMBDA},
        {"void f() { __constant__ int c; }", 1, 12, WITHIN},
        {"__global__ void k() { __device__ int c; }", 1, 23, WITHIN},
        {"struct s { static __device__ int x; };", 1, 19,
         "a member of a class cannot be a __device__ or __constant__ variable"},
        {"__global__ void k() { try { f(); } catch (...) {} }", 1, 23,
         "there are no exceptions in device code"},
        {"__device__ const void *f() { return &typeid(int); }", 1, 38, "there is no typeid in device code"},
        {"__global__ void k(int *p) {\nasm volatile(\"mov.u32 %0, %%laneid;\" : \"=r\"(*p)); }", 2, 1,
         "the CPU device does not run PTX, and nvcc takes asm for it"},
        {"__device__ void f() { __asm__(\"exit;\"); }", 1, 23,
         "the CPU device does not run PTX, and nvcc takes asm for it"},
        {"__device__ int f() { return std::numeric_limits<int>::max(); }", 1, 34,
         "the functions of std::numeric_limits are for host code"});
}
END_TEST

/* A program's own template with that name is not CUDA's. */
START_TEST(texture_reference_is_refused)
{
    static const char *const accepted[] = {
        "template <class T, int n> struct texture { T x[n]; }; texture<float, 1> tex;",
        "texture<float> wall;", "images::texture<float, 1> tex;",
        "void f() { float texture = 0; g(texture < 1); }", "texture *t; surface<checker> top;"};
    EXPECT_ERROR({"texture<float, 1, cudaReadModeElementType> tex;", 1, 1,
                  "the CPU device has no textures, and CUDA no texture references since version 12"},
                 {"int a;\nstatic texture<uint4, cudaTextureType2D> tex;", 2, 8,
                  "the CPU device has no textures, and CUDA no texture references since version 12"},
                 {"texture<int> t; __global__ void k(int *p) { *p = tex1Dfetch(t, 0); }", 1, 1,
                  "the CPU device has no textures, and CUDA no texture references since version 12"},
                 {"surface<void, 2> s;", 1, 1,
                  "the CPU device has no surfaces, and CUDA no surface references since version 12"});
    for (size_t row = 0; row < COUNT(accepted); row++) {
        struct cudac_error error;
        size_t size;
        char *output = cudac_translate(accepted[row], strlen(accepted[row]), "a.cu", NULL, &size, &error);
        ck_assert_msg(output != NULL, "%s\nis refused with %s", accepted[row], error.message);
        free(output);
    }
}
END_TEST

START_TEST(declarations_that_nvcc_accepts_pass)
{
    static const char *const accepted[] = {
        "__global__ void k() { __shared__ int a[4], b; extern __shared__ int c[]; int d = 3; }",
        "template <class T> struct s { static __device__ T f(T x) { __shared__ T a; return x; } };",
        "void f() { static __device__ int c; try { g(); } catch (...) { throw; } typeid(int); asm(\"nop\"); "
        "}",
        "__global__ void k() { asm volatile(\"\" ::: \"memory\"); __asm__ __volatile__(\"\"); }",
        "struct s { friend __global__ void k(s *); __device__ s() {} };",
        "template <class... T> __global__ void k(T... values) {}",
        "__global__ auto k(int *p) -> void { auto g = [](int x) { return x; }; }",
        "__global__ void __launch_bounds__(32) k() {} template <int N> __launch_bounds__(N) __global__ void "
        "l();",
        "__device__ int f() { return std::numeric_limits<int>::digits; }",
        "__device__ int f() { return cuda::std::numeric_limits<int>::max(); }",
        "__device__ int f() { return cs::numeric_limits<int>::max() + ::cs::numeric_limits<int>::max(); }",
        "#define DECLARE __shared__ int a = 3;\n"};

    for (size_t i = 0; i < COUNT(accepted); i++) {
        struct cudac_error error;
        size_t size;
        char *output = cudac_translate(accepted[i], strlen(accepted[i]), "a.cu", NULL, &size, &error);
        ck_assert_msg(output, "%s\nis refused with %zu:%zu: %s", accepted[i], error.line, error.column,
                      error.message);
        free(output);
    }
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

    ck_assert_ptr_null(cudac_translate("k<<<1,2>>>;", 11, "a.cu", NULL, &size, &error));
    ck_assert_str_eq(error.hint, "kernel<<<blocks, threads>>>() when it takes none");
}
END_TEST

/* ---- cost ------------------------------------------------------------------------------------------ */

/* Repetitions that would take many minutes of processor time if each of them made the translator look at all others. */
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
        char *output = cudac_translate(input, strlen(input), "a.cu", NULL, &size, &error);
        ck_assert(output != NULL || error.line > 0);
        free(output);
        free(input);
    }
}
END_TEST

int main(void)
{
    /* Tests of one case are consecutive. TTest objects are not constants, so this table is not static. */
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
        {"errors", dynamic_shared_memory_beside_other_variables_is_refused},
        {"errors", shared_variable_that_nvcc_refuses_is_refused},
        {"errors", kernel_that_nvcc_refuses_is_refused},
        {"errors", device_code_that_nvcc_refuses_is_refused},
        {"errors", texture_reference_is_refused},
        {"errors", declarations_that_nvcc_accepts_pass},
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
