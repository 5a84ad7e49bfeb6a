/* check_cudac.c: what the source translator makes of a text, to the character, in check_cudac_errors.c
 * what it says when it refuses one, in check_cudac_program.c the program around it. */
#include "cudac.h"
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEADER "#include \"cuda_runtime.h\"\n#line 1 \"a.cu\"\n"

/* What a launch of K becomes: N are newlines of K, C is the configuration, A the arguments with what stands
 * before them. */
#define LAUNCHED_ON_LINES(N, K, C, A)                                                                        \
    "simt::launch(" N "simt::config(" C                                                                      \
    "), [&](auto simt_tag) -> decltype(simt::kernel_pointer(simt_tag, " K                                    \
    ")) { return simt::kernel_pointer(simt_tag, " K "); }, [&](auto... simt_a) { " K "(simt_a...); }" A ")"
#define LAUNCHED(K, C, A) LAUNCHED_ON_LINES("", K, C, A)

struct rewriting {
    const char *input, *output; /* without HEADER */
};

/* Translates without HEADER; the caller frees it. Fails the test when the input is refused. */
static char *translated(const char *input)
{
    struct cudac_error error;
    size_t size, header = strlen(HEADER), length = strlen(input);
    char *exact = malloc(length + 1);

    memcpy(exact, input, length);
    char *output = cudac_translate(exact, length, "a.cu", NULL, &size, &error);
    free(exact);
    ck_assert_msg(output != NULL, "%s\nis refused at %zu:%zu: %s", input, error.line, error.column,
                  error.message);
    ck_assert_msg(size >= header && memcmp(output, HEADER, header) == 0, "no header: %.*s", (int)size,
                  output);
    char *body = calloc(size - header + 1, 1);
    memcpy(body, output + header, size - header);
    free(output);
    return body;
}

static void expect(const char *input, const char *expected)
{
    char *output = translated(input);

    ck_assert_msg(strcmp(output, expected) == 0, "of\n%s\ncame\n%s\ninstead of\n%s", input, output, expected);
    free(output);
}

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* Rows of {input, output}. */
#define EXPECT(...)                                                                                          \
    do {                                                                                                     \
        static const struct rewriting rows[] = {__VA_ARGS__};                                                \
        for (size_t row = 0; row < COUNT(rows); row++)                                                       \
            expect(rows[row].input, rows[row].output);                                                       \
    } while (0)

/* Inputs that come out as they are. */
#define EXPECT_UNCHANGED(...)                                                                                \
    do {                                                                                                     \
        static const char *const rows[] = {__VA_ARGS__};                                                     \
        for (size_t row = 0; row < COUNT(rows); row++)                                                       \
            expect(rows[row], rows[row]);                                                                    \
    } while (0)

/* ---- the file as a whole --------------------------------------------------------------------------- */

START_TEST(empty_file_becomes_the_header)
{
    EXPECT_UNCHANGED("", "\n", "int x;", "// no newline at the end");
}
END_TEST

START_TEST(byte_order_mark_is_dropped)
{
    EXPECT({"\xEF\xBB\xBFint x;\n", "int x;\n"});
}
END_TEST

START_TEST(name_is_quoted_in_the_line_directive)
{
    struct cudac_error error;
    size_t size;
    char *output = cudac_translate("x", 1, "a \"b\"\\c.cu", NULL, &size, &error);
    const char *expected = "#include \"cuda_runtime.h\"\n#line 1 \"a \\\"b\\\"\\\\c.cu\"\nx";

    ck_assert_uint_eq(size, strlen(expected));
    ck_assert_mem_eq(output, expected, size);
    free(output);
}
END_TEST

START_TEST(plain_code_stays)
{
    EXPECT_UNCHANGED(
        "__global__ void k(int *p) { __shared__ int t[32]; t[threadIdx.x] = *p << 2 >> 1; }\n",
        "__constant__ float c[3]; __managed__ int m; extern int e; extern \"C\" { int f(); }\n",
        "template <class T> using v = a<b<c<T>>>; bool x = y < z, w = y > z; y <<= 1; z >>= 2;\n",
        "auto o = x <=> y; int operator<<(A, B); operator<< <int>(a); f = &operator>>;\n");
}
END_TEST

