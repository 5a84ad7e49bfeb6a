/* stock_cpu.h: the stock functions on the CPU device. Students' code is linked to them by name;
 * labs/stock/stock_scan.h and stock_monoid.h describe them.
 *
 * They are written in C in the harness and not as kernels, so their source does not contain a scan kernel to copy.
 * To the device each call is one launch of one thread on the default stream, which accesses the arrays element by
 * element at the site of the call. So an array that is too short, or was not written, is found as in any kernel. */
#ifndef LABS_STOCK_CPU_H
#define LABS_STOCK_CPU_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Sets the part whose calls follow, and the stock functions that its contract allows: enum stock_functions in
 * parts.h, or-ed. A call of another one is reported and ends the part or its kernel. `part` must stay valid. */
void stock_allow(const char *part, unsigned functions);

#ifdef __cplusplus
}
#endif

#endif
