/* thrust/copy.h: not on the CPU device. */
#error "the CPU device has no <thrust/copy.h>; DEVICE=cuda has it"