START_TEST(operator_shift_with_template_arguments_is_no_launch)
{
    EXPECT_UNCHANGED("operator<<<int>(a, b);", "s.operator<<<A<B<int>>>(x);");
}
END_TEST

/* ---- launches -------------------------------------------------------------------------------------- */

START_TEST(launch_becomes_one_call)
{
    EXPECT({"k<<<G, B>>>(x, y);", LAUNCHED("k", "G, B", ", x, y") ";"});
}
END_TEST

START_TEST(configuration_has_one_to_four_arguments)
{
    EXPECT({"k<<<G>>>(x)", LAUNCHED("k", "G", ", x")}, {"k<<<G,B>>>(x)", LAUNCHED("k", "G,B", ", x")},
           {"k<<<G, B, S>>>(x)", LAUNCHED("k", "G, B, S", ", x")},
           {"k<<< G, B, S, T >>>(x)", LAUNCHED("k", " G, B, S, T ", ", x")});
}
END_TEST

START_TEST(launch_without_arguments_leaves_no_comma)
{
    EXPECT({"k<<<1, 2>>>();", LAUNCHED("k", "1, 2", "") ";"},
           {"k<<<1, 2>>>( /* none */ );", LAUNCHED("k", "1, 2", " /* none */ ") ";"});
}
END_TEST

START_TEST(callee_is_the_whole_postfix_expression)
{
    static const char *const callees[] = {"k",
                                          "::k",
                                          "ns::k",
                                          "::a::b::k",
                                          "k<T>",
                                          "k<T, 256>",
                                          "ns::k<T>",
                                          "vec<int>::k",
                                          "a<b<int>>::k<c>",
                                          "ns::template k<T>",
                                          "table[i]",
                                          "object.k",
                                          "pointer->k",
                                          "table[i][j + 1]",
                                          "object.template k<T>",
                                          "this->k",
                                          "o.t[i]->k",
                                          "choose(n)",
                                          "choose<T>(n)(m)",
                                          "static_cast<void (*)(int)>(f)",
                                          "(k)",
                                          "(*k)",
                                          "(c ? k1 : k2)",
                                          "(*table[i])",
                                          "(+[](int *p) { *p = 1; })",
                                          "decltype(x)::k"};

    for (size_t i = 0; i < COUNT(callees); i++) {
        const char *k = callees[i];
        char input[256], output[1024];
        snprintf(input, sizeof input, "x = %s<<<1, 2>>>(y);", k);
        snprintf(output, sizeof output, "x = " LAUNCHED("%s", "1, 2", ", y") ";", k, k, k);
        expect(input, output);
    }
}
END_TEST

START_TEST(callee_begins_after_what_is_no_part_of_it)
{
    static const char *const befores[] = {
        "return ", "else ", "do ",    "if (x) ",    "while (f(x)) ",           "for (;;) ",
        "(void)",  "x, ",   "c ? ",   "c ? d : ",   "if constexpr (x < y) ",   "a < b && ",
        "{ ",      "l: ",   "throw ", "co_return ", "switch (x) case 1: ",     "f(a, ",
        "; ",      "} ",    "",       "[&] { ",     "(c ? void() : (void)0), "};
    static const char *const callees[] = {"k", "(k)", "::k", "k<T>"};

    for (size_t i = 0; i < COUNT(befores); i++)
        for (size_t j = 0; j < COUNT(callees); j++) {
            const char *k = callees[j];
            char input[256], output[1024];
            snprintf(input, sizeof input, "%s%s<<<1, 2>>>()", befores[i], k);
            snprintf(output, sizeof output, "%s" LAUNCHED("%s", "1, 2", ""), befores[i], k, k, k);
            expect(input, output);
        }
}
END_TEST

