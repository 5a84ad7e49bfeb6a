/* thrust/transform_scan.h: not on the CPU device. */
#error "the CPU device has no <thrust/transform_scan.h>; DEVICE=cuda has it"
