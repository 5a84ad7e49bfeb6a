/* thrust/host_vector.h: not on the CPU device. */
#error "the CPU device has no <thrust/host_vector.h>; DEVICE=cuda has it"
