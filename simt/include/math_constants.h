/* math_constants.h: CUDA's names for infinities, NaNs and limits. */
#ifndef SIMT_MATH_CONSTANTS_H
#define SIMT_MATH_CONSTANTS_H

#define CUDART_INF_F        __builtin_inff()
#define CUDART_NAN_F        __builtin_nanf("")
#define CUDART_MAX_NORMAL_F 3.402823466e+38f
#define CUDART_MIN_DENORM_F 1.401298464e-45f
#define CUDART_NEG_ZERO_F   -0.0f
#define CUDART_ZERO_F       0.0f
#define CUDART_ONE_F        1.0f
#define CUDART_PI_F         3.141592654f
#define CUDART_PIO2_F       1.570796327f
#define CUDART_SQRT_TWO_F   1.414213562f

#define CUDART_INF      __builtin_inf()
#define CUDART_NAN      __builtin_nan("")
#define CUDART_NEG_ZERO -0.0
#define CUDART_ZERO     0.0
#define CUDART_ONE      1.0
#define CUDART_PI       3.1415926535897931
#define CUDART_PIO2     1.5707963267948966
#define CUDART_SQRT_TWO 1.4142135623730951

#endif
