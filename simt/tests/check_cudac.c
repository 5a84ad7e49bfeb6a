/* check_cudac.c: the translation of texts; that of shared and device variables is in check_cudac_variables.c.
 * check_cudac_errors.c has the errors, and check_cudac_program.c the program. */
#include "check_cudac.h"

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
        snprintf(output, sizeof output, "x = " LAUNCHED("%s", "1, 2", ", y") ";", k, k, k, k);
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
            snprintf(output, sizeof output, "%s" LAUNCHED("%s", "1, 2", ""), befores[i], k, k, k, k);
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
                     ", simt::__zero{}, [&] { " LAUNCHED("j", "3, 4", ", b") "; }, simt::__zero{}") ";"},
           {"k<<<f([] { j<<<3, 4>>>(); }), 2>>>(a);",
            LAUNCHED("k", "f([] { " LAUNCHED("j", "3, 4", "") "; }), 2", ", a") ";"});
}
END_TEST

START_TEST(argument_that_is_just_zero_is_wrapped)
{
    EXPECT({"k<<<1, 2>>>(0, NULL, x)", LAUNCHED("k", "1, 2", ", simt::__zero{}, simt::__zero{}, x")},
           {"k<<<1, 2>>>(a < b, 0, c >= d, N\\\nULL)",
            LAUNCHED("k", "1, 2", ", a < b, simt::__zero{}, c >= d, simt::__zero{}\n")},
           {"k<<<1, 2>>>(x, /* none */ 0 )", LAUNCHED("k", "1, 2", ", x, /* none */ simt::__zero{} ")});
}
END_TEST

#define BRACED(braces)                                                                                       \
    "simt::__braced([&](auto simt_type) -> typename decltype(simt_type)::type { return " braces "; })"

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
            LAUNCHED_ON_LINES("\n\n", "kernel", "g, b", "\n, \\\nsimt::__zero{}") ";"},
           {"ext\\\nern __sha\\  \nred__ int s[];", "\n\nint (&s)[] = simt::__dynamic_shared;"},
           {"__dev\\\r\nice__ int x;", "__dev\\\r\nice__ __simt_variable int x;"});
}
END_TEST

/* Every line has a mark of its own, some of them inside constructs that are rewritten. */
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

/* ---- text that is not code --------------------------------------------------------------------------- */

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
            LAUNCHED("k", "1,2", ", \n#if A\nf(a\n#else\nf(b\n#endif\n), simt::__zero{}") ";"});
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

int main(void)
{
    const struct test_case tests[] = {
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
    };
    return run_cases("cudac", tests, COUNT(tests), NULL);
}
