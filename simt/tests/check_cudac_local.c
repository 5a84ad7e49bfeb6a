/* check_cudac_local.c: the local arrays and early returns that the translator reports to the device, and code that it
 * must not take for one. */
#include "cudac.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Returns the translation, which the caller frees. */
static char *translation(const char *source)
{
    size_t size;
    struct cudac_error error;
    char *output = cudac_translate(source, strlen(source), "x.cu", NULL, &size, &error);
    ck_assert_msg(output != NULL, "%s", error.message);
    output = realloc(output, size + 1);
    ck_assert_ptr_nonnull(output);
    output[size] = 0;
    return output;
}

/* Returns the names that the translation of a function with this body reports, such as "item other ". */
static const char *told(const char *head, const char *body)
{
    static char names[512];
    char source[2048];
    snprintf(source, sizeof source, "%s {\n%s\n}\n", head, body);
    char *output = translation(source);
    names[0] = 0;
    for (const char *at = output; (at = strstr(at, "simt::__local_array simt_local_")) != NULL; at++) {
        const char *name = strchr(at, '(') + 1;
        size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%.*s ", (int)strcspn(name, ","), name);
    }
    free(output);
    return names;
}

#define KERNEL "__global__ void kernel(int *p, int n)"

static const struct {
    const char *body, *names;
} bodies[] = {
    {"int item[4];", "item "},
    {"int a[2], b, *c[3], d[4][5];", "a c d "},
    {"int a[2], b = n + 3, c[3];", "a c "},
    {"int a[2], b = f(a), c[3];", "c "}, /* an initializer may write to an earlier array */
    {"int a[2], b = FILL(), c[3];", "c "},
    {"int a[2], *b = a, c[3];", "c "},
    {"int a[2], b = c[1];", ""},
    {"int a = 1, b{2}, c[3];", "c "},
    {"unsigned long long a[2];", "a "},
    {"volatile int a[2];", "a "},
    {"struct pair a[2];", "a "},
    {"std::pair<int, float> a[2];", "a "},
    {"ns::type<3>::elem a[N];", "a "},
    {"for (int i = 0; i < n; i++) { int a[2]; }", "a "},
    {"if (n) { int a[2]; } else { int b[2]; }", "a b "},
    {"do { int a[2]; } while (n--);", "a "},
    {"{ int a[2]; }", "a "},
    {"auto f = [&](int x) { int a[2]; };", "a "},
    {"switch (n) { case 1: { int a[2]; } }", "a "},
    {"return; int a[2];", "a "},
    /* with an initializer, of another storage, or none at all */
    {"int a[2] = {1, 2};", ""},
    {"int a[2]{};", ""},
    {"const int a[] = {1};", ""},
    {"static int a[2];", ""},
    {"__shared__ int a[2];", ""},
    {"extern __shared__ int a[];", ""},
    {"constexpr int a[2] = {};", ""},
    {"typedef int a[2];", ""},
    {"using a = int[2];", ""},
    {"int a;", ""},
    {"p[3] = 1;", ""},
    {"p[3];", ""},
    {"n = p[3];", ""},
    {"int x = p[3];", ""},
    {"return p[3];", ""},
    {"delete p[3];", ""},
    {"auto [a, b] = pair;", ""},
    {"ns::p[3] = 1;", ""},
    {"struct inner { int a[2]; };", ""},
    {"union { int a[2]; float b; } both;", ""},
    {"struct __align__(8) { int a[2]; } both;", ""},
    {"for (int i = 0; i < n; p[i] = 0) ;", ""},
    /* where an object with a constructor must not be declared */
    {"switch (n) { case 1: int a[2]; a[0] = 1; int b[2]; }", ""},
    {"int a[2]; goto end; end: return;", ""},
};

START_TEST(in_a_kernel)
{
    ck_assert_str_eq(told(KERNEL, bodies[_i].body), bodies[_i].names);
}
END_TEST

