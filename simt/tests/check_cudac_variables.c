/* check_cudac_variables.c: the translation of shared and device variables, and of kernels that are passed to launch
 * functions. */
#include "check_cudac.h"

/* ---- dynamic shared memory ------------------------------------------------------------------------- */

START_TEST(dynamic_shared_array_becomes_a_reference)
{
    EXPECT({"extern __shared__ T name[];", "T (&name)[] = simt::__dynamic_shared;"},
           {"__shared__ extern float s [ ];", "float (&s) [ ] = simt::__dynamic_shared;"},
           {"void f() { extern __shared__ int s[]; s[0] = 1; }",
            "void f() { int (&s)[] = simt::__dynamic_shared; s[0] = 1; }"},
           {"extern\n  __shared__ // why\n  int s[];", "\n  // why\n  int (&s)[] = simt::__dynamic_shared;"});
}
END_TEST

START_TEST(dynamic_shared_array_keeps_its_type_and_attributes)
{
    EXPECT(
        {"extern __shared__ unsigned long long s[];", "unsigned long long (&s)[] = simt::__dynamic_shared;"},
        {"extern volatile __shared__ int s[];", "volatile int (&s)[] = simt::__dynamic_shared;"},
        {"extern __shared__ __align__(16) char s[];", "__align__(16) char (&s)[] = simt::__dynamic_shared;"},
        {"extern __align__(sizeof(T)) __shared__ T s[];",
         "__align__(sizeof(T)) T (&s)[] = simt::__dynamic_shared;"},
        {"__align__(8) extern __shared__ T s[];", "__align__(8) T (&s)[] = simt::__dynamic_shared;"},
        {"extern __shared__ alignas(16) a::v<int, (3 > 2)> s[];",
         "alignas(16) a::v<int, (3 > 2)> (&s)[] = simt::__dynamic_shared;"},
        {"extern __shared__ [[maybe_unused]] struct node s[];",
         "[[maybe_unused]] struct node (&s)[] = simt::__dynamic_shared;"},
        {"extern __shared__ struct { int a[2]; } s[];",
         "struct { int a[2]; } (&s)[] = simt::__dynamic_shared;"},
        {"extern __shared__ decltype(f(1)) s[];", "decltype(f(1)) (&s)[] = simt::__dynamic_shared;"},
        {"extern __shared__ T s[] __attribute__((aligned(8)));",
         "T (&s)[] __attribute__((aligned(8))) = simt::__dynamic_shared;"},
        {"extern __shared__ float *s[], t[][32];",
         "float *(&s)[] = simt::__dynamic_shared, (&t)[][32] = simt::__dynamic_shared;"});
}
END_TEST

START_TEST(dynamic_shared_array_in_a_macro_is_rewritten_there)
{
    EXPECT({"#define S(T, n) extern __shared__ T n##_s[]",
            "#define S(T, n) T (&n##_s)[] = simt::__dynamic_shared"},
           {"#define S extern \\\n __shared__ int s[];\n",
            "#define S \\\n int (&s)[] = simt::__dynamic_shared;\n"});
}
END_TEST

/* nvcc: "extern declaration of the entity is treated as a static definition". */
START_TEST(extern_shared_variable_of_known_size_loses_its_extern)
{
    EXPECT({"extern __shared__ T name[32];", "__shared__ T name[32];"},
           {"__shared__ extern float s[4][N], t;", "__shared__ float s[4][N], t;"},
           {"void f() { extern __shared__ int s; s = 1; }", "void f() { __shared__ int s; s = 1; }"},
           {"extern __shared__ struct { int a[2]; } s[1];", "__shared__ struct { int a[2]; } s[1];"},
           {"extern __shared__ T (*s)[4];", "__shared__ T (*s)[4];"},
           {"#define S(T, n) extern __shared__ T n[3]", "#define S(T, n) __shared__ T n[3]"});
}
END_TEST

