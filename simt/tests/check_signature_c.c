/* check_signature_c.c: the C half of check_signature.cu, in the role that parts.cpp has for a student's file. */
#include <stddef.h>

typedef struct {
    int a, b;
} elem_t;

void scan(const elem_t *in, elem_t *out, size_t n);
void scan_nowhere(unsigned *at, float x);
void call_scan(void);
#pragma weak scan
#pragma weak scan_nowhere

void call_scan(void)
{
    if (scan) /* null, as in C++ it is another function */
        scan(NULL, NULL, 0);
    if (scan_nowhere)
        scan_nowhere(NULL, 0);
}
