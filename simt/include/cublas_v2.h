/* cublas_v2.h: not on the CPU device. */
#error "the CPU device has no <cublas_v2.h>; DEVICE=cuda has it"