START_TEST(other_extern_and_shared_declarations_stay)
{
    EXPECT_UNCHANGED("extern int x[]; __shared__ int y[32];",
                     "extern \"C\" __global__ void k(int *p) { __shared__ int s; }",
                     "extern \"C\" struct a { __device__ __device__ void f() { __shared__ int s[3]; } };",
                     "extern template class v<int>;",
                     "__device__ void f() { extern int x; __shared__ float t; }");
}
END_TEST

START_TEST(dynamic_shared_array_within_other_extern_code_is_rewritten)
{
    EXPECT({"extern \"C\" struct a { void f() { extern __shared__ int s[]; } };",
            "extern \"C\" struct a { void f() { int (&s)[] = simt::__dynamic_shared; } };"});
}
END_TEST

/* ---- device variables ------------------------------------------------------------------------------ */

START_TEST(device_variable_is_marked)
{
    static const char *const rests[] = {" int x;",
                                        " int x = f(3);",
                                        " int x[4];",
                                        " int x{3};",
                                        " int x(3), y;",
                                        " float x(-1);",
                                        " dim3 x(1, 2);",
                                        " char s(\"a\"[0]);",
                                        " const float t[] = {1, 2};",
                                        " __align__(16) float4 x;",
                                        " __attribute__((aligned(8))) int x;",
                                        " alignas(8) int x = 1;",
                                        " [[maybe_unused]] int x;",
                                        " decltype(f(1)) x;",
                                        " a::v<int, (3 > 2)> x = {1};",
                                        " v<f(1), g()> x;",
                                        " int (*table[4])(int);",
                                        " int (*f)(int) = g;",
                                        " void (a::*f)();",
                                        " int (&r)[4] = x;",
                                        " struct s x = {1};",
                                        " struct s x;",
                                        " static constexpr unsigned x = 1;",
                                        " volatile unsigned long long x;",
                                        " int *const x = nullptr;",
                                        " auto f = [](int i) { return i; };",
                                        "\n  // why\n  int x;"};

    for (size_t i = 0; i < COUNT(rests); i++) {
        char input[128], output[160];
        snprintf(input, sizeof input, "static __device__%s", rests[i]);
        snprintf(output, sizeof output, "static __device__ __simt_variable%s", rests[i]);
        expect(input, output);
    }
}
END_TEST

START_TEST(device_variable_is_marked_wherever_it_stands)
{
    EXPECT({"namespace { __device__ int x; }", "namespace { __device__ __simt_variable int x; }"},
           {"__constant__ int c; __device__ int x;", "__constant__ int c; __device__ __simt_variable int x;"},
           {"extern __device__ int x[];", "extern __device__ int x[];"},
           {"[[gnu::used]] __device__ int x;", "[[gnu::used]] __device__ __simt_variable int x;"},
           {"#define V(T, x) __device__ T x;\n", "#define V(T, x) __device__ __simt_variable T x;\n"},
           {"__device__ int f() { return 1; } __device__ int x;",
            "__device__ int f() { return 1; } __device__ __simt_variable int x;"});
}
END_TEST

/* g++ forgets the section of a template's variable if the section's name does not depend on a parameter. */
START_TEST(variable_of_a_template_depends_on_its_parameters)
{
#define OF_TYPE "(sizeof(simt::__dependent<T> *))"
#define OF_N    "(sizeof(simt::__dependent_value<N> *))"
    EXPECT({"template <class T = int> __device__ T x;",
            "template <class T = int> __device__ __simt_variable_of" OF_TYPE " T x;"},
           {"template <typename T, int N> static __constant__ T x[N];",
            "template <typename T, int N> static __simt_constant_of" OF_TYPE " T x[N];"},
           {"template <int N = f<int, 2>(1)> __managed__ int x;",
            "template <int N = f<int, 2>(1)> __simt_managed_of" OF_N " int x;"},
           {"template <class... T> __device__ int x;",
            "template <class... T> __device__ __simt_variable_of(sizeof...(T)) int x;"},
           {"template <template <class U> class C, typename, class T> __constant__ int x;",
            "template <template <class U> class C, typename, class T> __simt_constant_of" OF_TYPE " int x;"},
           {"template <> __constant__ float x<float>;", "template <> __constant__ float x<float>;"},
           {"template <class T> struct s { T y; }; __constant__ int x;",
            "template <class T> struct s { T y; }; __constant__ int x;"},
           {"template <class T> __device__ void f() { { static __device__ T x; } }",
            "template <class T> __device__ void f() { { static __device__ __simt_variable_of" OF_TYPE
            " T x; } }"});
}
END_TEST