START_TEST(template_arguments_of_the_callee_may_end_in_any_run)
{
    EXPECT({"k<vec<int>><<<g,b>>>(x)", LAUNCHED("k<vec<int>>", "g,b", ", x")},
           {"k<a<vec<int>>><<<g,b>>>(x)", LAUNCHED("k<a<vec<int>>>", "g,b", ", x")},
           {"k<a<b<vec<int>>>><<<g,b>>>(x)", LAUNCHED("k<a<b<vec<int>>>>", "g,b", ", x")},
           {"k<vec<int> > <<<g,b>>>(x)", LAUNCHED("k<vec<int> >", "g,b", ", x")});
}
END_TEST

START_TEST(template_arguments_of_the_callee_may_hold_operators)
{
    EXPECT({"k<(A>B), int><<<g,b>>>(x)", LAUNCHED("k<(A>B), int>", "g,b", ", x")},
           {"k<(A<B)><<<g,b>>>(x)", LAUNCHED("k<(A<B)>", "g,b", ", x")},
           {"k<1 << 3><<<g,b>>>(x)", LAUNCHED("k<1 << 3>", "g,b", ", x")},
           {"k<sizeof(T) < 4><<<g,b>>>(x)", LAUNCHED("k<sizeof(T) < 4>", "g,b", ", x")},
           {"k<(8>>1)><<<g,b>>>(x)", LAUNCHED("k<(8>>1)>", "g,b", ", x")},
           {"k<&p->x><<<g,b>>>(x)", LAUNCHED("k<&p->x>", "g,b", ", x")});
}
END_TEST

START_TEST(launch_ends_at_the_right_greater_signs)
{
    EXPECT({"k<<<f<a<b<int>>>(), 1>>>(x)", LAUNCHED("k", "f<a<b<int>>>(), 1", ", x")},
           {"k<<<1, v<w>>>>(x)", LAUNCHED("k", "1, v<w>", ", x")},
           {"k<<<1, v<w<x>>>>>(x)", LAUNCHED("k", "1, v<w<x>>", ", x")},
           {"k<<<n < 5 ? 1 : 2, n >> 3>>>(x)", LAUNCHED("k", "n < 5 ? 1 : 2, n >> 3", ", x")},
           {"k<<<n<m, n>=m>>>(x)", LAUNCHED("k", "n<m, n>=m", ", x")},
           {"k<<<a<b ? c<d : e<f, 1>>>(x)", LAUNCHED("k", "a<b ? c<d : e<f, 1", ", x")},
           {"k<<<p->g, p->b>>>(x)", LAUNCHED("k", "p->g, p->b", ", x")},
           {"k<<<g(a, b >> 1), f(a<b<c<d>>>())>>>(x)", LAUNCHED("k", "g(a, b >> 1), f(a<b<c<d>>>())", ", x")},
           {"k<<<1,1>>>(a), j<<<2,2>>>(f<g<h<int>>>())",
            LAUNCHED("k", "1,1", ", a") ", " LAUNCHED("j", "2,2", ", f<g<h<int>>>()")});
}
END_TEST

START_TEST(commas_within_brackets_do_not_count)
{
    EXPECT({"k<<<dim3(1, 2, 3), dim3{4, 5}, a[1, 2], f<6, 7>()>>>(x)",
            LAUNCHED("k", "dim3(1, 2, 3), dim3{4, 5}, a[1, 2], f<6, 7>()", ", x")});
}
END_TEST

START_TEST(launch_within_a_launch_is_rewritten_too)
{
    EXPECT({"k<<<1, 2>>>(0, [&] { j<<<3, 4>>>(b); }, 0);",
            LAUNCHED("k", "1, 2",
                     ", simt::zero{}, [&] { " LAUNCHED("j", "3, 4", ", b") "; }, simt::zero{}") ";"},
           {"k<<<f([] { j<<<3, 4>>>(); }), 2>>>(a);",
            LAUNCHED("k", "f([] { " LAUNCHED("j", "3, 4", "") "; }), 2", ", a") ";"});
}
END_TEST

