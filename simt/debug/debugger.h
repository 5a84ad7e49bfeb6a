/* debugger.h: what gdb asks a stopped kernel, by calling these; see simt/debug/commands.py. Nothing else calls them.
 *
 * The texts are valid until the next call. */
#ifndef SIMT_DEBUGGER_H
#define SIMT_DEBUGGER_H

#include "simt.h"

#include <stdbool.h>

/* The CUDA thread that is here; null in host code. */
const void *debugger_thread(void);

/* "thread 3 of block 0 of scan_in_place_kernel<<<1, 8>>>"; empty in host code. */
const char *debugger_where(void);

/* What was found, in words, without its place. */
const char *debugger_finding(const struct simt_finding *finding);

/* A line for each group of the block's threads that are at the same place: "threads 4-7 have not begun". Empty in host
 * code. */
const char *debugger_threads(void);

/* Has something written this byte of the block's shared memory? */
bool debugger_is_written(const void *address);

#endif
