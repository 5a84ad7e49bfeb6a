/* thrust/sequence.h: not on the CPU device. */
#error "the CPU device has no <thrust/sequence.h>; DEVICE=cuda has it"
