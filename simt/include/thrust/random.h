/* thrust/random.h: not on the CPU device. */
#error "the CPU device has no <thrust/random.h>; DEVICE=cuda has it"
