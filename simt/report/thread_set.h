/* thread_set.h: descriptions of sets of threads. Internal. */
#ifndef SIMT_THREAD_SET_H
#define SIMT_THREAD_SET_H

#include <stdbool.h>
#include <stddef.h>

/* Writes the numbers i with member[i]: "7", "0-15", "0-15 and 3 more", "5 and 9", "5 and 3 more"; a regular pattern
 * as "0, 2, 4 ... 30"; "none" for an empty set. Returns the size of the set. */
unsigned thread_set_numbers(const bool *member, unsigned count, char *text, size_t size);

/* The same with a word in front, "thread" or "lane": "thread 7", "lanes 0-15". */
unsigned thread_set_text(const char *what, const bool *member, unsigned count, char *text, size_t size);

#endif
