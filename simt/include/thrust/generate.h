/* thrust/generate.h: not on the CPU device. */
#error "the CPU device has no <thrust/generate.h>; DEVICE=cuda has it"
