/* check_signature.cu: the result of simt_find_signatures for functions that this file defines, and for one that only
 * its C half, check_signature_c.c, declares. Prints a line for each failure, and `signatures: N passed, N failed`. */
#include "closing.h"
#include "simt.h"
#include <cuda_runtime.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

struct pair {
    int a, b;
    __attribute__((noinline)) int in_class(unsigned *at) { return a += at[0]; }
};
typedef pair elem_t;

/* The contract has `size_t n`; see check_signature_c.c. */
__attribute__((noinline)) void scan(const elem_t *in, elem_t *out, int n)
{
    for (int i = 0; i < n; i++)
        out[i] = in[i];
}

namespace mine
{
__attribute__((noinline)) unsigned long in_namespace(unsigned long n)
{
    return n + 1;
}
}

template <class T> __attribute__((noinline)) T of_template(T *const at, const T &value)
{
    return *at = value;
}

static __attribute__((noinline)) int pointers(const char *const *words, int (*f)(int), void *p, const volatile int *v)
{
    return **words + f(3) + *(int *)p + *v;
}

static __attribute__((noinline)) int unnamed(float, bool more)
{
    return more;
}

extern "C" void scan_prefix(const elem_t *in, elem_t *out, size_t n)
{
    scan(in, out, (int)n);
}

static int twice(int x)
{
    return 2 * x;
}

extern "C" void call_scan(void); /* of check_signature_c.c */

static const struct {
    const char *name, *declared, *defined;
} table[] = {
    {"scan", "scan(const elem_t *, elem_t *, size_t)", "scan(const elem_t *in, elem_t *out, int n)"},
    {"scan_nowhere", "scan_nowhere(unsigned *, float)", ""},
    {"in_namespace", "", "mine::in_namespace(unsigned long n)"},
    {"in_class", "", "pair::in_class(unsigned *at)"},
    {"of_template", "", "of_template<int>(int *const at, const int &value)"},
    {"pointers", "", "pointers(const char *const *words, function *f, void *p, const volatile int *v)"},
    {"unnamed", "", "unnamed(float, bool more)"},
    {"sca", "", ""}, /* part of a name */
    {"nobody", "", ""},
};

int main()
{
    int passed = 0, failed = 0, value = 1;
    pair both[2] = {{1, 2}, {3, 4}}, other[2];
    unsigned one = 1;
    const char *word = "a";
    scan_prefix(both, other, 2); /* so that all are compiled */
    call_scan();
    value += other[1].in_class(&one) + (int)mine::in_namespace(3) + of_template(&value, 3);
    value += pointers(&word, twice, &value, &value) + unnamed(1.0f, true);

    for (const auto &row : table) {
        struct simt_signature declared, defined;
        simt_find_signatures((const void *)call_scan, row.name, &declared, &defined);
        const bool placed = !defined.text[0] || (strcmp(defined.where.file, "check_signature.cu") == 0 && defined.where.line > 9);
        const bool good = strcmp(declared.text, row.declared) == 0 && strcmp(defined.text, row.defined) == 0 && placed;
        if (!good)
            printf("not ok: %s is declared as `%s`, and defined as `%s` at %s:%d\n", row.name, declared.text,
                   defined.text, defined.where.file, defined.where.line);
        passed += good;
        failed += !good;
    }
    return closing_line("signatures", passed, failed) || value == 0;
}