START_TEST(static_variable_in_a_function_of_the_device_is_marked)
{
    EXPECT({"__device__ void f() { static int x = 3; }",
            "__device__ void f() { static __simt_variable int x = 3; }"},
           {"struct s { __device__ int f() { if (1) { static int x[3]; } } };",
            "struct s { __device__ int f() { if (1) { static __simt_variable int x[3]; } } };"},
           {"__host__ __device__ void f() { static int x; }",
            "__host__ __device__ void f() { static __managed__ int x; }"},
           {"template <int N> __global__ void k() { static int x; }",
            "template <int N> __global__ void k() { static __simt_variable_of" OF_N " int x; }"},
           {"void f() { static int x; }", "void f() { static int x; }"},
           {"__device__ void f() { static const int x[2] = {1, 2}; const static int y = 3; }",
            "__device__ void f() { static const int x[2] = {1, 2}; const static int y = 3; }"},
           {"__device__ void f() { static constexpr int x = 1; static __shared__ int y; }",
            "__device__ void f() { static constexpr int x = 1; static __shared__ int y; }"},
           {"struct s { static int x; __device__ static int f(); };",
            "struct s { static int x; __device__ static int f(); };"});
}
END_TEST

#define BOTH(before, branches, after) "__host__ __device__ int f() { " before "\n" branches after "}"
#define TWICE(before, branches, after, line)                                                                 \
    "__host__ __device__ int f() { SIMT_IF_DEVICE { " before "\n" branches after                             \
    "} else {\n#undef __CUDA_ARCH__\n#line 1\n " before "\n" branches after                                  \
    "\n#define __CUDA_ARCH__ 900\n#line " line "\n}}"
#define WRITTEN_TWICE(before, branches, after, line)                                                         \
    {                                                                                                        \
        BOTH(before, branches, after), TWICE(before, branches, after, line)                                  \
    }

/* The branches of a question about the device are chosen at run time where they are whole statements. Otherwise, the
 * body is written for both. */
START_TEST(question_about_the_device_is_asked_at_run_time)
{
    EXPECT(
        {BOTH("", "#ifdef __CUDA_ARCH__\nreturn 1;\n#else /* host */\nint x = 2; return x;\n#endif\n", ""),
         BOTH("", "SIMT_IF_DEVICE {\nreturn 1;\n} else {\nint x = 2; return x;\n}\n", "")},
        {BOTH("int x;", "#if !defined(__CUDA_ARCH__)\nx = g(1);\n#endif\n", "return x;"),
         BOTH("int x;", "SIMT_IF_HOST {\nx = g(1);\n}\n", "return x;")},
        {BOTH("", "#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700\n#else\ng();\n#endif\n", "return 1;"),
         BOTH("", "SIMT_IF_DEVICE {\n} else {\ng();\n}\n", "return 1;")});
    EXPECT(
        WRITTEN_TWICE("", "#ifdef __CUDA_ARCH__\nint x = 1;\n#else\nint x = 2;\n#endif\n", "return x;", "7"),
        WRITTEN_TWICE("", "#ifdef __CUDA_ARCH__\nfloat *x = p;\n#endif\n", "return *x;", "5"),
        WRITTEN_TWICE("", "#if __CUDA_ARCH__ >= 1000\nreturn 1;\n#endif\n", "return 2;", "5"),
        WRITTEN_TWICE("", "#if __CUDA_ARCH__ >= 700\nreturn 1;\n#elif 1\n#else\n#endif\n", "return 2;", "7"),
        WRITTEN_TWICE("", "#ifdef __CUDA_ARCH__\nif (1)\n#endif\n", "return 2;", "5"),
        WRITTEN_TWICE("int x = ", "#ifdef __CUDA_ARCH__\n1\n#else\n2\n#endif\n", "; return x;", "7"),
        WRITTEN_TWICE("", "#ifdef __CUDA_ARCH__\nif (1) {\n#else\n{\n#endif\n", "g(); } return x;", "7"));
    EXPECT_UNCHANGED(BOTH("", "#ifdef OTHER\nreturn 1;\n#endif\n", "return 2;"),
                     "__device__ int f() { \n#ifdef __CUDA_ARCH__\nreturn 1;\n#endif\n}",
                     "__global__ void k() { \n#ifdef __CUDA_ARCH__\nint x;\n#endif\n}",
                     "#ifdef __CUDA_ARCH__\nint x;\n#else\nint y;\n#endif\n");
}
END_TEST

