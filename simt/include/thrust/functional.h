/* thrust/functional.h: not on the CPU device. */
#error "the CPU device has no <thrust/functional.h>; DEVICE=cuda has it"
