/* element.c: see element.h. */
#include "element.h"
#include "call.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

size_t element_size(enum element element)
{
    static const size_t sizes[] = {
        [ELEMENT_INT] = sizeof(int),
        [ELEMENT_UNSIGNED] = sizeof(unsigned),
        [ELEMENT_LONG] = sizeof(uint64_t),
        [ELEMENT_BYTE] = 1,
        [ELEMENT_CHARACTER] = 1,
        [ELEMENT_FLOAT] = sizeof(float),
        [ELEMENT_FLOAT_BITS] = sizeof(float),
        [ELEMENT_AFFINE] = sizeof(affine_t),
        [ELEMENT_INTERVAL] = sizeof(interval_t),
        [ELEMENT_FINGERPRINT] = sizeof(fingerprint_t),
    };
    return sizes[element];
}

bool element_equal(enum element element, const void *got, const void *expected, double tolerance)
{
    if (element != ELEMENT_FLOAT)
        return memcmp(got, expected, element_size(element)) == 0;
    float a, b;
    memcpy(&a, got, sizeof a);
    memcpy(&b, expected, sizeof b);
    if (isnan(a) || isnan(b))
        return isnan(a) && isnan(b);
    return a == b || fabs((double)a - (double)b) <= tolerance;
}

bool element_is_unwritten(enum element element, const void *value)
{
    const unsigned char *bytes = value;
    size_t size = element_size(element);
    if (size < 4 && element != ELEMENT_CHARACTER) /* the fill byte may be a valid value of one byte */
        return false;
    for (size_t i = 0; i < size; i++)
        if (bytes[i] != CALL_POISON)
            return false;
    return true;
}

/* ---- texts ------------------------------------------------------------------------------------------- */

/* The element where the two ranges of a poisoned interval should have met. */
static int interval_edge(int field)
{
    return (field & INT_MAX) - INTERVAL_BASE;
}

/* Is this an edge from zeroed memory? The mistake is common enough to be named. */
static bool is_zero_edge(int field)
{
    return (field & INT_MAX) == 0;
}

/* Is this an edge from unwritten memory? The CPU device and the suite fill such memory with a repeated byte. */
static bool is_junk_edge(int field)
{
    return (field & INT_MAX) == (0xB5B5B5B5 & INT_MAX) || (field & INT_MAX) == (0xA5A5A5A5 & INT_MAX);
}

bool element_is_joined_with_junk(interval_t value)
{
    return interval_is_poisoned(value) && (is_junk_edge(value.first) || is_junk_edge(value.last));
}

static void interval_text(interval_t value, char text[ELEMENT_SHORT])
{
    if (interval_is_empty(value))
        snprintf(text, ELEMENT_SHORT, "nothing");
    else if (value.first == 0 && value.last == 0)
        snprintf(text, ELEMENT_SHORT, "zeros");
    else if (!interval_is_poisoned(value))
        snprintf(text, ELEMENT_SHORT, "[%d..%d]", value.first - INTERVAL_BASE, value.last - INTERVAL_BASE);
    else if (value.last < 0)
        snprintf(text, ELEMENT_SHORT, "[%d..]+[..%d]", interval_edge(value.last), interval_edge(value.first));
    else if (is_zero_edge(value.first))
        snprintf(text, ELEMENT_SHORT, "zeros+[%d..]", interval_edge(value.last));
    else if (is_zero_edge(value.last))
        snprintf(text, ELEMENT_SHORT, "[..%d]+zeros", interval_edge(value.first));
    else
        snprintf(text, ELEMENT_SHORT, "[..%d]+[%d..]", interval_edge(value.first), interval_edge(value.last));
}

static void interval_predicate(interval_t value, char text[ELEMENT_TEXT])
{
    char short_text[ELEMENT_SHORT];
    interval_text(value, short_text);
    if (!interval_is_poisoned(value))
        snprintf(text, ELEMENT_TEXT, "holds %s", short_text);
    else if (element_is_joined_with_junk(value))
        snprintf(text, ELEMENT_TEXT, "joins a range with memory that nothing has written");
    else if (value.last < 0)
        snprintf(text, ELEMENT_TEXT, "joins ranges in the wrong order: first [%d..], then [..%d]",
                 interval_edge(value.last), interval_edge(value.first));
    else if (is_zero_edge(value.first) || is_zero_edge(value.last))
        snprintf(text, ELEMENT_TEXT, "joins a range with memory full of zeros: %s", short_text);
    else
        snprintf(text, ELEMENT_TEXT, "joins ranges that do not touch: one ends at %d, the next begins at %d",
                 interval_edge(value.first), interval_edge(value.last));
}

/* Formats a character as in C source. */
static void character_text(unsigned char c, char text[ELEMENT_SHORT])
{
    static const char escaped[] = "\n\t\r\0\\'", letters[] = "ntr0\\'";
    const char *found = memchr(escaped, c, sizeof escaped - 1);
    if (found)
        snprintf(text, ELEMENT_SHORT, "'\\%c'", letters[found - escaped]);
    else if (c >= ' ' && c < 127)
        snprintf(text, ELEMENT_SHORT, "'%c'", c);
    else
        snprintf(text, ELEMENT_SHORT, "'\\x%02x'", (unsigned)c);
}