START_TEST(argument_that_is_just_zero_is_wrapped)
{
    EXPECT({"k<<<1, 2>>>(0, NULL, x)", LAUNCHED("k", "1, 2", ", simt::zero{}, simt::zero{}, x")},
           {"k<<<1, 2>>>(a < b, 0, c >= d, N\\\nULL)",
            LAUNCHED("k", "1, 2", ", a < b, simt::zero{}, c >= d, simt::zero{}\n")},
           {"k<<<1, 2>>>(x, /* none */ 0 )", LAUNCHED("k", "1, 2", ", x, /* none */ simt::zero{} ")});
}
END_TEST

#define BRACED(braces)                                                                                       \
    "simt::braced([&](auto simt_type) -> typename decltype(simt_type)::type { return " braces "; })"

START_TEST(argument_in_braces_is_wrapped)
{
    EXPECT({"k<<<1, 2>>>({}, {a, {0}}, x)",
            LAUNCHED("k", "1, 2", ", " BRACED("{}") ", " BRACED("{a, {0}}") ", x")},
           {"k<<<1, 2>>>(T{0}, f({0}), [] { return 0; })",
            LAUNCHED("k", "1, 2", ", T{0}, f({0}), [] { return 0; }")},
           {"k<<<1, 2>>>(x, {0,\n1})", LAUNCHED("k", "1, 2", ", x, " BRACED("{0,\n1}"))});
}
END_TEST

START_TEST(zero_within_an_argument_stays)
{
    EXPECT({"k<<<1, 2>>>(f(0, NULL), 0 + 1, a[0], -0, 0u, (0), f<int, 0, 0>(), g<0, 0>(x))",
            LAUNCHED("k", "1, 2", ", f(0, NULL), 0 + 1, a[0], -0, 0u, (0), f<int, 0, 0>(), g<0, 0>(x)")},
           {"k<<<1, 2, 0, 0>>>(x)", LAUNCHED("k", "1, 2, 0, 0", ", x")});
}
END_TEST

/* ---- lines and comments ---------------------------------------------------------------------------- */

START_TEST(launch_over_several_lines_keeps_them)
{
    EXPECT({"k<<<g,\n    b>>>(x,\n    y);\n", LAUNCHED("k", "g,\n    b", ", x,\n    y") ";\n"},
           {"k\n  <<<g, b>>>\n  (x);\n", LAUNCHED_ON_LINES("\n", "k", "g, b", "\n  , x") ";\n"},
           {"k<int,\n  4><<<g, b>>>(x);\n", LAUNCHED_ON_LINES("\n", "k<int, 4>", "g, b", ", x") ";\n"},
           {"k<<<\n  g, b\n>>>(\n  x\n);\n", LAUNCHED("k", "\n  g, b\n", ", \n  x\n") ";\n"});
}
END_TEST

START_TEST(comments_in_the_callee_leave_only_their_newlines)
{
    EXPECT({"k /* a\n b */ < /* c */ 3 > // d\n <<<g, b>>>(x);",
            LAUNCHED_ON_LINES("\n\n", "k < 3 >", "g, b", ", x") ";"});
}
END_TEST

START_TEST(comments_in_configuration_and_arguments_stay)
{
    EXPECT({"k<<<g, // a, >>> (\n b /* ) */>>> // c\n (x, // d )\n y);",
            LAUNCHED("k", "g, // a, >>> (\n b /* ) */", " // c\n , x, // d )\n y") ";"});
}
END_TEST

START_TEST(carriage_returns_stay)
{
    EXPECT({"k\r\n<<<g,\r\n b>>>(x);\r\n", LAUNCHED_ON_LINES("\r\n", "k", "g,\r\n b", ", x") ";\r\n"});
}
END_TEST

