/* debugger.h: functions that simt/debug/commands.py calls through gdb when a kernel has stopped. Nothing else calls
 * them.
 *
 * The returned texts are valid until the next call. */
#ifndef SIMT_DEBUGGER_H
#define SIMT_DEBUGGER_H

#include "simt.h"

#include <stdbool.h>

/* The CUDA thread in which the program has stopped; null in host code. */
const void *debugger_thread(void);

/* For example "thread 3 of block 0 of scan_in_place_kernel, a grid of 1 block of 8 threads"; empty in host code. */
const char *debugger_where(void);

/* The text of the finding without its source location. */
const char *debugger_finding(const struct simt_finding *finding);

/* A line for each group of the block's threads with the same location, such as "threads 4-7 have not begun". Empty
 * in host code. */
const char *debugger_threads(void);

/* Has this byte of the block's shared memory been written? */
bool debugger_is_written(const void *address);

#endif
