/* thrust/count.h: not on the CPU device. */
#error "the CPU device has no <thrust/count.h>; DEVICE=cuda has it"
