/* thrust/transform.h: not on the CPU device. */
#error "the CPU device has no <thrust/transform.h>; DEVICE=cuda has it"
