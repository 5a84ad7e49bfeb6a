/* element.h: the types that arrays of the labs hold, as the suites need them: sizes, equality, words for a
 * person; and the monoids as values. No device and no student code here. */
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
    ELEMENT_CHARACTER, /* the same, shown as a character: 'a'; no text holds the filling of memory */
    ELEMENT_FLOAT,
    ELEMENT_FLOAT_BITS, /* float, compared bit for bit: -0 is not 0, and every NaN is a value of its own */
    ELEMENT_AFFINE,
    ELEMENT_INTERVAL,
    ELEMENT_FINGERPRINT
};

enum { ELEMENT_SHORT = 40, ELEMENT_TEXT = 96 }; /* bytes that the texts below fit in */

/* Bytes of one element. */
size_t element_size(enum element element);

/* The same value; for floats: no more than `tolerance` apart. A NaN equals a NaN only. */
bool element_equal(enum element element, const void *got, const void *expected, double tolerance);

/* Does it still hold CALL_POISON, the filling of memory that nobody has written? */
bool element_is_unwritten(enum element element, const void *value);

/* Is it poisoned by memory that nothing has written, which an operand came from? */
bool element_is_joined_with_junk(interval_t value);

/* In few characters, for a column: "-17", "[0..13]", "3x+5", "[..4]+[7..]" for a poisoned interval,
 * "unwritten". */
void element_text(enum element element, const void *value, char text[ELEMENT_SHORT]);

/* The predicate of a sentence about it: "holds [0..13]", "holds 17", "was not written", "joins ranges that do
 * not touch: one ends at 4, the next begins at 7". */
void element_predicate(enum element element, const void *value, char text[ELEMENT_TEXT]);

struct monoid {
    const char *name; /* "interval" */
    enum element element;
    bool commutative;
    bool exact;           /* combine is associative to the last bit */
    const void *identity; /* one element */
    void (*combine)(void *both, const void *left, const void *right);
};

/* Indexed by MONOID_SUM and so on. */
extern const struct monoid monoids[MONOID_COUNT];

/* MONOID_COUNT when there is none of that name. */
int monoid_find(const char *name);

#endif
