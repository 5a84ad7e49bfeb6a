/* check_cudac.h: compares the source translator's output with an expected text. */
#ifndef SIMT_TESTS_CHECK_CUDAC_H
#define SIMT_TESTS_CHECK_CUDAC_H

#include "cases.h"
#include "cudac.h"
#include <check.h>
#include <stdio.h>

#define HEADER "#include \"cuda_runtime.h\"\n#line 1 \"a.cu\"\n"

/* The translation of a launch of K: N are newlines of K, C is the configuration, A the arguments with the text before
 * them. */
#define LAUNCHED_ON_LINES(N, K, C, A)                                                                        \
    "simt::__launch(" N "simt::config(" C                                                                    \
    "), [&](auto simt_tag) -> decltype(simt::__kernel_pointer(simt_tag, " K                                  \
    ")) { return simt::__kernel_pointer(simt_tag, " K "); }, [&](auto &&...simt_a) -> decltype(void(" K      \
    "(static_cast<decltype(simt_a)>(simt_a)...))) {}, [&](auto... simt_a) { " K "(simt_a...); }" A ")"
#define LAUNCHED(K, C, A) LAUNCHED_ON_LINES("", K, C, A)

struct rewriting {
    const char *input, *output; /* without HEADER */
};

/* Translates the input without HEADER; the caller frees the result. Fails the test when the input is refused. */
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

/* Takes rows of {input, output}. */
#define EXPECT(...)                                                                                          \
    do {                                                                                                     \
        static const struct rewriting rows[] = {__VA_ARGS__};                                                \
        for (size_t row = 0; row < COUNT(rows); row++)                                                       \
            expect(rows[row].input, rows[row].output);                                                       \
    } while (0)

/* Takes inputs whose translation is the same text. */
#define EXPECT_UNCHANGED(...)                                                                                \
    do {                                                                                                     \
        static const char *const rows[] = {__VA_ARGS__};                                                     \
        for (size_t row = 0; row < COUNT(rows); row++)                                                       \
            expect(rows[row], rows[row]);                                                                    \
    } while (0)

#endif