static const struct {
    const char *head;
    bool told;
} heads[] = {
    {"__global__ void k()", true},
    {"template <class T> __global__ void k()", true},
    {"__global__ void __launch_bounds__(256) k()", true},
    {"static __device__ int f(int x)", true},
    {"__host__ __device__ int f(int x)", true},
    {"struct s { __device__ int f(int x) { int item[4]; } };\n__device__ int g()", true},
    {"struct s { __device__ int f(int x) const noexcept", true},
    {"__device__ int counter; int main()", false},
    {"__device__ int f(); int main()", false},
    {"int main()", false},
    {"struct s", false},
    {"__device__ struct s", false},
    {"namespace n", false},
};

START_TEST(only_in_device_functions)
{
    const char *names = told(heads[_i].head, "int item[4];");
    ck_assert_msg((names[0] != 0) == heads[_i].told, "%s: %s", heads[_i].head, names);
}
END_TEST

START_TEST(blocks_may_be_deep)
{
    char body[1024] = "";
    for (int i = 0; i < 200; i++)
        strcat(body, "{");
    strcat(body, "int deep[2];");
    for (int i = 0; i < 200; i++)
        strcat(body, "}");
    strcat(body, "int item[2];");
    ck_assert_str_eq(told(KERNEL, body), "item ");
}
END_TEST

static const struct {
    const char *source;
    int told; /* returns */
} returns[] = {
    {"__global__ void k(int n) { if (n) return; f(n); return; }", 2},
    {"template <class T> __global__ void k(T n) { for (;;) { switch (n) { default: return; } } }", 1},
    {"#define KERNEL(name) __global__ void name() { return; }", 1},
    {"#define LEAVE_IF(c) if (c) return", 1},
    {"#define LEAVE_IF(c) do { if (c) return; } while (0)", 1},
    {"#define WITH(c) return c;", 0},
    {"#define BACK return", 0},
    {"__global__ void k() { auto f = [](int i) { if (i) return; }; f(1); }", 0},
    {"__global__ void k() { auto f = [](int i) { return i; }; f(1); }", 0},
    {"__device__ void f() { return; }", 0},
    {"__global__ void k();\nvoid f() { return; }", 0},
    {"__global__ void k() { }\nint main() { if (1) return 0; }\nvoid f() { return; }", 0},
};

/* The text after the { of a kernel with __launch_bounds__; null if there is none. */
static const struct {
    const char *source, *check;
} bounds[] = {
    {"__global__ void __launch_bounds__(256) k() { }", "{ simt_launch_bounds ( 256 ) ; }"},
    {"__launch_bounds__(256, 2) __global__ void k(int n) { }", "{ simt_launch_bounds ( 256 , 2 ) ; }"},
    {"template <unsigned N> __global__ void __launch_bounds__(32 *\n N) k() { }",
     "{ simt_launch_bounds ( 32 * N ) ; }"},
    {"__global__ void __launch_bounds__(256) k();\n__global__ void f() { }", NULL},
    {"__global__ void __launch_bounds__() k() { }", NULL},
    {"#define BOUNDS __launch_bounds__(256)\n__global__ void k() { }", NULL},
};

START_TEST(bounds_of_kernels)
{
    char *output = translation(bounds[_i].source);
    const char *check = strstr(output, "simt_launch_bounds"), *wanted = bounds[_i].check;
    ck_assert_msg(wanted ? strstr(output, wanted) != NULL : !check, "%s: %s", bounds[_i].source, output);
    free(output);
}
END_TEST

START_TEST(returns_of_kernels)
{
    int found = 0;
    char *output = translation(returns[_i].source);
    for (const char *at = output; (at = strstr(at, "return simt_thread_returns()")) != NULL; at++)
        found++;
    free(output);
    ck_assert_msg(found == returns[_i].told, "%s: %d", returns[_i].source, found);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("cudac local arrays and returns");
    TCase *tcase = tcase_create("local");
    tcase_add_loop_test(tcase, in_a_kernel, 0, sizeof bodies / sizeof *bodies);
    tcase_add_loop_test(tcase, only_in_device_functions, 0, sizeof heads / sizeof *heads);
    tcase_add_test(tcase, blocks_may_be_deep);
    tcase_add_loop_test(tcase, bounds_of_kernels, 0, sizeof bounds / sizeof *bounds);
    tcase_add_loop_test(tcase, returns_of_kernels, 0, sizeof returns / sizeof *returns);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