void element_text(enum element element, const void *value, char text[ELEMENT_SHORT])
{
    union {
        int i;
        unsigned u;
        uint64_t l;
        unsigned char c;
        float f;
        affine_t affine;
        interval_t interval;
        fingerprint_t fingerprint;
    } x;

    memcpy(&x, value, element_size(element));
    if (element_is_unwritten(element, value)) {
        snprintf(text, ELEMENT_SHORT, "unwritten");
        return;
    }
    switch (element) {
    case ELEMENT_INT:
        snprintf(text, ELEMENT_SHORT, "%d", x.i);
        break;
    case ELEMENT_UNSIGNED:
        snprintf(text, ELEMENT_SHORT, "%u", x.u);
        break;
    case ELEMENT_LONG:
        snprintf(text, ELEMENT_SHORT, "%llu", (unsigned long long)x.l);
        break;
    case ELEMENT_BYTE:
        snprintf(text, ELEMENT_SHORT, "%u", (unsigned)x.c);
        break;
    case ELEMENT_CHARACTER:
        character_text(x.c, text);
        break;
    case ELEMENT_FLOAT_BITS:
        if (isnan(x.f)) {
            snprintf(text, ELEMENT_SHORT, "%sNaN:%06x", x.u >> 31 ? "-" : "", x.u & 0x7fffff);
            break;
        }
        /* fall through */
    case ELEMENT_FLOAT:
        snprintf(text, ELEMENT_SHORT, "%.9g", (double)x.f);
        break;
    case ELEMENT_AFFINE:
        snprintf(text, ELEMENT_SHORT, "%dx%+d", x.affine.a, x.affine.b);
        break;
    case ELEMENT_INTERVAL:
        interval_text(x.interval, text);
        break;
    case ELEMENT_FINGERPRINT:
        snprintf(text, ELEMENT_SHORT, "%u:%08x", x.fingerprint.count - FINGERPRINT_BASE, x.fingerprint.mark);
        break;
    }
}

void element_predicate(enum element element, const void *value, char text[ELEMENT_TEXT])
{
    char short_text[ELEMENT_SHORT];
    if (element_is_unwritten(element, value)) {
        snprintf(text, ELEMENT_TEXT, "was not written");
        return;
    }
    if (element == ELEMENT_INTERVAL) {
        interval_t interval;
        memcpy(&interval, value, sizeof interval);
        interval_predicate(interval, text);
        return;
    }
    element_text(element, value, short_text);
    snprintf(text, ELEMENT_TEXT, "holds %s", short_text);
}

/* ---- monoids ----------------------------------------------------------------------------------------- */

/* Defines the function and the identity of a monoid for the table, from those in monoid.h. */
#define TABLE_ENTRY(name, type, value)                                                                       \
    static const type name##_identity = value;                                                               \
    static void name##_table(void *both, const void *left, const void *right)                                \
    {                                                                                                        \
        type a, b;                                                                                           \
        memcpy(&a, left, sizeof a);                                                                          \
        memcpy(&b, right, sizeof b);                                                                         \
        a = name##_combine(a, b);                                                                            \
        memcpy(both, &a, sizeof a);                                                                          \
    }

TABLE_ENTRY(sum, int, SUM_IDENTITY)
TABLE_ENTRY(max, int, MAX_IDENTITY)
TABLE_ENTRY(product, int, PRODUCT_IDENTITY)
TABLE_ENTRY(float_sum, float, FLOAT_SUM_IDENTITY)
TABLE_ENTRY(affine, affine_t, AFFINE_IDENTITY)
TABLE_ENTRY(interval, interval_t, INTERVAL_IDENTITY)
TABLE_ENTRY(fingerprint, fingerprint_t, FINGERPRINT_IDENTITY)

const struct monoid monoids[MONOID_COUNT] = {
    [MONOID_SUM] = {"sum", ELEMENT_INT, true, true, &sum_identity, sum_table},
    [MONOID_MAX] = {"max", ELEMENT_INT, true, true, &max_identity, max_table},
    [MONOID_PRODUCT] = {"product", ELEMENT_INT, true, true, &product_identity, product_table},
    [MONOID_FLOAT_SUM] = {"float_sum", ELEMENT_FLOAT, true, false, &float_sum_identity, float_sum_table},
    [MONOID_AFFINE] = {"affine", ELEMENT_AFFINE, false, true, &affine_identity, affine_table},
    [MONOID_INTERVAL] = {"interval", ELEMENT_INTERVAL, false, true, &interval_identity, interval_table},
    [MONOID_FINGERPRINT] = {"fingerprint", ELEMENT_FINGERPRINT, true, true, &fingerprint_identity,
                            fingerprint_table},
};

int monoid_find(const char *name)
{
    int monoid = 0;
    while (monoid < MONOID_COUNT && strcmp(monoids[monoid].name, name) != 0)
        monoid++;
    return monoid;
}
