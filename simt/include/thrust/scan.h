/* thrust/scan.h: not on the CPU device. */
#error "the CPU device has no <thrust/scan.h>; DEVICE=cuda has it"
