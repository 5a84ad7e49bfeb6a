/* cuda_fp16.h: not on the CPU device. */
#error "the CPU device has no <cuda_fp16.h>; DEVICE=cuda has it"
