/* cuda_fp8.h: not on the CPU device. */
#error "the CPU device has no <cuda_fp8.h>; DEVICE=cuda has it"
