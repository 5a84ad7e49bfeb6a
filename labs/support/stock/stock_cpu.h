/* stock_cpu.h: the stock functions on the CPU device. Students' code is linked to them by name; what they do stands
 * in labs/stock/stock_scan.h and stock_monoid.h.
 *
 * They are the harness's own C, in no kernel of any lab: there is no source of a scan to take over. The device sees
 * each as one launch of one thread on the default stream, which reads and writes the arrays element by element at the
 * site of the call: an array that is too short, or not written, is found as in any kernel. */
#ifndef LABS_STOCK_CPU_H
#define LABS_STOCK_CPU_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* From now on the calls are those of this part, whose contract allows these functions: enum stock_functions in
 * parts.h, or-ed. A call of any other is reported, and ends the part or its kernel. `part` must stay valid. */
void stock_allow(const char *part, unsigned functions);

#ifdef __cplusplus
}
#endif

#endif