START_TEST(tokens_may_be_broken_by_line_continuations)
{
    EXPECT({"ker\\\nnel<\\\n<<g, b>\\\n>>(\\\n0);",
            LAUNCHED_ON_LINES("\n\n", "kernel", "g, b", "\n, \\\nsimt::zero{}") ";"},
           {"ext\\\nern __sha\\  \nred__ int s[];", "\n\nint (&s)[] = simt::dynamic_shared;"},
           {"__dev\\\r\nice__ int x;", "__dev\\\r\nice__ __simt_variable int x;"});
}
END_TEST

/* Every line has a mark of its own, here and there in constructs that are rewritten. */
START_TEST(every_word_stays_on_its_line)
{
    char *output = translated("L1; k<<<L1,\n"
                              " L2 /* L2\n"
                              " L3 */ >>> // L3\n"
                              " (L4, [&] { L4; j\n"
                              "  <<<L5,\n"
                              "  L6>>>(L6,\n"
                              "  0); L7; },\n"
                              "  L8); extern\n"
                              " __shared__ int L9[]; L9;\n"
                              "#define M(x) k<<<x, \\\n"
                              "   L11>>>(L11) \\\n"
                              "   L12\n"
                              "L13; R\"(L13\n"
                              "L14)\"; L14; __device__ int\n"
                              "L15; ns \\\n"
                              "::k<<<L16,L16>>>(L16); L16;\n");
    int line = 1;

    for (const char *at = output; *at; at++) {
        line += *at == '\n';
        if (*at == 'L')
            ck_assert_msg(atoi(at + 1) == line, "L%d came to line %d of\n%s", atoi(at + 1), line, output);
    }
    ck_assert_int_eq(line, 17);
    free(output);
}
END_TEST

/* ---- what is no code ------------------------------------------------------------------------------- */

START_TEST(comments_and_literals_stay)
{
    EXPECT_UNCHANGED("// k<<<1, 2>>>(x) extern __shared__ int s[]; __device__ int x;\n",
                     "/* k<<<1, 2>>>(x)\n ' \" */", "\"k<<<1, 2>>>(x)\" \"\\\"<<<\" \"\\\\\" \"\\  \"",
                     "'\"' '<<<' '\\'' u8\"<<<\" L'<' U\"<<<\"_s",
                     "R\"(k<<<1, \" )\" LR\"d(<<<)\" )d\" u8R\"(\n<<<)\"",
                     "// ends in a continuation: \\\n k<<<1, 2>>>(x)\n", "R\"(\\\n<<<)\"");
}
END_TEST

START_TEST(digit_separators_open_no_literal)
{
    EXPECT({"k<<<1'000, 0x1'f'f>>>(1'0, 1.5e+3'0)", LAUNCHED("k", "1'000, 0x1'f'f", ", 1'0, 1.5e+3'0")});
}
END_TEST

START_TEST(raw_string_ends_at_its_own_delimiter)
{
    EXPECT({"f(R\"a()b\" )aa\" )a\"); k<<<1,2>>>()", "f(R\"a()b\" )aa\" )a\"); " LAUNCHED("k", "1,2", "")});
}
END_TEST

START_TEST(preprocessor_lines_stay)
{
    EXPECT_UNCHANGED("#include <a<<<b>>>(c).h>\n", "#include <it's>\n#include \"a//b'.h\"\n#include <a/*b>\n",
                     "#error don't k<<<1,2>>>(x)\n", "  # pragma it's \"so\n",
                     "#if X == '<' /* a\n b */ && Y\n#endif\n", "/* comment */ #error it's\n",
                     "#\n# /* null */\n");
}
END_TEST

