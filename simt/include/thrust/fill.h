/* thrust/fill.h: not on the CPU device. */
#error "the CPU device has no <thrust/fill.h>; DEVICE=cuda has it"
