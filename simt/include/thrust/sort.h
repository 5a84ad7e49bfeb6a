/* thrust/sort.h: not on the CPU device. */
#error "the CPU device has no <thrust/sort.h>; DEVICE=cuda has it"
