/* element.h: the element types of the labs' arrays, for the suites: sizes, equality and texts; and the monoids as
 * values. This uses neither the device nor student code. */
#ifndef LABS_ELEMENT_H
#define LABS_ELEMENT_H

#include "monoid.h"
#include <stdbool.h>
#include <stddef.h>

enum element {
    ELEMENT_INT,
    ELEMENT_UNSIGNED,
    ELEMENT_LONG,      /* uint64_t */
    ELEMENT_BYTE,      /* unsigned char */
    ELEMENT_CHARACTER, /* the same, shown as a character: 'a'; the fill byte does not occur in texts */
    ELEMENT_FLOAT,
    ELEMENT_FLOAT_BITS, /* float, compared bit for bit: -0 is not 0, and all NaNs are different values */
    ELEMENT_AFFINE,
    ELEMENT_INTERVAL,
    ELEMENT_FINGERPRINT
};

enum { ELEMENT_SHORT = 40, ELEMENT_TEXT = 96 }; /* sizes of the buffers for the texts below */

/* The size of one element. */
size_t element_size(enum element element);

/* Are the values equal? Floats may differ by `tolerance`. A NaN equals only a NaN. */
bool element_equal(enum element element, const void *got, const void *expected, double tolerance);

/* Is it still CALL_POISON, which fills unwritten memory? */
bool element_is_unwritten(enum element element, const void *value);

/* Is it poisoned because an operand came from unwritten memory? */
bool element_is_joined_with_junk(interval_t value);

/* A short text for a column: "-17", "[0..13]", "3x+5", "[..4]+[7..]" for a poisoned interval, "unwritten". */
void element_text(enum element element, const void *value, char text[ELEMENT_SHORT]);

/* A predicate for a sentence: "holds [0..13]", "holds 17", "was not written", "joins ranges that do not touch: one
 * ends at 4, the next begins at 7". */
void element_predicate(enum element element, const void *value, char text[ELEMENT_TEXT]);

struct monoid {
    const char *name; /* "interval" */
    enum element element;
    bool commutative;
    bool exact;           /* combine is exactly associative */
    const void *identity; /* one element */
    void (*combine)(void *both, const void *left, const void *right);
};

/* Indexed by MONOID_SUM and so on. */
extern const struct monoid monoids[MONOID_COUNT];

/* MONOID_COUNT when there is no monoid with that name. */
int monoid_find(const char *name);

#endif
