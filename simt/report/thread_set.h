/* thread_set.h: sets of threads in words. Internal. */
#ifndef SIMT_THREAD_SET_H
#define SIMT_THREAD_SET_H

#include <stdbool.h>
#include <stddef.h>

/* The numbers i with member[i]: "7", "0-15", "0-15 and 3 more", "5 and 9", "5 and 3 more"; with an even pattern
 * "0, 2, 4 ... 30". "none" when there are none. Returns how many there are. */
unsigned thread_set_numbers(const bool *member, unsigned count, char *text, size_t size);

/* The same after what they are, "thread" or "lane": "thread 7", "lanes 0-15". */
unsigned thread_set_text(const char *what, const bool *member, unsigned count, char *text, size_t size);

#endif
