/* caller.h: where a program that uses Thrust called it. Internal. */
#ifndef SIMT_CALLER_H
#define SIMT_CALLER_H

#include <stdbool.h>

/* Whether the program includes Thrust (simt/thrust/simt_thrust.h). */
bool caller_may_be_thrust(void);

/* `site` is the code address to which a function of the device returns, and `frame` that function's frame address. If
 * the site is in Thrust, returns the site of the innermost call by the program's own code instead, if there is one. */
const void *caller_site(const void *site, const void *frame);

#endif