START_TEST(group_that_is_skipped_stays)
{
    EXPECT(
        {"#if 0\nit's k<<< \" __device__ int x;\n#if Y\n#else\nk<<<\n#endif\n#else\nk<<<1,2>>>();\n#endif\n",
         "#if 0\nit's k<<< \" __device__ int x;\n#if Y\n#else\nk<<<\n#endif\n#else\n" LAUNCHED(
             "k", "1,2", "") ";\n#endif\n"},
        {"#if 1\nk<<<1,2>>>();\n#else\nk<<<\n#elif X\nk<<<\n#endif\n",
         "#if 1\n" LAUNCHED("k", "1,2", "") ";\n#else\nk<<<\n#elif X\nk<<<\n#endif\n"},
        {"#if X\n#elif 0\n<<<\n#else\nk<<<1,2>>>();\n#endif\n",
         "#if X\n#elif 0\n<<<\n#else\n" LAUNCHED("k", "1,2", "") ";\n#endif\n"},
        {"#if 0 // no\n<<<\n#define X k<<<1\n#endif", "#if 0 // no\n<<<\n#define X k<<<1\n#endif"});
}
END_TEST

START_TEST(lone_quote_in_a_conditional_group_passes)
{
    EXPECT({"#ifdef NOTES\nit's a \"note\n#endif\nk<<<1,2>>>();",
            "#ifdef NOTES\nit's a \"note\n#endif\n" LAUNCHED("k", "1,2", "") ";"});
}
END_TEST

START_TEST(branches_of_a_conditional_may_each_open_a_bracket)
{
    EXPECT({"k<<<1,2>>>(\n#if A\nf(a\n#else\nf(b\n#endif\n), 0);",
            LAUNCHED("k", "1,2", ", \n#if A\nf(a\n#else\nf(b\n#endif\n), simt::zero{}") ";"});
}
END_TEST

START_TEST(configuration_may_depend_on_a_condition)
{
    EXPECT({"k<<<\n#if A\n1, 2, 3\n#else\n4, 5, 6\n#endif\n>>>(x);",
            LAUNCHED("k", "\n#if A\n1, 2, 3\n#else\n4, 5, 6\n#endif\n", ", x") ";"});
}
END_TEST

/* ---- macros ---------------------------------------------------------------------------------------- */

START_TEST(launch_in_a_macro_is_rewritten_there)
{
    EXPECT({"#define L(k, x) k<<<1, 2>>>(x)\n", "#define L(k, x) " LAUNCHED("k", "1, 2", ", x") "\n"},
           {"#define L (k)<<<1, 2>>>()\n", "#define L " LAUNCHED("(k)", "1, 2", "") "\n"},
           {"#define L(x) (k)<<<1, 2>>>()\n", "#define L(x) " LAUNCHED("(k)", "1, 2", "") "\n"},
           {" # /**/ define /**/ L k<<<1, 2>>>() // <<<\n",
            " # /**/ define /**/ L " LAUNCHED("k", "1, 2", "") " // <<<\n"},
           {"f(\n#define L k<<<1, 2>>>()\n);", "f(\n#define L " LAUNCHED("k", "1, 2", "") "\n);"});
}
END_TEST

START_TEST(pasted_name_is_one_callee)
{
    EXPECT({"#define L(a) x##a##_k<<<1, 2>>>()", "#define L(a) " LAUNCHED("x##a##_k", "1, 2", "")});
}
END_TEST

START_TEST(newlines_of_a_callee_in_a_macro_become_continuations)
{
    EXPECT({"#define L k< \\\n  3 /*\n */ > \\\r\n <<<1, \\\n 2>>>()\nint x;",
            "#define L " LAUNCHED_ON_LINES("\\\n\\\n\\\r\n", "k< 3 >", "1, \\\n 2", "") "\nint x;"});
}
END_TEST

START_TEST(variadic_macro_may_pass_no_arguments)
{
    EXPECT({"#define L(k, ...) k<<<1, 2>>>(__VA_ARGS__)",
            "#define L(k, ...) " LAUNCHED("k", "1, 2", "__VA_OPT__(,) __VA_ARGS__")},
           {"#define L(k, ...) k<<<__VA_ARGS__>>>(x)",
            "#define L(k, ...) " LAUNCHED("k", "__VA_ARGS__", ", x")});
}
END_TEST

START_TEST(launch_as_a_macros_argument_is_rewritten)
{
    EXPECT({"CHECK(k<<<1, 2>>>(x));", "CHECK(" LAUNCHED("k", "1, 2", ", x") ");"});
}
END_TEST

