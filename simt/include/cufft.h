/* cufft.h: not on the CPU device. */
#error "the CPU device has no <cufft.h>; DEVICE=cuda has it"
