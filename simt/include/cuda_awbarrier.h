/* cuda_awbarrier.h: not on the CPU device. */
#error "the CPU device has no <cuda_awbarrier.h>; DEVICE=cuda has it"