/* ---- dynamic shared memory ------------------------------------------------------------------------- */

START_TEST(dynamic_shared_array_becomes_a_reference)
{
    EXPECT({"extern __shared__ T name[];", "T (&name)[] = simt::dynamic_shared;"},
           {"__shared__ extern float s [ ];", "float (&s) [ ] = simt::dynamic_shared;"},
           {"void f() { extern __shared__ int s[]; s[0] = 1; }",
            "void f() { int (&s)[] = simt::dynamic_shared; s[0] = 1; }"},
           {"extern\n  __shared__ // why\n  int s[];", "\n  // why\n  int (&s)[] = simt::dynamic_shared;"});
}
END_TEST

START_TEST(dynamic_shared_array_keeps_its_type_and_attributes)
{
    EXPECT({"extern __shared__ unsigned long long s[];", "unsigned long long (&s)[] = simt::dynamic_shared;"},
           {"extern volatile __shared__ int s[];", "volatile int (&s)[] = simt::dynamic_shared;"},
           {"extern __shared__ __align__(16) char s[];", "__align__(16) char (&s)[] = simt::dynamic_shared;"},
           {"extern __align__(sizeof(T)) __shared__ T s[];",
            "__align__(sizeof(T)) T (&s)[] = simt::dynamic_shared;"},
           {"__align__(8) extern __shared__ T s[];", "__align__(8) T (&s)[] = simt::dynamic_shared;"},
           {"extern __shared__ alignas(16) a::v<int, (3 > 2)> s[];",
            "alignas(16) a::v<int, (3 > 2)> (&s)[] = simt::dynamic_shared;"},
           {"extern __shared__ [[maybe_unused]] struct node s[];",
            "[[maybe_unused]] struct node (&s)[] = simt::dynamic_shared;"},
           {"extern __shared__ struct { int a[2]; } s[];",
            "struct { int a[2]; } (&s)[] = simt::dynamic_shared;"},
           {"extern __shared__ decltype(f(1)) s[];", "decltype(f(1)) (&s)[] = simt::dynamic_shared;"},
           {"extern __shared__ T s[] __attribute__((aligned(8)));",
            "T (&s)[] __attribute__((aligned(8))) = simt::dynamic_shared;"},
           {"extern __shared__ float *s[], t[][32];",
            "float *(&s)[] = simt::dynamic_shared, (&t)[][32] = simt::dynamic_shared;"});
}
END_TEST

START_TEST(dynamic_shared_array_in_a_macro_is_rewritten_there)
{
    EXPECT({"#define S(T, n) extern __shared__ T n##_s[]",
            "#define S(T, n) T (&n##_s)[] = simt::dynamic_shared"},
           {"#define S extern \\\n __shared__ int s[];\n",
            "#define S \\\n int (&s)[] = simt::dynamic_shared;\n"});
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
            "extern \"C\" struct a { void f() { int (&s)[] = simt::dynamic_shared; } };"});
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
                                        " int a, b;",
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
           {"template <class T = int> __device__ T x;",
            "template <class T = int> __device__ __simt_variable T x;"},
           {"__constant__ int c; __device__ int x;", "__constant__ int c; __device__ __simt_variable int x;"},
           {"[[gnu::used]] __device__ int x;", "[[gnu::used]] __device__ __simt_variable int x;"},
           {"#define V(T, x) __device__ T x;\n", "#define V(T, x) __device__ __simt_variable T x;\n"},
           {"__device__ int f() { return 1; } __device__ int x;",
            "__device__ int f() { return 1; } __device__ __simt_variable int x;"});
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

START_TEST(other_first_arguments_of_launch_functions_stay)
{
    EXPECT_UNCHANGED("cudaLaunchKernel(k, g, b, (void **)a);", "cudaLaunchKernel((void (*)(int))k, g, b, a);",
                     "cudaLaunchKernel((void **)k, g, b, a);", "cudaLaunchKernel((k), g, b, a);",
                     "cudaMemcpy((void *)k, g, b, a);", "cudaLaunchKernel", "cudaLaunchKernel(");
}
END_TEST

