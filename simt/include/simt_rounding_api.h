/* simt_rounding_api.h: what device code asks of the device to round in a given direction; simt_rounding.h wraps it in CUDA's
 * names. */
#ifndef SIMT_ROUNDING_API_H
#define SIMT_ROUNDING_API_H

#ifdef __cplusplus
extern "C" {
#endif

enum simt_rounding { SIMT_TO_NEAREST, SIMT_TO_ZERO, SIMT_UP, SIMT_DOWN };
enum simt_arithmetic { SIMT_ADD, SIMT_SUBTRACT, SIMT_MULTIPLY, SIMT_DIVIDE, SIMT_ROOT, SIMT_FUSED };

float simt_round_f32(enum simt_arithmetic __operation, enum simt_rounding __rounding, float a, float b,
                     float c);
double simt_round_f64(enum simt_arithmetic __operation, enum simt_rounding __rounding, double a, double b,
                      double c);

float simt_round_double_f32(enum simt_rounding __rounding, double a);
float simt_round_signed_f32(enum simt_rounding __rounding, long long a);
float simt_round_unsigned_f32(enum simt_rounding __rounding, unsigned long long a);
double simt_round_signed_f64(enum simt_rounding __rounding, long long a);
double simt_round_unsigned_f64(enum simt_rounding __rounding, unsigned long long a);

#ifdef __cplusplus
}
#endif

#endif
