/* applications.h: the contract of lab 8. You implement these functions in student/applications.cu.
 *
 * Problems that are no scans at first sight. Each becomes one with an operator of its own, or with a sort and
 * a compaction around it.
 *
 * Every function is called on the host with device pointers. It launches kernels on the default stream, and may
 * return before they end unless it returns a value. Work in another stream begins after what the default stream
 * holds already, and the default stream or the host waits for it. Numbers are unsigned; sums and products wrap
 * around at 2^32. Arrays are aligned as their elements need, and no better: those of bytes begin anywhere. They
 * do not overlap. Inputs are only read. The elements of an output after those that you are to write stay as they are.
 * Lengths go up to 2^28. Scratch memory is yours to allocate with cudaMalloc and to free with cudaFree before you
 * return.
 *
 * The harness gives you scans, a reduction and a sort: labs/stock/stock_monoid.h has scans for any monoid
 * that you write, labs/stock/stock_scan.h those of sums, and stock_sort. Every part may call the scans and the
 * reduction, and histogram the sort: in other parts it is refused. Work is the number of combines that they
 * count as, in all of your calls to them together: at most 2n for a scan of n elements, n for a reduction, none
 * for the sort.
 *
 * Kernels do the work, and their threads share it. Span is the longest chain of memory accesses, global and shared, and
 * of combines in which each comes after the one before. "After" means: later in the same thread, or in a thread that
 * has met the other one since, at a barrier or through a flag. One thread that loops over n elements has a span of at
 * least n, whatever the other threads do. The bounds:
 *     from 64 elements on       the span is at most nine tenths of all accesses and combines, and no thread makes more
 *                               than nine tenths of the combines that join two parts, or of the writes to outputs
 *     with more than 500        the same, with one half in the place of nine tenths
 *     from 40000 elements on    no block makes more than nine tenths of any of these three
 * What the busiest thread executes is bounded, too, in instructions as compiled for the CPU device, all launches
 * together and whatever they do. From 40000 elements on, and from 20000 in quicksort, the bound is 4n; in
 * polynomial_value n; in lex 8n + 200000, since its operator is long; and in quicksort 60n + 65536. A chain of
 * instructions from thread to thread may have 64 more for each tile. Each call of an operator in a scan or reduction of
 * the harness counts like a thread. A loop over the whole input takes more, by shuffles or plain arithmetic as well, in
 * one thread or in each for itself.
 * The host makes no output, except a single value. No data goes from the device to the host, neither by copies nor
 * through memory that both reach, except what a part names. */
#ifndef APPLICATIONS_H
#define APPLICATIONS_H

#include "lab.h"
#include "lexer.h"
#include "stock_monoid.h"
#include "stock_scan.h"

#define LINE_MOST 11 /* bytes of a line: ten digits and its end */