int main(void)
{
    /* Tests of one case stand together. TTest objects are no constants, so this is no static table. */
    const struct {
        const char *tcase;
        const TTest *test;
    } tests[] = {
        {"the file as a whole", empty_file_becomes_the_header},
        {"the file as a whole", byte_order_mark_is_dropped},
        {"the file as a whole", name_is_quoted_in_the_line_directive},
        {"the file as a whole", plain_code_stays},
        {"the file as a whole", operator_shift_with_template_arguments_is_no_launch},
        {"launches", launch_becomes_one_call},
        {"launches", configuration_has_one_to_four_arguments},
        {"launches", launch_without_arguments_leaves_no_comma},
        {"launches", callee_is_the_whole_postfix_expression},
        {"launches", callee_begins_after_what_is_no_part_of_it},
        {"launches", template_arguments_of_the_callee_may_end_in_any_run},
        {"launches", template_arguments_of_the_callee_may_hold_operators},
        {"launches", launch_ends_at_the_right_greater_signs},
        {"launches", commas_within_brackets_do_not_count},
        {"launches", launch_within_a_launch_is_rewritten_too},
        {"launches", argument_that_is_just_zero_is_wrapped},
        {"launches", argument_in_braces_is_wrapped},
        {"launches", zero_within_an_argument_stays},
        {"lines and comments", launch_over_several_lines_keeps_them},
        {"lines and comments", comments_in_the_callee_leave_only_their_newlines},
        {"lines and comments", comments_in_configuration_and_arguments_stay},
        {"lines and comments", carriage_returns_stay},
        {"lines and comments", tokens_may_be_broken_by_line_continuations},
        {"lines and comments", every_word_stays_on_its_line},
        {"what is no code", comments_and_literals_stay},
        {"what is no code", digit_separators_open_no_literal},
        {"what is no code", raw_string_ends_at_its_own_delimiter},
        {"what is no code", preprocessor_lines_stay},
        {"what is no code", group_that_is_skipped_stays},
        {"what is no code", lone_quote_in_a_conditional_group_passes},
        {"what is no code", branches_of_a_conditional_may_each_open_a_bracket},
        {"what is no code", configuration_may_depend_on_a_condition},
        {"macros", launch_in_a_macro_is_rewritten_there},
        {"macros", pasted_name_is_one_callee},
        {"macros", newlines_of_a_callee_in_a_macro_become_continuations},
        {"macros", variadic_macro_may_pass_no_arguments},
        {"macros", launch_as_a_macros_argument_is_rewritten},
        {"dynamic shared memory", dynamic_shared_array_becomes_a_reference},
        {"dynamic shared memory", dynamic_shared_array_keeps_its_type_and_attributes},
        {"dynamic shared memory", dynamic_shared_array_in_a_macro_is_rewritten_there},
        {"dynamic shared memory", extern_shared_variable_of_known_size_loses_its_extern},
        {"dynamic shared memory", other_extern_and_shared_declarations_stay},
        {"dynamic shared memory", dynamic_shared_array_within_other_extern_code_is_rewritten},
        {"device variables", device_variable_is_marked},
        {"device variables", device_variable_is_marked_wherever_it_stands},
        {"device variables", device_function_is_not_marked},
        {"device variables", variable_of_another_space_is_not_marked},
        {"device variables", device_word_without_declaration_is_not_marked},
        {"launch functions", kernel_passed_as_void_pointer_loses_the_cast},
        {"launch functions", other_first_arguments_of_launch_functions_stay},
    };
    Suite *suite = suite_create("cudac");
    TCase *tcase = NULL;

    for (size_t i = 0; i < COUNT(tests); i++) {
        if (i == 0 || strcmp(tests[i].tcase, tests[i - 1].tcase) != 0) {
            tcase = tcase_create(tests[i].tcase);
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
