/* thrust/reduce.h: not on the CPU device. */
#error "the CPU device has no <thrust/reduce.h>; DEVICE=cuda has it"