/* The room between variables is added before each declaration. */
START_TEST(each_of_several_variables_is_declared_for_itself)
{
    EXPECT({"__device__ int a, b;", "__device__ __simt_variable int a; __device__ __simt_variable int b;"},
           {"static __device__ const float a[2][3] = {{1, 2}, {3}}, *const b = f(1, 2), c{3};",
            "static __device__ __simt_variable const float a[2][3] = {{1, 2}, {3}}; static __device__ "
            "__simt_variable const float *const b = f(1, 2); static __device__ __simt_variable const float "
            "c{3};"},
           {"__constant__\nunsigned a[4],\n  b[N(2, 3)];",
            "__constant__\nunsigned a[4]; __constant__ unsigned\n  b[N(2, 3)];"},
           {"int x; namespace n { __managed__ __align__(16) v<int, 3> a, b; }",
            "int x; namespace n { __managed__ __align__(16) v<int, 3> a; __managed__ __align__ ( 16 ) v < "
            "int , 3 > "
            "b; }"},
           {"__device__ __constant__ ns::t a, *b;",
            "__device__ __constant__ ns::t a; __device__ __constant__ ns :: t *b;"});
    EXPECT_UNCHANGED("__constant__ int (*a)[3], b;", "__constant__ struct s a, b;",
                     "__constant__ int a(1), b;", "template <> __constant__ T a, b;",
                     "__constant__ int a = x < y, b = 3;", "f(1) __constant__ int a, b;",
                     "__shared__ int a, b;", "extern __constant__ int a[], b[];",
                     "#define C __constant__ int a, b;\n", "__constant__ int a, b", "__constant__ a, b;",
                     "void f(__constant__ int a, int b);", "__constant__ int a[2");
}
END_TEST

START_TEST(device_function_is_not_marked)
{
    EXPECT_UNCHANGED("__device__ int f(int x) { return x; }", "__host__ __device__ __forceinline__ void f();",
                     "template <class T> __device__ T f(T x = 0);", "__device__ int operator[](int);",
                     "__device__ a &operator=(const a &);", "__device__ s() : x{0}, y(1) {}",
                     "__device__ ~s() {}", "__device__ s(const s &) = default;",
                     "__device__ operator int() const;", "__device__ __declspec(noinline) void f(int);",
                     "__device__ auto f() -> v<int>;", "__device__ __attribute__((noinline)) int f();",
                     "__device__ v<int, 3> f(int *);", "__device__ int (*get(int))(float);",
                     "__device__ decltype(auto) f();", "__device__ [[nodiscard]] int f();",
                     "__device__ bool operator<(a, b);");
}
END_TEST

START_TEST(variable_of_another_space_is_not_marked)
{
    EXPECT_UNCHANGED("__device__ __constant__ int x;", "__constant__ __device__ int x;",
                     "__device__ __managed__ int x;", "__managed__ __device__ int x;",
                     "__device__ __shared__ int x;", "static __constant__ const __device__ float t[] = {1};");
}
END_TEST

