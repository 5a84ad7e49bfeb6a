#ifndef HEAT_H
#define HEAT_H
#include <stddef.h>

/* Two-dimensional heat equation on a plate with fixed borders, by explicit steps. Implemented in heat.cu. */
struct plate; /* opaque to C */

#ifdef __cplusplus
extern "C" {
#endif
struct plate *plate_create(size_t nx, size_t ny, const double *initial);
int plate_advance(struct plate *p, int steps, double a);
int plate_read(const struct plate *p, double *out);
void plate_destroy(struct plate *p);
const char *plate_error(void);
#ifdef __cplusplus
}
#endif
#endif
