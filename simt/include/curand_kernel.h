/* curand_kernel.h: not on the CPU device. */
#error "the CPU device has no <curand_kernel.h>; DEVICE=cuda has it"
