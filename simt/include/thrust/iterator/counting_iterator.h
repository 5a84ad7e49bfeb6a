/* thrust/iterator/counting_iterator.h: not on the CPU device. */
#error "the CPU device has no <thrust/iterator/counting_iterator.h>; DEVICE=cuda has it"