START_TEST(device_word_without_declaration_is_not_marked)
{
    EXPECT_UNCHANGED("#define HD __host__ __device__\n", "#define FUNCTION __device__ __forceinline__\n",
                     "DECLARE(__device__, x);", "DECLARE(__device__ inline, x);", "__device__",
                     "__device__ struct s { int x; };", "__device__ struct s;");
}
END_TEST

START_TEST(kernel_passed_as_void_pointer_loses_the_cast)
{
    EXPECT(
        {"cudaLaunchKernel((void *)k, g, b, a);", "cudaLaunchKernel(k, g, b, a);"},
        {"cudaLaunchCooperativeKernel((const void *)ns::k<int>, g, b, a, 0, s);",
         "cudaLaunchCooperativeKernel(ns::k<int>, g, b, a, 0, s);"},
        {"CHECK(cudaLaunchKernel((void const *const)&k, g, b, a));", "CHECK(cudaLaunchKernel(&k, g, b, a));"},
        {"cudaLaunchKernel(reinterpret_cast<void *>(k), g, b, a);", "cudaLaunchKernel((k), g, b, a);"},
        {"cudaLaunchKernel((void\n*)k, g);", "cudaLaunchKernel(\nk, g);"},
        {"#define GO(k) cudaLaunchKernel((void *)k, 1, 1, 0)\n",
         "#define GO(k) cudaLaunchKernel(k, 1, 1, 0)\n"});
}
END_TEST

START_TEST(the_kernel_of_a_graph_s_node_keeps_its_type)
{
    EXPECT(
        {"p.func = (void *)k;", "p.func = (simt::__any_kernel)k;"},
        {"p->func = (void *)ns::k<int>;", "p->func = (simt::__any_kernel)ns::k<int>;"},
        {"node p = {.func = reinterpret_cast<void *>(k)};", "node p = {.func = (simt::__any_kernel)(k)};"});
    EXPECT_UNCHANGED("func = (void *)k;", "p.func = k;", "p.func = (int *)k;", "p.other = (void *)k;");
}
END_TEST

START_TEST(other_first_arguments_of_launch_functions_stay)
{
    EXPECT_UNCHANGED("cudaLaunchKernel(k, g, b, (void **)a);", "cudaLaunchKernel((void (*)(int))k, g, b, a);",
                     "cudaLaunchKernel((void **)k, g, b, a);", "cudaLaunchKernel((k), g, b, a);",
                     "cudaMemcpy((void *)k, g, b, a);", "cudaLaunchKernel", "cudaLaunchKernel(");
}
END_TEST

int main(void)
{
    const struct test_case tests[] = {
        {"dynamic shared memory", dynamic_shared_array_becomes_a_reference},
        {"dynamic shared memory", dynamic_shared_array_keeps_its_type_and_attributes},
        {"dynamic shared memory", dynamic_shared_array_in_a_macro_is_rewritten_there},
        {"dynamic shared memory", extern_shared_variable_of_known_size_loses_its_extern},
        {"dynamic shared memory", other_extern_and_shared_declarations_stay},
        {"dynamic shared memory", dynamic_shared_array_within_other_extern_code_is_rewritten},
        {"device variables", device_variable_is_marked},
        {"device variables", device_variable_is_marked_wherever_it_stands},
        {"variables of templates", variable_of_a_template_depends_on_its_parameters},
        {"questions about the device", question_about_the_device_is_asked_at_run_time},
        {"static variables", static_variable_in_a_function_of_the_device_is_marked},
        {"device variables", each_of_several_variables_is_declared_for_itself},
        {"device variables", device_function_is_not_marked},
        {"device variables", variable_of_another_space_is_not_marked},
        {"device variables", device_word_without_declaration_is_not_marked},
        {"launch functions", kernel_passed_as_void_pointer_loses_the_cast},
        {"launch functions", other_first_arguments_of_launch_functions_stay},
        {"launch functions", the_kernel_of_a_graph_s_node_keeps_its_type},
    };
    return run_cases("cudac: variables", tests, COUNT(tests), NULL);
}
