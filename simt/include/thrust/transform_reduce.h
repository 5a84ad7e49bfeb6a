/* thrust/transform_reduce.h: not on the CPU device. */
#error "the CPU device has no <thrust/transform_reduce.h>; DEVICE=cuda has it"
