/* cuda_pipeline.h: not on the CPU device. */
#error "the CPU device has no <cuda_pipeline.h>; DEVICE=cuda has it"
