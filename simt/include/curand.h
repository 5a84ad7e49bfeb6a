/* curand.h: not on the CPU device. */
#error "the CPU device has no <curand.h>; DEVICE=cuda has it"
