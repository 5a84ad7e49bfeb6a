/* mma.h: not on the CPU device. */
#error "the CPU device has no <mma.h>; DEVICE=cuda has it"
