/* thrust/unique.h: not on the CPU device. */
#error "the CPU device has no <thrust/unique.h>; DEVICE=cuda has it"
