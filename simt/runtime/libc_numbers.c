/* C library functions of numbers that store a second result through their caller's pointer, or whose work grows with
 * their arguments. simt_libc.h makes translated code call these instead. */
#define _GNU_SOURCE
#include "core/access.h"
#include "core/budget.h"
#include "runtime/runtime.h"

#include <math.h>
#include <stdlib.h>

#define SITE __builtin_return_address(0)

/* ---- long work ------------------------------------------------------------------------------------------------- */

enum {
    WORK_OF_BIT = 4,   /* instructions for each bit by which the dividend is longer than the divisor, */
    WORK_OF_ORDER = 16 /* and for each order below that of a Bessel function */
};

static void spend_quotient(long double x, long double y, const void *site)
{
    const bool divides = isfinite(x) && isfinite(y) && x != 0 && y != 0;
    const int bits = divides ? ilogbl(x) - ilogbl(y) : 0;
    budget_spend(BUDGET_OF_LIBRARY + (bits > 0 ? (uint64_t)bits * WORK_OF_BIT : 0));
    budget_check(site);
}

static void spend_orders(int order, const void *site)
{
    budget_spend(BUDGET_OF_LIBRARY + (uint64_t)llabs(order) * WORK_OF_ORDER);
    budget_check(site);
}

#define QUOTIENT(function, type)                                                                             \
    type simt_##function(type x, type y);                                                                    \
    type simt_##function(type x, type y)                                                                     \
    {                                                                                                        \
        spend_quotient(x, y, SITE);                                                                          \
        return function(x, y);                                                                               \
    }
#define BESSEL(function, type)                                                                               \
    type simt_##function(int order, type x);                                                                 \
    type simt_##function(int order, type x)                                                                  \
    {                                                                                                        \
        spend_orders(order, SITE);                                                                           \
        return function(order, x);                                                                           \
    }
#define OF_EACH_TYPE(KIND, function)                                                                         \
    KIND(function, double)                                                                                   \
    KIND(function##f, float)                                                                                 \
    KIND(function##l, long double)

OF_EACH_TYPE(QUOTIENT, fmod)
OF_EACH_TYPE(QUOTIENT, remainder)
OF_EACH_TYPE(BESSEL, jn)
OF_EACH_TYPE(BESSEL, yn)

/* ---- the second result is stored through a pointer --------------------------------------------------------- */

#define SPLITS(type, tail)                                                                                   \
    type simt_frexp##tail(type x, int *exponent);                                                            \
    type simt_frexp##tail(type x, int *exponent)                                                             \
    {                                                                                                        \
        simt_access_element(exponent, sizeof *exponent, ACCESS_WRITE, SITE);                                 \
        return frexp##tail(x, exponent);                                                                     \
    }                                                                                                        \
    type simt_modf##tail(type x, type *whole);                                                               \
    type simt_modf##tail(type x, type *whole)                                                                \
    {                                                                                                        \
        simt_access_element(whole, sizeof *whole, ACCESS_WRITE, SITE);                                       \
        return modf##tail(x, whole);                                                                         \
    }                                                                                                        \
    type simt_remquo##tail(type x, type y, int *quotient);                                                   \
    type simt_remquo##tail(type x, type y, int *quotient)                                                    \
    {                                                                                                        \
        simt_access_element(quotient, sizeof *quotient, ACCESS_WRITE, SITE);                                 \
        spend_quotient(x, y, SITE);                                                                          \
        return remquo##tail(x, y, quotient);                                                                 \
    }                                                                                                        \
    void simt_sincos##tail(type x, type *sine, type *cosine);                                                \
    void simt_sincos##tail(type x, type *sine, type *cosine)                                                 \
    {                                                                                                        \
        simt_access_element(sine, sizeof *sine, ACCESS_WRITE, SITE);                                         \
        simt_access_element(cosine, sizeof *cosine, ACCESS_WRITE, SITE);                                     \
        sincos##tail(x, sine, cosine);                                                                       \
    }

SPLITS(double, )
SPLITS(float, f)
SPLITS(long double, l)
