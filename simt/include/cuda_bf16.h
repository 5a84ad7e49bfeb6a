/* cuda_bf16.h: not on the CPU device. */
#error "the CPU device has no <cuda_bf16.h>; DEVICE=cuda has it"