#ifdef __cplusplus
extern "C" {
#endif

/* write_lines: writes numbers as text into one buffer: the decimal digits of each, without leading zeros, and
 * a newline. Lines differ in length; they follow each other in the order of the numbers.
 *
 * numbers   device pointer to n elements
 * out       device pointer to room for LINE_MOST * n bytes; those from the length on stay untouched
 * n         any length
 * returns   the length of the text in bytes
 * Graded    correct, with a span of at most n / 2 + 2048 and at most 64 bytes to the host; clean; efficient: at
 *           most 2n + 2048 combines, which is one scan of the elements of whole blocks */
size_t write_lines(const unsigned *numbers, unsigned char *out, size_t n);

/* tree_depths: the depth of each node of a tree. The tree comes as its Euler tour: a walk around it that goes down
 * into each node once, and up from it once, after all of its children.
 *
 * tour      device pointer to 2n moves: v >= 0 goes down into node v, ~v = -1 - v goes up from it
 * depths    device pointer to n elements: depths[v] is the number of nodes above node v, 0 for a root
 * n         any number of nodes; they are numbered from 0 to n - 1 in no special order, and there may be
 *           several roots, one tree after the other
 * Graded    correct, with a span of at most n / 2 + 2048 and at most 64 bytes to the host; clean; efficient: at
 *           most 4n + 4096 combines, which is one scan of the moves of whole blocks */
void tree_depths(const int *tour, unsigned *depths, size_t n);

/* histogram: which keys there are, and how many of each.
 *
 * keys      device pointer to n elements
 * values    device pointer to room for n elements: the different keys, ascending
 * counts    device pointer to room for n elements: counts[k] is how many keys are values[k]
 * n         any length
 * returns   how many different keys there are; values and counts stay untouched from there on
 * Graded    correct, with a span of at most n / 2 + 2048 and at most 64 bytes to the host; clean; efficient: at
 *           most 2n + 2048 combines, which is one scan of the elements of whole blocks */
size_t histogram(const unsigned *keys, unsigned *values, unsigned *counts, size_t n);

/* compare_strings: where two strings differ first, and which of them comes first in a dictionary. A string
 * that the other one begins with comes before it. Bytes are compared as numbers from 0 to 255.
 *
 * left      device pointer to left_n bytes
 * right     device pointer to right_n bytes
 * order     device pointer to one element: -1 when left comes first, 1 when right does, 0 when they are equal
 * left_n, right_n    any lengths
 * returns   the first place in which the strings differ; when there is none, the length of the shorter one
 * Graded    correct, with a span of at most n / 2 + 2048 and at most 64 bytes to the host; clean; efficient: at
 *           most 2m + 2048 combines, m the length of the shorter string */
size_t compare_strings(const unsigned char *left, size_t left_n, const unsigned char *right, size_t right_n,
                       int *order);

/* linear_recurrence: x[i] = a[i] * x[i - 1] + b[i], where x[-1] = start.
 *
 * a, b      device pointers to n elements each
 * start     any number
 * x         device pointer to n elements
 * n         any length
 * Graded    correct, with a span of at most n / 2 + 2048 and at most 64 bytes to the host; clean; efficient: at
 *           most 2n + 2048 combines, which is one scan of the elements of whole blocks */
void linear_recurrence(const unsigned *a, const unsigned *b, unsigned start, unsigned *x, size_t n);

/* polynomial_value: c[0] + c[1] * x + c[2] * x^2 + ... + c[n - 1] * x^(n - 1).
 *
 * c         device pointer to n coefficients
 * n         any length; a polynomial without coefficients is 0
 * x         any number
 * returns   the value, modulo 2^32
 * Graded    correct, with a span of at most n / 2 + 2048 and at most 64 bytes to the host; clean; efficient: at
 *           most 3n + 4096 combines, which is a scan and a reduction; one reduction alone does it with n */
unsigned polynomial_value(const unsigned *c, size_t n, unsigned x);

/* second_order: x[i] = a[i] * x[i - 1] + b[i] * x[i - 2], where x[-1] = last and x[-2] = last_but_one. With
 * all a and b 1, these are the Fibonacci numbers.
 *
 * a, b      device pointers to n elements each
 * last, last_but_one    any numbers
 * x         device pointer to n elements
 * n         any length
 * Graded    correct, with a span of at most n / 2 + 2048 and at most 64 bytes to the host; clean; efficient: at
 *           most 2n + 2048 combines, which is one scan of the elements of whole blocks */
void second_order(const unsigned *a, const unsigned *b, unsigned last, unsigned last_but_one, unsigned *x,
                  size_t n);

/* lex: cuts a text into tokens: runs the automaton of lexer.h over it, from LEX_START.
 *
 * text      device pointer to n bytes
 * states    device pointer to n bytes: the state after each byte of the text
 * begins    device pointer to room for n elements: where the tokens begin, ascending: begins[k] is the place
 *           of the first byte of token k
 * n         any length
 * returns   how many tokens there are; begins stays untouched from there on
 * Graded    correct, with a span of at most n / 2 + 2048 and at most 64 bytes to the host; clean; efficient: at
 *           most 4n + 4096 combines: a scan of the bytes' maps and one of flags */
size_t lex(const unsigned char *text, unsigned char *states, unsigned *begins, size_t n);

/* split_segments: one round of quicksort, in all segments at once. The keys are in segments; a head, which is 1, marks
 * the first key of each. A segment's pivot is the key in its middle, at its first place + half of its length, rounded
 * down. Each segment is rearranged: first its keys that are less than its pivot, then those equal to it, then the
 * greater ones, each group in the order that it had. Each group that has keys is a segment in the output.
 *
 * in        device pointer to n keys
 * heads     device pointer to n elements, 0 or 1; heads[0] is 1
 * out       device pointer to n keys
 * out_heads device pointer to n elements: the heads of the segments in out
 * n         any length
 * Graded    correct, with a span of at most n / 2 + 2048 and at most 64 bytes to the host; clean; efficient: at
 *           most 4n + 4096 combines, which is two scans of the elements of whole blocks */
void split_segments(const unsigned *in, const unsigned *heads, unsigned *out, unsigned *out_heads, size_t n);

/* quicksort: sorts keys, by rounds that split all segments at once.
 *
 * in        device pointer to n keys
 * out       device pointer to n keys, ascending
 * n         any length
 * Graded    correct, with a span of at most n / 2 + 2048 in each of 4 (ceil(log2 n) + 1) rounds and at most 4096
 *           bytes to the host, or 32768 up to 512 elements; clean; efficient: at most 20 (n + 1024) (ceil(log2 n) + 1)
 *           combines for keys that are random, ascending, descending or all equal, which is 4 (ceil(log2 n) + 1)
 *           rounds of two scans and a reduction each */
void quicksort(const unsigned *in, unsigned *out, size_t n);

#ifdef __cplusplus
}
#endif
#endif
