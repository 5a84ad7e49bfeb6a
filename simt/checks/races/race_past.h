/* race_past.h: races on a shared array that an index past the end of the array before it has reached. Internal. */
#ifndef SIMT_RACE_PAST_H
#define SIMT_RACE_PAST_H

#include <stdbool.h>
#include <stddef.h>

/* An element that does not exist. */
struct race_past {
    char array[64];    /* the array that was meant */
    char element[96];  /* "sums[16]" */
    size_t length;     /* elements of the array */
    bool is_of_thread; /* the index is the number of the thread */
};

/* Was the access to `address`, in shared memory, meant for the array before? Then its line does not name the array of
 * that address, and it names the array before, or the index into that one is the number of the thread. Where the source
 * cannot be read, as behind the walls of a grading, the number of the thread decides. */
bool race_past_array(const char *address, const void *site, unsigned thread, struct race_past *past);

#endif
